import { beforeEach, expect, test } from '@jest/globals';
import { headSize, leaseDeliveries, leaseSql } from '../../../src/notifications/delivery/lease-deliveries.js';
import { createPublishingPage, fanOutAll } from '../../support/ledger.js';
import { useOwnService } from '../../support/service.js';
import { withChannels } from '../../support/settings.js';

const service = useOwnService(withChannels);
let page: Awaited<ReturnType<typeof createPublishingPage>>;
beforeEach(async () => {
  await service.database.query('delete from publication');
  page = await createPublishingPage(service, {}, []);
});

const createWebhooks = async (count: number): Promise<number[]> => {
  const rows = await service.database.query<{ id: number }>(
    `insert into webhook (page_id, format, target, confirmed_at, created_at, updated_at)
     select $1, 'standard', jsonb_build_object('url', 'https://' || n || '.example'), at, at, at
     from generate_series(1, $2::integer) n, (select clock_timestamp() as at) at returning id`,
    [page.id, count],
  );
  return rows.map(({ id }) => id);
};
/** As many messages as these to each webhook that have waited for a long time, all of one publication. */
const queueMessages = (count: number) =>
  service.database.query(
    `insert into delivery (id, page_id, publication_id, notice_id, channel, recipient_key, webhook_id, address,
       message_id, created_at, queued_at, due_at)
     select -row_number() over (), d.page_id, d.publication_id, d.notice_id, d.channel, d.recipient_key || ' ' || n,
       d.webhook_id, d.address, d.message_id || n, d.created_at, d.queued_at, d.due_at
     from delivery d, generate_series(1, $1::integer) n where d.webhook_id is not null`,
    [count],
  );
const lease = (blocked: string[], limit = 32) =>
  leaseDeliveries(service.database, { worker: 'w', limit, maxRetries: 8, blocked });

test('of what waits for targets that pause, a lease reads few', async () => {
  const webhooks = await createWebhooks(20);
  await page.subscribeMany(1);
  await page.notice();
  await fanOutAll(service.database);
  await queueMessages(500);
  await service.database.query('analyze delivery');
  const blocked = webhooks.map(id => `webhook:${id}`);
  expect(await countReadRows(blocked)).toBeLessThan(3 * headSize);
  expect(await countReadRows(['webhook'])).toBeLessThan(headSize);
  expect((await lease(blocked)).leased.map(({ channel }) => channel)).toEqual(['email']);
});

test('behind thousands of messages to a webhook that pauses, those to others are sent, the oldest first', async () => {
  const [paused, ...others] = await createWebhooks(3);
  await page.notice();
  await fanOutAll(service.database);
  await queueMessages(headSize);
  await service.database.query(`update delivery set state = 'sent' where webhook_id <> $1 and id < 0`, [paused]);
  const blocked = [`webhook:${paused}`];
  expect((await lease(blocked, 1)).leased.map(({ webhookId }) => webhookId)).toEqual([others[0]]);
  expect((await lease(blocked)).leased.map(({ webhookId }) => webhookId)).toEqual([others[1]]);
  expect((await lease(blocked)).leased).toEqual([]);
  expect((await lease([], 1)).leased.map(({ webhookId }) => webhookId)).toEqual([paused]);
});

interface PlanStep {
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Relation Name'?: string;
  Plans?: PlanStep[];
}

/** The rows of deliveries that a lease reads, those removed by filters included. */
async function countReadRows(blocked: string[]): Promise<number> {
  const picking = leaseSql.slice(0, leaseSql.lastIndexOf('update delivery d set'));
  const [plan] = await service.database.query<{ 'QUERY PLAN': [{ Plan: PlanStep }] }>(
    `explain (analyze, timing off, format json) ${picking} select from checked where $1 <> ''`,
    ['w', 32, 8, blocked, [], []],
  );
  const countRows = (step: PlanStep): number => {
    const ofStep = (step['Actual Rows'] + (step['Rows Removed by Filter'] ?? 0)) * step['Actual Loops'];
    return (step.Plans ?? []).reduce(
      (sum, child) => sum + countRows(child),
      step['Relation Name'] === 'delivery' ? ofStep : 0,
    );
  };
  return countRows(plan!['QUERY PLAN'][0].Plan);
}
