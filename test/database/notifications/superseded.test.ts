import { beforeEach, expect, test } from '@jest/globals';
import { recordOutcomes } from '../../../src/notifications/delivery/record-outcomes.js';
import { createPublishingPage, fanOutAll, leaseAll } from '../../support/ledger.js';
import { useOwnService } from '../../support/service.js';
import { withChannels } from '../../support/settings.js';

const service = useOwnService(withChannels);
let page: Awaited<ReturnType<typeof createPublishingPage>>;
beforeEach(async () => {
  await service.database.query('delete from publication');
  page = await createPublishingPage(service, {}, []);
});

const fanOut = () => fanOutAll(service.database);
const lastUpdate = async () =>
  (await service.database.query<{ id: number }>('select max(id) as id from notice_update'))[0]!.id;

async function lease(): Promise<string[]> {
  const ids = (await leaseAll(service.database)).map(({ id }) => id);
  const rows = await service.database.query<{ name: string }>(
    `select d.channel || ' ' || p.event as name from delivery d join publication p on p.id = d.publication_id
     where d.id = any($1::bigint[])`,
    [ids],
  );
  return rows.map(({ name }) => name);
}

/** A maintenance of which nobody was notified before it began. */
async function begin(values: object = {}) {
  const at = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();
  const window = { begins_at: at(5), ends_at: at(65) };
  const path = `${page.path}/notices/${await page.notice({ type: 'planned', ...window, should_publish: false })}`;
  const change = (state: string, more: object = { should_publish: true }) => service.patch(path, { state, ...more });
  await change('underway', { should_publish: true, ...values });
  await fanOut();
  return { path, change };
}

test('who was sent the correction of a beginning by SMS in its place is sent the cancellation', async () => {
  await page.subscribe('+4915112345678');
  const { path, change } = await begin({ additional_comment: 'Wrong.' });
  const update = await lastUpdate();
  await service.patch(`${path}/updates/${update}`, { content: 'Right.' });
  await service.graphql('mutation ($id: ID!) { notifyCorrection(id: $id) { publication { id } } }', { id: update });
  await fanOut();
  expect(await lease()).toEqual(['sms correction']);
  await service.database.query(`update delivery set state = 'sent', lease = null where state = 'sending'`);
  await change('cancelled');
  await fanOut();
  expect(await lease()).toEqual(['sms cancelled']);
});

test('a beginning is sent where the update of the end was deleted, and the maintenance goes on', async () => {
  await page.subscribe('one@example.com');
  const { path, change } = await begin();
  await change('complete', { additional_comment: 'Done.', should_publish: true });
  await fanOut();
  await service.delete(`${path}/updates/${await lastUpdate()}`);
  await change('underway', {});
  expect([...(await lease()), ...(await lease())]).toEqual(['email begun']);
});

test('an opening that failed is sent where the update that waits with it is deleted', async () => {
  await page.subscribe('one@example.com');
  const notice = await page.notice();
  await fanOut();
  const [opening] = await leaseAll(service.database);
  await page.update(notice, 'Typo.');
  await fanOut();
  // The mail server is away, for all messages.
  await recordOutcomes(service.database, [
    { ...opening!, outcome: 'failed', response: 'ECONNREFUSED', retrySeconds: 0, thread: null },
  ]);
  await service.delete(`${page.path}/notices/${notice}/updates/${await lastUpdate()}`);
  expect([...(await lease()), ...(await lease())]).toEqual(['email opened']);
});
