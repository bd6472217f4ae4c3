import { expect, test } from '@jest/globals';
import { planDueOccurrences } from '../../../src/notices/recurrence/recurrence.automation.js';
import { describeInBrowser } from '../../support/browser.js';
import { findFlaws, phone, useConsole } from '../../support/console.js';
import { createComponent, createPage, createSubscriber } from '../../support/factories.js';

describeInBrowser('Maintenance that repeats', () => {
  const { service, signIn } = useConsole();
  const plan = async () => {
    while (await planDueOccurrences(service.database));
  };

  test('is scheduled, listed, moved, skipped, changed from one on, and ended', async () => {
    const { id, path } = await createPage(service, { name: 'Meridian Freight', timezone: 'Berlin' });
    await createComponent(service, path, { name: 'Tracking' });
    await service.patch(path, { send_notifications_by_email: true });
    await createSubscriber(service, path);
    const { page, problems, open } = await signIn({ role: 'publisher', viewport: phone });
    await open(`/pages/${id}/recurring`);
    await page.getByText('Nothing repeats yet.').waitFor();
    await page.getByRole('link', { name: 'Schedule maintenance' }).first().click();
    await page.getByLabel('Subject').fill('Patches');
    await page.getByLabel('Repeats').selectOption('custom');
    await page.getByLabel('Rule', { exact: true }).fill('FREQ=SECONDLY');
    await page.getByText(/must be an RRULE/).waitFor();
    await page.getByLabel('Repeats').selectOption('weekly');
    await page.getByLabel('Stops repeating').selectOption('count');
    await page.getByLabel('Times, the first included').fill('20');
    await page.getByText(/^Every week on \w+ at .* for 20 times, Berlin time$/).waitFor();
    expect(await page.getByRole('list', { name: 'Next occurrences' }).getByRole('listitem').count()).toBe(3);
    expect(await findFlaws(page)).toEqual([]);
    await page.getByRole('button', { name: 'Publish, notify nobody' }).click();
    await page.getByRole('heading', { name: 'Patches' }).waitFor();
    await plan();

    await open(`/pages/${id}/recurring`);
    const series = page.getByRole('list', { name: 'Next occurrences of Patches' });
    await series.getByRole('listitem').nth(2).waitFor();
    expect(await series.getByRole('link', { name: 'On the page' }).count()).toBe(2);
    expect(await findFlaws(page)).toEqual([]);
    await series
      .getByRole('button', { name: /^Move / })
      .nth(1)
      .click();
    await page.getByLabel('Begins').fill(addDays(await page.getByLabel('Begins').inputValue(), 1));
    await page.getByRole('button', { name: 'Publish and notify 1 person' }).waitFor();
    expect(await findFlaws(page)).toEqual([]);
    await page.getByRole('dialog').getByRole('button', { name: 'Preview' }).click();
    await page.frameLocator('iframe').getByText('Patches').first().waitFor();
    expect(await findFlaws(page)).toEqual([]);
    await page.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('button', { name: 'Publish, notify nobody' }).click();
    await page.getByText(/^Moved from /).waitFor();
    const third = await series.getByRole('listitem').nth(2).locator('span').first().textContent();
    await series.getByRole('button', { name: `Skip ${third}` }).click();
    await page.getByText('Nobody is notified.').waitFor();
    await page.getByRole('button', { name: 'Skip it' }).click();
    await series.getByText(third!).waitFor({ state: 'detached' });

    await series.getByRole('link', { name: 'On the page' }).nth(1).click();
    await page.getByRole('button', { name: 'Edit' }).first().click();
    await page.getByText('This and all later ones', { exact: true }).click();
    await page.getByLabel('First one begins (your time)').waitFor();
    await page.getByRole('dialog').getByLabel('Subject').fill('Updates');
    expect(await findFlaws(page)).toEqual([]);
    await page.getByRole('button', { name: 'Publish and notify 1 person' }).waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Preview' }).click();
    await page.frameLocator('iframe').getByText('Updates').first().waitFor();
    await page.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('button', { name: 'Publish and notify 1 person' }).click();
    await page.waitForURL(/\/notices\/\d+\?publication=\d+$/);
    await page.getByRole('heading', { name: 'Updates' }).waitFor();
    const subjects = await service.database.query<{ subject: string }>(
      'select subject from notice where page_id = $1 order by begins_at',
      [id],
    );
    expect(subjects.map(({ subject }) => subject)).toEqual(['Patches', 'Updates']);

    await open(`/pages/${id}/recurring`);
    await page
      .getByRole('button', { name: /^Skip / })
      .first()
      .click();
    const publish = page.getByRole('button', { name: 'Publish and notify 1 person' });
    await publish.waitFor();
    const refusal = { path: ['input', 'occursAt'], message: 'must be an occurrence to come' };
    await page.route(
      url => url.pathname === '/graphql',
      route =>
        route.request().postData()?.includes('SkipOccurrence')
          ? route.fulfill({ json: { data: { result: { notice: null, userErrors: [refusal] } } } })
          : route.fallback(),
    );
    await publish.click();
    await page.getByRole('dialog').getByText(refusal.message).waitFor();
    await page.unrouteAll();
    await publish.click();
    await page.waitForURL(/\/notices\/\d+\?publication=\d+$/);
    await page.getByText('Cancelled', { exact: true }).first().waitFor();

    await open(`/pages/${id}/recurring`);
    await page.getByRole('button', { name: 'End', exact: true }).click();
    await page.getByRole('button', { name: 'Stop repeating; planned notices stay?' }).click();
    await page.getByText('No longer repeats.').waitFor();
    expect(problems).toEqual([]);
  });

  test('a further window has the time of day of the one before it, also where the clock changes', async () => {
    const { id } = await createPage(service);
    const { page, open } = await signIn({ role: 'publisher', timezoneId: 'Europe/Berlin' });
    await open(`/new/maintenance?page=${id}`);
    await page.getByLabel('Begins', { exact: true }).fill('2027-10-30T22:00');
    await page.getByRole('button', { name: 'Add another window' }).click();
    expect(await page.getByLabel('Window 2 begins').inputValue()).toBe('2027-10-31T22:00');
  });

  test('further windows are scheduled without a rule, listed, and changed', async () => {
    const { id } = await createPage(service, { name: 'Meridian Freight', timezone: 'UTC' });
    const { page, problems, open } = await signIn({ role: 'publisher', viewport: phone });
    await open(`/new/maintenance?page=${id}`);
    await page.getByLabel('Subject').fill('Patches');
    const begin = addDays(await page.getByLabel('Begins', { exact: true }).inputValue(), 1);
    await page.getByLabel('Begins', { exact: true }).fill(begin);
    await page.getByRole('button', { name: 'Add another window' }).click();
    expect(await page.getByLabel('Window 2 begins').inputValue()).toBe(addDays(begin, 1));
    await page.getByLabel('Window 2 ends').fill(addDays(begin, 1.25));
    await page.getByRole('button', { name: 'Add another window' }).click();
    await page.getByRole('button', { name: 'Add another window' }).click();
    await page.getByRole('button', { name: 'Remove window 3' }).click();
    expect(await findFlaws(page)).toEqual([]);
    await page.getByRole('button', { name: 'Save as a draft' }).click();
    await page.waitForURL(/draft=/);
    await page.reload();
    expect(await page.getByLabel('Window 3 begins').inputValue()).toBe(addDays(begin, 3));
    await page.getByRole('button', { name: 'Publish, notify nobody' }).click();
    await page.getByRole('heading', { name: 'Patches' }).waitFor();
    await plan();

    await open(`/pages/${id}/recurring`);
    await page.getByText('Once, and in 2 further windows').waitFor();
    const series = page.getByRole('list', { name: 'Next occurrences of Patches' });
    await series.getByRole('listitem').nth(2).waitFor();
    await page.getByRole('button', { name: 'Edit all' }).click();
    await page.getByLabel('Window 2 begins').fill(addDays(begin, 2));
    await page.getByRole('button', { name: 'Remove window 3' }).click();
    expect(await findFlaws(page)).toEqual([]);
    await page.getByRole('button', { name: 'Publish, notify nobody' }).click();
    await page.getByText('Once, and in one further window').waitFor();
    const notices = await service.database.query(
      'select ends_at - begins_at as length from notice where page_id = $1 order by begins_at',
      [id],
    );
    expect(notices).toEqual([{ length: '01:00:00' }, { length: '06:00:00' }]);
    expect(problems).toEqual([]);
  });

  test('a rule of the form is stored as it was chosen, and a draft brings it back', async () => {
    const { id } = await createPage(service, { name: 'Nordlicht Energie', timezone: 'Tokyo' });
    const { page, problems, open } = await signIn({ role: 'publisher' });
    await open(`/new/maintenance?page=${id}`);
    await page.getByLabel('Subject').fill('Backups');
    await page.getByLabel('Begins').fill('2031-01-31T20:00');
    await page.getByLabel('Repeats').selectOption('Every month on the first Saturday');
    await page.getByLabel('Stops repeating').selectOption('date');
    await page.getByLabel('Last day').fill('2031-12-31');
    await page.getByLabel('Number of months').fill('2');
    await page.getByText(/^Every 2 months .* at 04:00, Tokyo time, until 31 December 2031$/).waitFor();
    await page.getByRole('button', { name: 'Save as a draft' }).click();
    await page.waitForURL(/draft=/);
    await page.reload();
    await page.getByText(/, Tokyo time, until 31 December 2031$/).waitFor();
    expect(await page.getByLabel('Last day').inputValue()).toBe('2031-12-31');
    expect(await page.getByLabel('Number of months').inputValue()).toBe('2');
    const [draft] = await service.database.query<{ change: string }>(
      'select change::text from draft where page_id = $1',
      [id],
    );
    // In Tokyo it is Saturday already.
    expect(draft!.change).toContain('FREQ=MONTHLY;INTERVAL=2;BYDAY=1SA;UNTIL=20311231');
    expect(problems).toEqual([]);
  });

  test('every second week on two days needs no RRULE, and stands among the facts of the notice', async () => {
    const { id } = await createPage(service, { name: 'Nordlicht Energie', timezone: 'Berlin' });
    const { page, problems, open } = await signIn({ role: 'publisher', viewport: phone });
    await open(`/new/maintenance?page=${id}`);
    await page.getByLabel('Subject').fill('Backups');
    // A Tuesday.
    await page.getByLabel('Begins', { exact: true }).fill('2031-03-04T07:00');
    await page.getByLabel('Repeats').selectOption('weekly');
    await page.getByLabel('Number of weeks').fill('2');
    expect(await page.getByRole('checkbox', { name: 'Tuesday' }).isChecked()).toBe(true);
    await page.getByText('Thu', { exact: true }).click();
    await page.getByText(/^Every 2 weeks on Tuesday and Thursday at 07:00, Berlin time$/).waitFor();
    await page.getByText('one message names the next dates').waitFor();
    expect(await findFlaws(page)).toEqual([]);
    await page.getByRole('button', { name: 'Publish, notify nobody' }).click();
    await page.getByRole('definition').getByText('Every 2 weeks on Tuesday and Thursday').waitFor();
    const rules = await service.database.query('select rule from recurrence where page_id = $1', [id]);
    expect(rules).toEqual([{ rule: 'FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,TH' }]);

    await open(`/pages/${id}/recurring`);
    await page.getByRole('button', { name: 'Edit all' }).click();
    await page.getByLabel('Number of weeks').waitFor();
    expect(await page.getByRole('checkbox', { name: 'Thursday' }).isChecked()).toBe(true);
    expect(problems).toEqual([]);
  });
});

const addDays = (local: string, days: number) =>
  new Date(Date.parse(`${local}Z`) + days * 24 * 3_600_000).toISOString().slice(0, 16);
