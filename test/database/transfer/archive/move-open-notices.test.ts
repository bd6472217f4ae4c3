import { beforeAll, expect, test } from '@jest/globals';
import { writeAs } from '../../../../src/cli/access-commands.js';
import { movePage } from '../../../../src/transfer/page-move/move-page.js';
import { Target } from '../../../../src/transfer/page-move/target.js';
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
