import { beforeAll, expect, test } from '@jest/globals';
import { writeAs } from '../../../../src/cli/access-commands.js';
import { movePage } from '../../../../src/transfer/page-move/move-page.js';
import { Target } from '../../../../src/transfer/page-move/target.js';
import { createTemplate } from '../../../support/factories.js';
import { createPublishingPage, fanOutAll } from '../../../support/ledger.js';
import { rememberKeys } from '../../../support/remember-keys.js';
import { type TestService, useOwnService, useService } from '../../../support/service.js';
import { withChannels } from '../../../support/settings.js';
import { createToken } from '../../../support/tokens.js';

rememberKeys();
const origin = useService();
const there = useOwnService({ ...withChannels, publicUrl: 'https://there.example' });
let token = '';
beforeAll(async () => {
  token = await createToken(there.database, 'owner', { role: 'owner' });
  // Updates that are posted there must not have ids of those that come later.
  await there.database.query("select setval('notice_update_id_seq', 1000000)");
});

const move = (pageId: string) =>
  movePage(origin.database, writeAs(origin.database, 'movePage'), {
    pageId,
    settings: origin.settings,
    isDryRun: false,
    maxWaitMs: 0,
    target: new Target({ url: there.url, token, fetch, presenceIntervalMs: 10 }),
  });

/** As if the worker had sent them. */
async function sendAll({ database }: TestService) {
  await fanOutAll(database);
  await database.query("update delivery set state = 'sent', sent_at = clock_timestamp() where state = 'pending'");
}

const readSent = ({ database }: TestService, pageId: string) =>
  database.query<{ event: string; channel: string }>(
    `select p.event, d.channel from delivery d join publication p on p.id = d.publication_id
     where d.page_id = $1 and d.state = 'sent' order by d.id`,
    [pageId],
  );

const window = { begins_at: '2099-01-01T00:00:00Z', ends_at: '2099-01-01T01:00:00Z' };
test.each([
  ['an incident', {}, null],
  ['an announcement', { type: 'general' }, null],
  ['a maintenance that is scheduled', { type: 'planned', ...window }, null],
  ['a maintenance that is underway', { type: 'planned', ...window }, 'underway'],
])('the next message about %s that was announced before its page moved is an update', async (_, values, state) => {
  const page = await createPublishingPage(origin, {}, []);
  await page.subscribe('ada@example.com');
  await page.subscribe('+4915112345678');
  const notice = await page.notice(values);
  const path = `${page.path}/notices/${notice}`;
  if (state) await origin.patch(path, { state, should_publish: true });
  await sendAll(origin);
  await move(page.id);
  await there.post(`${path}/updates`, { content: 'We look.', should_publish: true });
  await sendAll(there);
  expect(await readSent(there, page.id)).toEqual([{ event: 'updated', channel: 'email' }]);
});

test('the first message about an incident that was not announced before its page moved opens it', async () => {
  const page = await createPublishingPage(origin, {}, []);
  await page.subscribe('ada@example.com');
  const notice = await page.notice({ should_publish: false });
  await move(page.id);
  await there.post(`${page.path}/notices/${notice}/updates`, { content: 'We look.', should_publish: true });
  await sendAll(there);
  expect(await readSent(there, page.id)).toEqual([{ event: 'opened', channel: 'email' }]);
});

test('who was notified of the beginning before a page moved is notified of the end of other components', async () => {
  const page = await createPublishingPage(origin, {}, []);
  const [one, other] = [await page.component('A'), await page.component('B')];
  await page.subscribe('ada@example.com', [one]);
  await page.subscribe('bob@example.com', [await page.component('C')]);
  const notice = await page.notice({ component_ids: [one] });
  await sendAll(origin);
  const path = `${page.path}/notices/${notice}`;
  await origin.patch(path, { component_ids: [other], should_publish: false });
  await move(page.id);
  await there.patch(path, { state: 'resolved', should_publish: true });
  await sendAll(there);
  expect(await readSent(there, page.id)).toEqual([{ event: 'closed', channel: 'email' }]);
});

/** A source whose rule publishes, and how to send it an alert. */
async function createPublishingSource(page: Awaited<ReturnType<typeof createPublishingPage>>) {
  const template = await createTemplate(origin, page.path, {
    name: 'Outage',
    subject: 'The shop is down',
    content: 'x',
  });
  const { json } = await origin.graphql(
    `mutation ($page: ID!, $rules: [AlertRuleInput!]) {
       createAlertSource(pageId: $page, input: { name: "Monitor", rules: $rules }) { hookUrl userErrors { message } } }`,
    { page: page.id, rules: [{ action: 'PUBLISH', templateId: String(template.id), shouldResolve: true }] },
  );
  const startsAt = new Date().toISOString();
  return async (service: TestService, status: string) => {
    const body = { alerts: [{ title: 'The shop does not answer', status, fingerprint: 'f', startsAt }] };
    return (
      await service.post(new URL(json.data.createAlertSource.hookUrl).pathname, body, { token: null })
    ).text.trim();
  };
}

const readStates = ({ database }: TestService, pageId: string) =>
  database.query('select state from notice where page_id = $1 order by id', [pageId]);

test('an alert that is sent again after its page moved opens no second incident, and its end resolves the first', async () => {
  const page = await createPublishingPage(origin, {}, []);
  const send = await createPublishingSource(page);
  expect(await send(origin, 'firing')).toBe('alerts: 1, published: 1');
  await sendAll(origin);
  await move(page.id);
  expect(await send(there, 'firing')).toBe('alerts: 1');
  expect(await readStates(there, page.id)).toEqual([{ state: 'investigating' }]);
  expect(await send(there, 'resolved')).toBe('alerts: 1, published: 1');
  expect(await readStates(there, page.id)).toEqual([{ state: 'resolved' }]);
});

test('an alert that still fires after its incident was closed opens none after its page moved', async () => {
  const page = await createPublishingPage(origin, {}, []);
  const send = await createPublishingSource(page);
  await send(origin, 'firing');
  await origin.database.query(`update notice set state = 'resolved', ended_at = clock_timestamp() where page_id = $1`, [
    page.id,
  ]);
  await sendAll(origin);
  await move(page.id);
  expect(await send(there, 'firing')).toBe('alerts: 1');
  expect(await readStates(there, page.id)).toEqual([{ state: 'resolved' }]);
});
