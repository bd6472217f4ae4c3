import { beforeAll, expect, test } from '@jest/globals';
import type { Locator } from 'playwright-core';
import { describeInBrowser } from '../../support/browser.js';
import { allLooks, findFlaws, findFlawsInLooks, phone, useOwnConsole } from '../../support/console.js';
import { createComponent, createPage, createSubscriber, createTemplate } from '../../support/factories.js';
import { withChannels } from '../../support/settings.js';

describeInBrowser('The form of an incident', () => {
  let pageId: string;
  const { service, signIn } = useOwnConsole(withChannels);
  beforeAll(async () => {
    const page = await createPage(service, { name: 'Meridian Freight', send_notifications_by_email: true });
    pageId = page.id;
    const billing = await createComponent(service, page.path, { name: 'Billing' });
    await createComponent(service, page.path, { name: 'Card payments', parent_id: billing.id });
    await createComponent(service, page.path, { name: 'Invoices', parent_id: billing.id });
    await createComponent(service, page.path, { name: 'Tracking' });
    await createSubscriber(service, page.path);
    await createTemplate(service, page.path, { name: 'Region', subject: 'Problems in {{region}}' });
  });
  const listSubjects = async () => {
    const { json } = await service.graphql('query($page: ID!) { notices(pageId: $page) { nodes { subject } } }', {
      page: pageId,
    });
    return (json.data.notices.nodes as { subject: string }[]).map(({ subject }) => subject);
  };

  test('has no flaws', async () => {
    const { page, problems, open } = await signIn();
    await open('/new/incident');
    await page.getByLabel('Billing').check();
    await page.getByRole('button', { name: 'Publish and notify 1 person' }).waitFor();
    await page.getByText('Who is notified, and who is not').click();
    expect(await findFlawsInLooks(page, allLooks)).toEqual([]);
    expect(problems).toEqual([]);
  });

  test('marks up what is selected in the text, which the preview shows', async () => {
    const { page, problems, open } = await signIn();
    await open('/new/incident');
    await page.getByLabel('Subject').fill('Cards are declined');
    const text = page.getByLabel('Text', { exact: true });
    await text.fill('We look into it');
    await text.selectText();
    await page.getByRole('toolbar', { name: 'Formatting' }).getByRole('button', { name: 'Bold' }).click();
    expect(await text.inputValue()).toBe('**We look into it**');
    await page.frameLocator('iframe').locator('strong', { hasText: 'We look into it' }).waitFor();
    await page.getByRole('button', { name: 'List' }).click();
    expect(await text.inputValue()).toBe('- **We look into it**');
    expect(problems).toEqual([]);
  });

  test('shows the states that follow, who is notified and what each reader will see', async () => {
    const { page, problems, open } = await signIn();
    await open('/new/incident');
    await page.getByLabel('Subject').fill('Cards are declined');
    await page.getByLabel('Card payments', { exact: true }).check();
    await page.getByText('Degraded: Card payments').first().waitFor();
    expect(await page.locator('input:indeterminate').count()).toBe(1);
    const frame = page.frameLocator('iframe');
    await frame.getByText('Cards are declined').first().waitFor();
    // Its style sheet applies, and its scripts do not.
    const padding = await frame.locator('body').evaluate('getComputedStyle(document.body).margin');
    expect(padding).toBe('0px');
    const tabs = page.getByRole('group', { name: 'Preview' });
    await tabs.getByText('E-mail').click();
    await page.getByText('[Investigating] Cards are declined').first().waitFor();
    await tabs.getByText('SMS').click();
    await page
      .getByText(/Cards are declined.*http/s)
      .first()
      .waitFor();
    for (const channel of ['Slack', 'Teams', 'Mastodon']) {
      await tabs.getByText(channel).click();
      await page
        .getByLabel('Preview')
        .getByText(/Cards are declined/)
        .first()
        .waitFor();
    }
    expect(problems).toEqual([]);
  });

  test('shows errors at their field, refuses unfilled placeholders, and empties nothing', async () => {
    const { page, open } = await signIn();
    await open('/new/incident');
    await page.getByLabel('Template').selectOption('Region');
    expect(await page.getByLabel('Subject').inputValue()).toBe('Problems in {{region}}');
    await page.getByRole('button', { name: /^Publish and notify/ }).click();
    await page.getByText('Fill in {{region}} first.').waitFor();
    expect(await page.getByLabel('Subject').getAttribute('aria-invalid')).toBe('true');
    await page.getByLabel('Subject').and(page.locator(':focus')).waitFor();
    await page.getByLabel('Subject').fill('');
    await page.getByLabel('Text').fill('x');
    await page.getByRole('button', { name: /^Publish and notify/ }).click();
    await page.getByText('Enter a subject.').waitFor();
    expect(await page.getByLabel('Text').inputValue()).toBe('x');
    expect(await listSubjects()).toEqual([]);
  });

  test('keeps what was written over a reload, and sends it once when the connection comes back', async () => {
    const { page, open } = await signIn({ viewport: phone });
    await open('/new/incident');
    await page.getByLabel('Subject').fill('Written before the reload');
    await page.reload();
    expect(await page.getByLabel('Subject').inputValue()).toBe('Written before the reload');
    // The write arrives, and its response is lost; then there is no connection at all.
    let mutations = 0;
    await page.route('**/graphql', async route => {
      if (!/^mutation/.test(route.request().postDataJSON().query.trim())) return route.continue();
      mutations += 1;
      if (mutations === 1) await route.fetch();
      return mutations < 4 ? route.abort() : route.continue();
    });
    await page.getByRole('button', { name: /^Publish and notify/ }).click();
    const lost = page.getByText('Waiting for a connection');
    await lost.waitFor();
    const { y, height } = (await lost.boundingBox())!;
    expect(y + height).toBeLessThan(phone.height);
    await page.reload();
    await page.waitForURL(/\/notices\/\d+/);
    expect(mutations).toBeGreaterThanOrEqual(4);
    expect((await listSubjects()).filter(subject => subject === 'Written before the reload')).toHaveLength(1);
    await open('/new/incident');
    expect(await page.getByLabel('Subject').inputValue()).toBe('');
  });

  test('opens the notice when the response arrives while the screen is reloaded', async () => {
    const { page, open } = await signIn({ viewport: phone });
    // Playwright evaluates nothing while a navigation is pending: the page itself logs that it has read the response.
    await page.addInitScript(`const { json } = Response.prototype;
      Response.prototype.json = async function () {
        const value = await json.call(this);
        if (value.data?.result?.publication) setTimeout(() => console.info('response read'));
        return value;
      };`);
    await open('/new/incident');
    await page.getByLabel('Subject').fill('Published during a reload');
    const written = Promise.withResolvers<void>();
    const reloading = Promise.withResolvers<void>();
    const responseRead = page.waitForEvent('console', message => message.text() === 'response read');
    await page.route('**/graphql', async route => {
      if (!/^mutation/.test(route.request().postDataJSON().query.trim())) return route.continue();
      const response = await route.fetch();
      written.resolve();
      await reloading.promise;
      return route.fulfill({ response });
    });
    await page.route('**/console/new/incident', async route => {
      reloading.resolve();
      await responseRead;
      return route.continue();
    });
    await page.getByRole('button', { name: /^Publish and notify/ }).click();
    await written.promise;
    await page.reload();
    await page.waitForURL(/\/notices\/\d+/);
    expect((await listSubjects()).filter(subject => subject === 'Published during a reload')).toHaveLength(1);
  });

  test('sends again what a busy service has refused, by itself and with the same key', async () => {
    const { page, open } = await signIn();
    await open('/new/incident');
    await page.getByLabel('Subject').fill('Sent to a busy service');
    const keys: (string | undefined)[] = [];
    const error = { message: 'The service is busy. Try again in a moment.', extensions: { code: 'UNAVAILABLE' } };
    const refusals = [{ status: 503, headers: { 'Retry-After': '1' } }, { status: 200 }];
    await page.route('**/graphql', route => {
      if (!/^mutation/.test(route.request().postDataJSON().query.trim())) return route.continue();
      const refusal = refusals[keys.length];
      keys.push(route.request().headers()['idempotency-key']);
      return refusal ? route.fulfill({ ...refusal, json: { data: null, errors: [error] } }) : route.continue();
    });
    await page.getByRole('button', { name: 'Publish, notify nobody' }).click();
    await page.waitForURL(/\/notices\/\d+/);
    expect(keys).toEqual([expect.any(String), keys[0], keys[0]]);
    expect((await listSubjects()).filter(subject => subject === 'Sent to a busy service')).toHaveLength(1);
  });

  test('says from the first moment that nobody is notified, where nobody is', async () => {
    const { id } = await createPage(service, { name: 'Without subscribers', send_notifications_by_email: true });
    const { page, problems, open } = await signIn({ viewport: phone });
    await open(`/new/incident?page=${id}`);
    await page.getByLabel('Subject').fill('Nobody hears of this');
    await page.getByText('Who is notified, and who is not').click();
    await page.getByText('Nobody.', { exact: true }).waitFor();
    await page.getByRole('button', { name: /^Publish and/ }).waitFor({ state: 'detached' });
    expect(await page.getByText('all subscribers are notified').count()).toBe(0);
    await page.getByRole('button', { name: 'Publish, notify nobody' }).click();
    const progress = page.getByRole('region', { name: 'Notifications' });
    expect(await progress.getByRole('heading').textContent()).toBe('Published. Nobody is notified.');
    expect(await progress.getByRole('button').count()).toBe(0);
    expect(problems).toEqual([]);
  });

  test('promises the next update of a new incident, also by a saved draft', async () => {
    const { page, problems, open } = await signIn({ viewport: phone });
    const minutesUntil = (time: string) => Math.round((Date.parse(time) - Date.now()) / 60_000);
    await open('/new/incident');
    await page.getByLabel('Subject').fill('With a promise');
    await page.getByText('1 h', { exact: true }).click();
    await page.getByText('The page says that the next update comes by').waitFor();
    expect(await findFlaws(page)).toEqual([]);
    await page.getByRole('button', { name: 'Save as a draft' }).click();
    await page.waitForURL(/draft=\d+/);
    expect(await page.getByRole('radio', { name: 'Choose a time' }).isChecked()).toBe(true);
    await page.getByRole('button', { name: 'Publish, notify nobody' }).click();
    await page.getByText('Next update due by').waitFor();
    const query = 'query($page: ID!) { notices(pageId: $page, first: 1) { nodes { subject nextUpdateBy } } }';
    const { json } = await service.graphql(query, { page: pageId });
    const [notice] = json.data.notices.nodes as { subject: string; nextUpdateBy: string }[];
    expect(notice!.subject).toBe('With a promise');
    expect(Math.abs(minutesUntil(notice!.nextUpdateBy) - 60)).toBeLessThan(5);
    expect(problems).toEqual([]);
  });

  test('says so where a proxy has refused it, and keeps the form', async () => {
    const { page, open } = await signIn();
    await open('/new/incident');
    await page.getByLabel('Subject').fill('Too large for a proxy');
    await page.route('**/graphql', route =>
      /^mutation/.test(route.request().postDataJSON().query.trim())
        ? route.fulfill({ status: 413, contentType: 'text/html', body: '<h1>Request Entity Too Large</h1>' })
        : route.continue(),
    );
    await page.getByRole('button', { name: 'Publish, notify nobody' }).click();
    await page.getByText('The request was refused with status 413.').waitFor();
    expect(await page.getByLabel('Subject').inputValue()).toBe('Too large for a proxy');
    await page.unroute('**/graphql');
    await page.getByRole('button', { name: 'Publish, notify nobody' }).click();
    await page.waitForURL(/\/notices\/\d+/);
  });

  test('leaves out a component that was deleted since, and takes out one that a template names with its parts', async () => {
    const other = await createPage(service, { name: 'Nordlicht Energie' });
    const [gone, parent] = await Promise.all(
      ['Meters', 'Billing'].map(name => createComponent(service, other.path, { name })),
    );
    await createComponent(service, other.path, { name: 'Invoices', parent_id: parent!.id });
    const input = { name: 'Billing', subject: 'Billing', componentIds: [String(parent!.id)] };
    const create = `mutation($page: ID!, $input: CreateNoticeTemplateInput!) {
      createNoticeTemplate(pageId: $page, input: $input) { userErrors { message } } }`;
    await service.graphql(create, { page: other.id, input });
    const { page, open } = await signIn({ role: 'publisher', pageIds: [other.id] });
    await open('/new/incident');
    await page.getByLabel('Template').selectOption('Billing');
    const billing = page.getByRole('checkbox', { name: 'Billing' });
    expect(await billing.isChecked()).toBe(true);
    await billing.uncheck();
    await page.getByLabel('Meters').check();
    await service.call('DELETE', `${other.path}/components/${gone!.id}`);
    await page.reload();
    // What is chosen is compared with the components when they have been read.
    await billing.waitFor();
    await page.getByRole('button', { name: 'Publish, notify nobody' }).click();
    await page.waitForURL(/\/notices\/\d+/);
    const query =
      'query($page: ID!) { notices(pageId: $page) { nodes { affectedComponents { component { name } } } } }';
    const { json } = await service.graphql(query, { page: other.id });
    expect(json.data.notices.nodes).toEqual([{ affectedComponents: [] }]);
  });

  test('keeps the form where the components cannot be loaded', async () => {
    const { page, open } = await signIn();
    await page.route('**/graphql', route =>
      /query PickComponents/.test(route.request().postDataJSON().query) ? route.abort() : route.continue(),
    );
    await open('/new/incident');
    await page.getByLabel('Subject').fill('Without components');
    await page.getByText('This could not be loaded.').waitFor();
    expect(await page.getByLabel('Subject').inputValue()).toBe('Without components');
    await page.unroute('**/graphql');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByLabel('Card payments', { exact: true }).waitFor();
  });

  test('publishes without a notification by the other button, and by the keys with one', async () => {
    const { page, open } = await signIn();
    const lastPublications = async () => {
      const { json } = await service.graphql(
        'query($page: ID!) { publications(pageId: $page) { nodes { subject } } }',
        { page: pageId },
      );
      return (json.data.publications.nodes as { subject: string }[]).map(({ subject }) => subject);
    };
    await open('/new/incident');
    await page.getByLabel('Subject').fill('In silence');
    await page.getByRole('button', { name: 'Publish, notify nobody' }).click();
    await page.waitForURL(/\/notices\/\d+$/);
    expect(await lastPublications()).not.toContain('In silence');
    await open('/new/incident');
    await page.getByLabel('Subject').fill('By the keys');
    await page.getByLabel('Text').press('Control+Enter');
    await page.waitForURL(/\/notices\/\d+\?publication=\d+$/);
    expect(await lastPublications()).toContain('By the keys');
  });

  test('lets a drafter preview, and not publish', async () => {
    const { page, open } = await signIn({ role: 'drafter' });
    await open('/new/incident');
    await page.getByText('A publisher reviews and publishes them').waitFor();
    expect(await page.getByRole('button', { name: /^Publish/ }).count()).toBe(0);
  });

  test('schedules maintenance, with the times in three zones', async () => {
    const { page, open } = await signIn({ viewport: phone });
    await open('/new/maintenance');
    await page.getByLabel('Subject').fill('Invoices move');
    await page.getByLabel('Begins').fill('2026-12-20T22:00');
    await page.getByText('Sun 20 Dec, 21:00').first().waitFor();
    expect(await findFlaws(page)).toEqual([]);
    await page.getByRole('button', { name: /^Publish, notify nobody/ }).click();
    await page.waitForURL(/\/notices\/\d+/);
    await page.getByText(/Sun 20 Dec, 22:00 to Sun 20 Dec, 23:00/).waitFor();
  });

  test('warns of a change of the clocks in the window, and takes reminder and automation as they are chosen', async () => {
    const berlin = await createPage(service, { name: 'Nordlicht Energie', timezone: 'Berlin' });
    const { page, open } = await signIn({ role: 'publisher', pageIds: [berlin.id] });
    await open('/new/maintenance');
    await page.getByLabel('Subject').fill('Meters are replaced');
    await page.getByLabel('Begins').fill('2027-03-28T01:30');
    await page.getByLabel('Ends').fill('2027-03-28T04:30');
    await page.getByText(/clocks/).waitFor();
    await page.getByText('Takes 2 h.').waitFor();
    const top = async (element: Locator) => (await element.boundingBox())!.y;
    expect(await top(page.getByText(/clocks/))).toBeLessThan(await top(page.getByLabel('Reminder')));
    await page.getByLabel('Reminder').selectOption('Three days before');
    await page.getByLabel('Begin and complete automatically at these times').uncheck();
    await page.getByRole('button', { name: 'Publish, notify nobody' }).click();
    await page.waitForURL(/\/notices\/\d+/);
    const query = `query($page: ID!) { notices(pageId: $page) { nodes {
      ... on PlannedNotice { beginsAt endsAt reminder shouldAutomateSchedule } } } }`;
    const { json } = await service.graphql(query, { page: berlin.id });
    expect(json.data.notices.nodes).toEqual([
      {
        beginsAt: '2027-03-28T00:30:00.000Z',
        endsAt: '2027-03-28T02:30:00.000Z',
        reminder: 'THREE_DAYS',
        shouldAutomateSchedule: false,
      },
    ]);
  });
});
