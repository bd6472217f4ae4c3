import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Locator } from 'playwright-core';
import { describeInBrowser } from '../../support/browser.js';
import { allLooks, findFlaws, findFlawsInLooks, phone, setHoldSeconds, useOwnConsole } from '../../support/console.js';
import { createComponent, createNotice, createPage, createSubscriber, createUpdate } from '../../support/factories.js';
import { parseCurl } from '../../support/guide-examples.js';
import { type MailServer, startMailServer } from '../../support/mail-server.js';
import { waitUntilEqual } from '../../support/wait-until-equal.js';

describeInBrowser('The screen of a notice', () => {
  let mailServer: MailServer;
  let meridian: { id: string; path: string };
  const { service, signIn } = useOwnConsole(async () => {
    mailServer = await startMailServer();
    return { smtpUrl: mailServer.url, mailFrom: 'status@example.com', worker: true };
  });
  beforeAll(async () => {
    meridian = await createPage(service, { name: 'Meridian Freight', send_notifications_by_email: true });
    await createSubscriber(service, meridian.path);
    await setHoldSeconds(service, meridian.id, 0);
  });
  afterAll(() => mailServer.stop());
  const createIncident = async (subject: string) => {
    const notice = await createNotice(service, meridian.path, { subject });
    await createUpdate(service, notice.path, { content: 'We **look** into it.', should_publish: false });
    return { id: notice.id, path: notice.path, screen: `/pages/${meridian.id}/notices/${notice.id}` };
  };

  test('has no flaws', async () => {
    const { screen } = await createIncident('Flawless');
    const { page, problems, open } = await signIn();
    await open(screen);
    await page.getByText('Identified', { exact: true }).click();
    await page.getByRole('button', { name: 'Publish and notify 1 person' }).waitFor();
    expect(await findFlawsInLooks(page, allLooks)).toEqual([]);
    expect(problems).toEqual([]);
  });

  test('moves to the next state with a text that can be sent, and follows the messages to the end', async () => {
    const { screen } = await createIncident('Next state');
    const { page, open } = await signIn();
    await open(screen);
    await page.getByText('Resolved', { exact: true }).click();
    expect(await page.getByLabel('Text').inputValue()).toBe('This is resolved.');
    await page.getByRole('button', { name: 'Publish and notify 1 person' }).click();
    await page.getByText('Done: 1 of 1 sent').waitFor();
    await page.locator('ol').getByText('This is resolved.').waitFor();
    await page
      .locator('ol')
      .getByText(/^by owner-/)
      .waitFor();
    expect(mailServer.mails.some(({ raw }) => raw.includes('Next state'))).toBe(true);
  });

  test('is taken by one press, and handed over', async () => {
    const { screen } = await createIncident('Without an owner');
    const { page, open } = await signIn();
    await open(screen);
    await page.getByRole('button', { name: 'Take it' }).click();
    await page.getByRole('button', { name: 'Take it' }).waitFor({ state: 'detached' });
    expect(await findFlaws(page)).toEqual([]);
    await page.getByLabel('Owner').selectOption('Nobody');
    await page.getByRole('button', { name: 'Take it' }).waitFor();
  });

  test('shows at once what another person writes', async () => {
    const { screen, path } = await createIncident('Two people');
    const { page, open } = await signIn();
    await open(screen);
    await createUpdate(service, path, { content: 'Written by somebody else.', should_publish: false });
    await page.getByText('Written by somebody else.').waitFor({ timeout: 10_000 });
  });

  test('says beside the buttons what somebody else has posted since the text was begun', async () => {
    const { screen, path } = await createIncident('Two authors');
    const { page, open } = await signIn();
    await open(screen);
    const text = page.getByLabel('Text', { exact: true });
    await text.fill('Mine, as the first.');
    await page.getByRole('button', { name: 'Publish, notify nobody' }).click();
    await page.locator('ol').getByText('Mine, as the first.').waitFor();
    await text.fill('Mine.');
    await page.getByRole('button', { name: 'Publish and notify 1 person' }).waitFor();
    const warning = page.getByRole('alert').filter({ hasText: 'since you began to write' });
    expect(await warning.count()).toBe(0);
    await createUpdate(service, path, { content: 'Theirs meanwhile.', should_publish: false });
    await warning.getByText('Theirs meanwhile.').waitFor({ timeout: 10_000 });
    expect(await findFlaws(page)).toEqual([]);
  });

  test('keeps the edit of an update over a reload, and shows both texts where somebody else has edited it', async () => {
    const { screen, path } = await createIncident('Edited by two');
    const { id } = await createUpdate(service, path, { content: 'As it was.', should_publish: false });
    const { page, open } = await signIn();
    await open(screen);
    const edit = page.getByRole('button', { name: 'Edit the text' }).first();
    const text = page.locator('ol').getByLabel('Text');
    await edit.click();
    await text.fill('Mine.');
    await page.reload();
    await edit.click();
    expect(await text.inputValue()).toBe('Mine.');
    await service.patch(`${path}/updates/${id}`, { content: 'Theirs.' });
    const versions = page.getByRole('alert').filter({ hasText: 'these are both versions' });
    await versions.getByText('Theirs.', { exact: true }).waitFor();
    expect(await findFlaws(page)).toEqual([]);
    await page.getByRole('button', { name: 'Save mine anyway' }).click();
    await text.waitFor({ state: 'detached' });
    await page.locator('ol').getByText('Mine.', { exact: true }).waitFor();
  });

  test('resolves for some components, and stays open for those that are still affected', async () => {
    const cards = await createComponent(service, meridian.path, { name: 'Cards' });
    const invoices = await createComponent(service, meridian.path, { name: 'Invoices' });
    const notice = await createNotice(service, meridian.path, {
      subject: 'Partly',
      component_ids: [cards.id, invoices.id],
    });
    const { page, open } = await signIn({ viewport: phone });
    await open(`/pages/${meridian.id}/notices/${notice.id}`);
    await page.getByText('Resolved', { exact: true }).click();
    expect(await page.getByLabel('Text').inputValue()).toBe('This is resolved.');
    await page.getByLabel('Invoices').check();
    expect(await page.getByLabel('Text').inputValue()).toBe('This is resolved for Cards. Invoices is still affected.');
    expect(await findFlaws(page)).toEqual([]);
    await page.getByRole('button', { name: 'Publish, notify nobody' }).click();
    await page.locator('ol').getByText('This is resolved for Cards.').waitFor();
    const query = `query($id: ID!) { notice(id: $id) { state affectedComponents { component { name state } } } }`;
    const { json } = await service.graphql(query, { id: String(notice.id) });
    expect(json.data.notice).toEqual({
      state: 'INVESTIGATING',
      affectedComponents: [
        { component: { name: 'Cards', state: 'OPERATIONAL' } },
        { component: { name: 'Invoices', state: 'DEGRADED' } },
      ],
    });
    await page.getByText('Cards (operational), Invoices (degraded)').waitFor();
    await page.getByText('Resolved', { exact: true }).click();
    expect(await page.getByLabel('Cards').count()).toBe(0);
  });

  test('extends a maintenance in progress, and completes it in one tap', async () => {
    const [begin, end] = [-1, 1].map(hours => new Date(Date.now() + hours * 3_600_000).toISOString());
    const notice = await createNotice(service, meridian.path, {
      subject: 'Moves',
      type: 'planned',
      state: 'underway',
      begins_at: begin,
      ends_at: end,
    });
    const read = async () => {
      const query = 'query($id: ID!) { notice(id: $id) { state ... on PlannedNotice { endsAt } } }';
      return (await service.graphql(query, { id: String(notice.id) })).json.data.notice;
    };
    const { endsAt } = await read();
    const { page, open } = await signIn({ viewport: phone });
    await open(`/pages/${meridian.id}/notices/${notice.id}`);
    await page.getByText('1 h longer').click();
    expect(await page.getByLabel('Text').inputValue()).toMatch(/takes longer than planned/);
    await page.getByRole('button', { name: 'Publish, notify nobody' }).click();
    await page.locator('ol').getByText('takes longer than planned').waitFor();
    expect(Date.parse((await read()).endsAt) - Date.parse(endsAt)).toBe(3_600_000);
    await page.getByText('Complete', { exact: true }).click();
    await page.getByRole('button', { name: 'Publish, notify nobody' }).click();
    await page.locator('ol').getByText('The maintenance is complete.').waitFor();
    expect((await read()).state).toBe('COMPLETE');
  });

  test('says what a form sends, as GraphQL and as a command that works', async () => {
    const { screen, id } = await createIncident('For a script');
    const { page, open } = await signIn();
    await open(screen);
    await page.getByLabel('Text').fill(`It's "quoted", with $HOME and a  in it.`);
    await page.getByText('Use in a script').click();
    await page.getByRole('button', { name: 'GraphQL' }).click();
    await page.getByText('mutation PostUpdate').waitFor();
    await page.getByRole('button', { name: 'curl' }).click();
    const command = (await page.locator('pre').textContent())!;
    expect(command).not.toContain('previewHash":');
    const { origin } = new URL(page.url());
    const { url, body, headers } = parseCurl(command, { ALL_CLEAR_TOKEN: service.tokens.write }, origin);
    const response = (await (await fetch(`${origin}${url}`, { method: 'POST', body, headers })).json()) as {
      data: { result: { userErrors: unknown[] } };
    };
    expect(response.data.result.userErrors).toEqual([]);
    const query = 'query($id: ID!) { notice(id: $id) { latestUpdate { content } } }';
    const { json } = await service.graphql(query, { id: String(id) });
    expect(json.data.notice.latestUpdate.content).toBe(`It's "quoted", with $HOME and a  in it.`);
  });

  test('leads from a publication to its deliveries', async () => {
    const other = await createNotice(service, meridian.path, { subject: 'Another', should_publish: true });
    const notice = await createNotice(service, meridian.path, { subject: 'This one', should_publish: true });
    expect(other.id).not.toBe(notice.id);
    const { page, open } = await signIn();
    await open(`/pages/${meridian.id}/notices/${notice.id}`);
    await page.getByRole('link', { name: /^Opened/ }).click();
    await page.getByText('These belong to one publication.').waitFor();
    await page.getByRole('link', { name: 'This one' }).waitFor();
    expect(await page.getByRole('link', { name: 'Another' }).count()).toBe(0);
  });

  test('edits the subject; a change by another person is shown, and neither is lost', async () => {
    const { screen, id } = await createIncident('First subject');
    const { page, open } = await signIn();
    await open(screen);
    await page.keyboard.press('e');
    await page.getByLabel('Subject').fill('Mine');
    await service.graphql(
      'mutation($id: ID!) { updateNotice(id: $id, input: { subject: "Theirs", shouldPublish: false }) { notice { id } } }',
      { id: String(id) },
    );
    await page.getByRole('button', { name: 'Save' }).click();
    const versions = page.getByRole('alert').filter({ hasText: 'these are both versions' });
    await versions.getByText('Theirs', { exact: true }).waitFor();
    await versions.getByText('Mine', { exact: true }).waitFor();
    expect(await findFlaws(page)).toEqual([]);
    expect(await page.getByLabel('Subject').inputValue()).toBe('Mine');
    await page.getByRole('button', { name: 'Save mine anyway' }).click();
    await page.getByRole('heading', { name: 'Mine' }).waitFor();
  });

  test('edits what was said, and formats it as the page does', async () => {
    const { screen } = await createIncident('A word');
    const { page, open } = await signIn();
    await open(screen);
    expect(await page.locator('ol strong').first().textContent()).toBe('look');
    await page.getByRole('button', { name: 'Edit the text' }).click();
    await page.locator('ol').getByLabel('Text').fill('We found it.');
    await page.getByRole('button', { name: 'Save the text' }).click();
    await page.locator('ol').getByText('We found it.').waitFor();
  });

  test('sets the deadline of the next update, which the situation shows in red once it is due', async () => {
    const { screen, id } = await createIncident('Promised');
    const { page, open } = await signIn({ viewport: phone });
    await open(screen);
    await page.getByText('Identified', { exact: true }).click();
    await page.getByText('Choose a time', { exact: true }).click();
    await page.getByLabel('Time (your time zone)').waitFor();
    await page.getByText('2 h', { exact: true }).click();
    await page.getByText('The page says that the next update comes by').waitFor();
    expect(await findFlaws(page)).toEqual([]);
    await page.getByRole('button', { name: 'Publish, notify nobody' }).click();
    await page.getByText('Next update due by').waitFor();
    const query = 'query($id: ID!) { notice(id: $id) { nextUpdateBy } }';
    const { json } = await service.graphql(query, { id: String(id) });
    const minutes = (Date.parse(json.data.notice.nextUpdateBy) - Date.now()) / 60_000;
    expect(Math.round(minutes / 5) * 5).toBe(120);
    await service.database.query(
      `update notice set next_update_by = clock_timestamp() - interval '3 minutes' where id = $1`,
      [id],
    );
    await open('/');
    const row = page.getByRole('link', { name: /Promised/ });
    expect(await row.textContent()).toMatch(/due \d min ago/);
    expect(await row.locator('[class*=red]').count()).toBe(1);
  });

  test('shows what an edited update said, and sends a correction to those who had it', async () => {
    const { screen, path } = await createIncident('Mistaken');
    await createUpdate(service, path, { content: 'All is *lost*.' });
    const sent = () => mailServer.mails.filter(({ raw }) => raw.includes('Mistaken')).length;
    await waitUntilEqual(async () => sent(), 1);
    const { page, problems, open } = await signIn({ viewport: phone });
    await open(screen);
    await page.getByRole('button', { name: 'Edit the text' }).first().click();
    await page.locator('ol').getByLabel('Text').fill('Nothing is lost.');
    await page.getByRole('button', { name: 'Save the text' }).click();
    await page.getByText('Edited now').click();
    expect(await page.locator('ol details').textContent()).toContain('All is lost.');
    await page.getByRole('button', { name: 'Send a correction to 1 person sent the wrong text' }).click();
    await page.getByText('[Correction] Mistaken').waitFor();
    expect(await findFlaws(page)).toEqual([]);
    await page.getByRole('button', { name: 'Send the correction to 1 person' }).click();
    await page.getByText('Done: 1 of 1 sent').waitFor();
    await page.getByRole('button', { name: /Send a correction/ }).waitFor({ state: 'hidden' });
    expect(mailServer.mails.at(-1)!.raw).toContain('Correction: Mistaken');
    expect(problems).toEqual([]);
  });

  test('corrects a wrong component, and notifies those concerned, in at most 6 taps', async () => {
    const wrong = await createComponent(service, meridian.path, { name: 'Checkout' });
    const right = await createComponent(service, meridian.path, { name: 'Card payments' });
    await createSubscriber(service, meridian.path, { email: 'grace@acme.example', component_ids: [right.id] });
    const notice = await createNotice(service, meridian.path, {
      subject: 'Misnamed',
      component_ids: [wrong.id],
      should_publish: true,
    });
    const sent = () => mailServer.mails.filter(({ raw }) => raw.includes('Misnamed')).length;
    await waitUntilEqual(async () => sent(), 1);
    const { page, problems, open } = await signIn({ viewport: phone });
    await open(`/pages/${meridian.id}/notices/${notice.id}`);
    let taps = 0;
    const tap = async (target: Locator) => {
      taps += 1;
      await target.click();
    };
    await tap(page.getByRole('button', { name: 'Edit', exact: true }));
    await tap(page.getByRole('checkbox', { name: 'Checkout' }));
    await tap(page.getByRole('checkbox', { name: 'Card payments' }));
    await tap(page.getByRole('button', { name: 'Save', exact: true }));
    await tap(page.getByRole('button', { name: 'Send a correction of the components to 2 people' }));
    await page.getByText('[Correction] Misnamed').waitFor();
    expect(await findFlaws(page)).toEqual([]);
    await tap(page.getByRole('button', { name: 'Send the correction to 2 people' }));
    await page.getByText('Done: 2 of 2 sent').waitFor();
    expect(taps).toBeLessThanOrEqual(6);
    await page.getByRole('button', { name: /Send a correction/ }).waitFor({ state: 'hidden' });
    expect(mailServer.mails.at(-1)!.raw).toContain('Not affected: Checkout');
    expect(problems).toEqual([]);
    await service.database.query(`delete from subscriber where email = 'grace@acme.example'`);
  });

  test('shows what others have posted in the bar, and the first press publishes nothing', async () => {
    const { screen, id } = await createIncident('Overtaken');
    const { page, problems, open } = await signIn({ viewport: phone });
    await open(screen);
    await page.getByText('Identified', { exact: true }).click();
    const publish = page.getByRole('button', { name: 'Publish and notify 1 person' });
    await publish.waitFor();
    await page.getByRole('button', { name: 'Preview', exact: true }).click();
    await page.frameLocator('iframe').getByText('We have found the cause').first().waitFor();
    expect(await findFlaws(page)).toEqual([]);
    await page.getByRole('button', { name: 'Close' }).click();

    await service.graphql(
      'mutation($id: ID!, $input: UpdateNoticeInput!) { updateNotice(id: $id, input: $input) { notice { id } } }',
      { id, input: { state: 'RECOVERING', content: 'It is getting better.', shouldPublish: false } },
    );
    const bar = page.locator('[class*=buttons]').filter({ hasText: 'Somebody else has posted an update' });
    await bar.getByText('Recovering').waitFor();
    expect(await publish.count()).toBe(0);
    expect(await findFlaws(page)).toEqual([]);
    await page.getByRole('button', { name: 'Show the new update' }).dblclick();
    await publish.waitFor();
    expect(await bar.getByText('It is getting better.').isVisible()).toBe(true);
    expect(await page.locator('ol').getByText('We have found the cause').count()).toBe(0);
    await publish.click();
    await page.locator('ol').getByText('We have found the cause').waitFor();
    expect(problems).toEqual([]);
  });

  test('lets a viewer read, and nothing else', async () => {
    const { screen } = await createIncident('Only read');
    const { page, open } = await signIn({ role: 'viewer' });
    await open(screen);
    await page.locator('ol').getByText('look').waitFor();
    expect(await page.getByRole('button', { name: /Edit|Publish/ }).count()).toBe(0);
    expect(await page.getByRole('textbox').count()).toBe(0);
  });
});
