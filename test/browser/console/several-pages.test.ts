import { beforeAll, expect, test } from '@jest/globals';
import { describeInBrowser } from '../../support/browser.js';
import { findFlaws, phone, useOwnConsole } from '../../support/console.js';
import { createComponent, createPage, createSubscriber } from '../../support/factories.js';
import { withChannels } from '../../support/settings.js';

describeInBrowser('One message on several pages', () => {
  const { service, signIn } = useOwnConsole(withChannels);
  beforeAll(async () => {
    // One after the other: forms begin with the first page.
    for (const name of ['Meridian Freight', 'Nordlicht Energie', 'Quiet']) {
      const page = await createPage(service, { name, send_notifications_by_email: true });
      await createComponent(service, page.path, { name: `Login of ${name}` });
      await createSubscriber(service, page.path);
    }
  });
  const listNotices = async () => {
    const { json } = await service.graphql(
      '{ pages { nodes { name notices { nodes { subject affectedComponents { component { name } impact } } } } } }',
    );
    // biome-ignore lint/suspicious/noExplicitAny: what the query selects
    return Object.fromEntries(json.data.pages.nodes.map((page: any) => [page.name, page.notices.nodes]));
  };

  test('has one preview, one button, and is written on all of them or on none', async () => {
    const { page, open, problems } = await signIn({ viewport: phone });
    await open('/new/incident');
    await page.locator('form').getByLabel('Page', { exact: true }).selectOption({ label: 'Meridian Freight' });
    await page.getByText('Also publish on other pages').click();
    await page.getByLabel('Nordlicht Energie').check();
    await page.getByLabel('Subject').fill('Nobody can sign in');
    await page.getByLabel('Login of Meridian Freight').check();
    await page.getByLabel('Login of Nordlicht Energie').check();
    await page.getByLabel('Impact on Login of Nordlicht Energie').selectOption('MAJOR_OUTAGE');
    await page.getByText('Degraded: Login of Nordlicht Energie').waitFor();
    await page.getByRole('button', { name: 'Publish on 2 pages and notify 2 people' }).waitFor();
    await page.getByText('On Meridian Freight, Nordlicht Energie').waitFor();
    await page.getByRole('button', { name: 'Preview' }).click();
    await page.getByLabel('Preview of').selectOption({ label: 'Nordlicht Energie' });
    await page.frameLocator('iframe').getByText('Login of Nordlicht Energie').first().waitFor();
    expect(await findFlaws(page)).toEqual([]);
    await page.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('button', { name: 'Publish on 2 pages and notify 2 people' }).click();
    await page.getByRole('heading', { name: 'Published on 2 pages' }).waitFor();
    expect(await page.getByRole('link', { name: 'Open the notice' }).count()).toBe(2);
    expect(await listNotices()).toEqual({
      'Meridian Freight': [
        {
          subject: 'Nobody can sign in',
          affectedComponents: [{ component: { name: 'Login of Meridian Freight' }, impact: 'DEGRADED' }],
        },
      ],
      'Nordlicht Energie': [
        {
          subject: 'Nobody can sign in',
          affectedComponents: [{ component: { name: 'Login of Nordlicht Energie' }, impact: 'MAJOR_OUTAGE' }],
        },
      ],
      Quiet: [],
    });
    expect(problems).toEqual([]);
  });

  test('shows an error of one of them at its field, and writes on none', async () => {
    const before = await listNotices();
    const { page, open } = await signIn();
    await open('/new/maintenance');
    await page.getByText('Also publish on other pages').click();
    await page.getByLabel('Nordlicht Energie').check();
    await page.getByLabel('Subject').fill('Moves');
    await page.getByLabel('Ends').fill('2020-01-01T00:00');
    await page.getByRole('button', { name: 'Publish, notify nobody' }).click();
    await page.locator('[aria-invalid=true]').first().waitFor();
    expect(await page.getByLabel('Ends').getAttribute('aria-invalid')).toBe('true');
    expect(await listNotices()).toEqual(before);
  });

  test('is not offered to somebody who publishes on one page alone', async () => {
    const { page, open } = await signIn({ role: 'drafter' });
    await open('/new/incident');
    await page.locator('form').getByLabel('Page', { exact: true }).waitFor();
    expect(await page.getByText('Also publish on other pages').count()).toBe(0);
  });
});
