import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { createSignInCode } from '../../../src/auth/session.service.js';
import { serviceOrigin } from '../../../src/db/audit.js';
import { leaseDeliveries } from '../../../src/notifications/delivery/lease-deliveries.js';
import { skipSql, skipStopped } from '../../../src/notifications/delivery/skip-stopped.js';
import * as delivery from '../../../src/notifications/delivery/stop.service.js';
import { startWorker } from '../../../src/notifications/delivery/worker.js';
import { invitePerson } from '../../../src/people/person.service.js';
import { Writer } from '../../../src/records/writer.js';
import { leaseAll, createPublishingPage, type Delivery, fanOutAll } from '../../support/ledger.js';
import { createRecordingChannels, type RecordingChannels } from '../../support/recording-channels.js';
import { countRowsRead } from '../../support/rows-read.js';
import { useOwnService } from '../../support/service.js';
import { withChannels } from '../../support/settings.js';
import { waitUntil } from '../../support/wait-until-equal.js';

const origin = 'https://status.example.com';
const service = useOwnService({ ...withChannels, publicUrl: origin });
let page: Awaited<ReturnType<typeof createPublishingPage>>;
let channels: RecordingChannels;
let stopWorker: (() => Promise<void>) | undefined;
beforeEach(async () => {
  await service.database.query('delete from publication');
  page = await createPublishingPage(service, {}, []);
  channels = createRecordingChannels();
});
afterEach(async () => {
  await stopWorker?.();
  stopWorker = undefined;
});
const start = () => {
  stopWorker = startWorker(service.database, { adapters: channels.adapters, retryHours: 24 });
};

let people = 0;
async function signIn(): Promise<string> {
  const write = new Writer(service.database, { origin: serviceOrigin('command', 'test') });
  const email = `operator-${++people}@example.com`;
  const id = await write.transaction(unit => invitePerson(unit, email, 'owner', null));
  const code = await createSignInCode(service.database, id);
  const response = await service.call('POST', `/sign-in/${code}`, { token: null, headers: { origin } });
  return response.headers.get('set-cookie')!.split(';')[0]!;
}

const openIncident = `mutation ($page: ID!) {
  openIncident(pageId: $page, input: { subject: "Payments fail", shouldPublish: true }) {
    publication { id createdAt heldUntil stoppedAt } } }`;
const stopPublication = `mutation ($id: ID!) {
  stopPublication(id: $id) { sentCount sendingCount publication { stoppedAt counts { channel state count } } } }`;

async function ask(query: string, variables: object, cookie?: string) {
  const request = cookie ? { token: null, headers: { cookie, origin } } : {};
  const { json } = await service.graphql(query, { page: page.id, ...variables }, request);
  expect(json.errors).toBeUndefined();
  return json.data;
}
const publish = async (cookie?: string) => (await ask(openIncident, {}, cookie)).openIncident.publication;
const stop = async (id: string) => (await ask(stopPublication, { id })).stopPublication;

/** Copies the only publication, as often as this, without recipients. */
const publishToOthers = (count: number) =>
  service.database.query(
    `insert into publication (page_id, notice_id, update_id, notice_type, event, made_by, message_snapshot, scope,
       created_at, fanned_out_at)
     select page_id, notice_id, update_id, notice_type, event, made_by, message_snapshot, '{}', clock_timestamp(),
       clock_timestamp() from publication cross join generate_series(1, $1)`,
    [count],
  );

const waitForDeliveries = (isDone: (deliveries: Delivery[]) => boolean) =>
  waitUntil(page.deliveries, deliveries => deliveries.length > 0 && isDone(deliveries));
const statesOf = (deliveries: Delivery[]) => deliveries.map(({ state, reason }) => [state, reason]);
const stopped = ['skipped', 'stopped'];
const isSkipped = (deliveries: Delivery[]) => deliveries.every(({ state }) => state === 'skipped');

describe('a publication', () => {
  test('of a person waits as long as the page says, and one of a token does not', async () => {
    const cookie = await signIn();
    const waitOf = ({ createdAt, heldUntil }: { createdAt: string; heldUntil: string | null }) =>
      heldUntil && Date.parse(heldUntil) - Date.parse(createdAt);
    expect(waitOf(await publish(cookie))).toBe(10_000);
    expect(waitOf(await publish())).toBeNull();
    const update = `mutation ($page: ID!, $seconds: Int) {
      updatePage(id: $page, input: { holdSeconds: $seconds }) { page { holdSeconds } } }`;
    await ask(update, { seconds: 60 });
    expect(waitOf(await publish(cookie))).toBe(60_000);
    await ask(update, { seconds: 0 });
    expect(waitOf(await publish(cookie))).toBeNull();
    expect((await ask(update, { seconds: null })).updatePage.page.holdSeconds).toBe(10);
  });

  test.each([-1, 61])('cannot wait %i seconds', async seconds => {
    const { json } = await service.graphql(
      `mutation { updatePage(id: "${page.id}", input: { holdSeconds: ${seconds} }) { userErrors { path message } } }`,
    );
    expect(json.data.updatePage.userErrors).toEqual([
      { path: ['input', 'holdSeconds'], message: `\`holdSeconds\` must be from 0 to 60, not ${seconds}.` },
    ]);
  });

  test('that waits has no deliveries before its time has come', async () => {
    await page.subscribe('one@example.com');
    await publish(await signIn());
    await fanOutAll(service.database);
    expect(await page.deliveries()).toEqual([]);
    await service.database.query('update publication set held_until = now() - make_interval(secs => 1)');
    await fanOutAll(service.database);
    expect(statesOf(await page.deliveries())).toEqual([['pending', null]]);
  });

  test('is not overtaken by a later one of its notice, whose recipients are others', async () => {
    const components = [await page.component('Cards'), await page.component('Search')];
    await page.subscribe('one@example.com', [components[0]!]);
    const { id } = await publish(await signIn());
    const [{ notice } = { notice: 0 }] = await service.database.query<{ notice: number }>(
      'update publication set scope = $2 where id = $1 returning notice_id as notice',
      [id, components.slice(0, 1)],
    );
    const change = { state: 'resolved', component_ids: components.slice(1), should_publish: true };
    expect((await service.patch(`${page.path}/notices/${notice}`, change)).status).toBe(200);
    await fanOutAll(service.database);
    await service.database.query(`update publication set held_until = now() - interval '1 second' where id = $1`, [id]);
    await fanOutAll(service.database);
    const events = await service.database.query<{ event: string }>(
      `select event from delivery join publication on publication.id = publication_id where state = 'pending'`,
    );
    expect(events).toEqual([{ event: 'closed' }]);
  });
});

describe('stopPublication', () => {
  test('skips everybody while the publication waits', async () => {
    for (const name of ['one', 'two']) await page.subscribe(`${name}@example.com`);
    const { id } = await publish(await signIn());
    start();
    expect(await stop(id)).toEqual({
      sentCount: 0,
      sendingCount: 0,
      publication: { stoppedAt: expect.any(String), counts: expect.not.arrayContaining([{ state: 'SENT' }]) },
    });
    expect(statesOf(await waitForDeliveries(isSkipped))).toEqual([
      ['skipped', 'stopped'],
      ['skipped', 'stopped'],
    ]);
    expect(channels.sent).toEqual([]);
  });

  test('answers how many were sent, and none is sent after the answer', async () => {
    for (let at = 0; at < 60; at++) await page.subscribe(`n${at}@example.com`);
    let sentCount = 0;
    channels.respond = async () => {
      await new Promise(done => setTimeout(done, 10));
      sentCount += 1;
      return { kind: 'sent', response: 'ok' };
    };
    start();
    const { id } = await publish();
    await waitForDeliveries(deliveries => deliveries.some(({ state }) => state === 'sent'));
    const answer = await stop(id);
    const sentAtAnswer = channels.sent.length;
    expect(answer).toMatchObject({ sentCount: sentAtAnswer, sendingCount: 0 });
    expect(sentCount).toBe(sentAtAnswer);
    const deliveries = await waitForDeliveries(all =>
      all.every(({ state }) => state === 'sent' || state === 'skipped'),
    );
    expect(deliveries.filter(({ state }) => state === 'sent')).toHaveLength(sentAtAnswer);
    expect(channels.sent).toHaveLength(sentAtAnswer);
  });

  test('leaves what was sent, and answers the same when it is called again', async () => {
    await page.subscribe('one@example.com');
    start();
    const { id } = await publish();
    await waitForDeliveries(deliveries => deliveries.every(({ state }) => state === 'sent'));
    const first = await stop(id);
    expect(first).toMatchObject({ sentCount: 1, publication: { counts: [{ state: 'SENT', count: 1 }] } });
    expect(await stop(id)).toEqual(first);
  });

  test('skips what is to be retried', async () => {
    await page.subscribe('one@example.com');
    channels.respond = () => ({ kind: 'failed', response: '451 try later', afterSeconds: undefined });
    start();
    const { id } = await publish();
    await waitForDeliveries(deliveries => deliveries.every(({ state }) => state === 'retrying'));
    await stop(id);
    await service.database.query('update delivery set due_at = now() - make_interval(secs => 1)');
    await page.notice();
    expect((await waitForDeliveries(all => all[0]!.state === 'skipped'))[0]!.reason).toBe('stopped');
  });

  test('sends the message that the stopped one had superseded', async () => {
    await page.subscribe('one@example.com');
    const notice = await page.notice({ initial_comment: 'First.' });
    await fanOutAll(service.database);
    await page.update(notice, 'Wrong.');
    await fanOutAll(service.database);
    expect(statesOf(await page.deliveries())).toEqual([
      ['skipped', 'superseded'],
      ['pending', null],
    ]);
    const [publication] = await service.database.query<{ id: number }>('select max(id) as id from publication');
    await stop(String(publication!.id));
    start();
    const deliveries = await waitForDeliveries(([first]) => first!.state === 'sent');
    expect(statesOf(deliveries)).toEqual([
      ['sent', null],
      ['skipped', 'stopped'],
    ]);
    expect(channels.sent.map(({ snapshot }) => snapshot.text)).toEqual(['First.']);
  });

  test('says how many messages a server has not answered after the wait', async () => {
    await page.subscribe('one@example.com');
    let answer = () => {};
    const isAnswered = new Promise<void>(done => {
      answer = done;
    });
    channels.respond = async () => {
      await isAnswered;
      return { kind: 'sent', response: 'ok' };
    };
    start();
    const { id } = await publish();
    await waitForDeliveries(() => channels.sent.length === 1);
    const write = new Writer(service.database, { origin: serviceOrigin('command', 'test') });
    expect(await delivery.stopPublication(write, page.id, id, 200)).toMatchObject({ sentCount: 0, sendingCount: 1 });
    answer();
    expect(await stop(id)).toMatchObject({ sentCount: 1, sendingCount: 0 });
  });

  test('lets the next publication of the page be sent while deliveries are still to be skipped', async () => {
    for (const name of ['one', 'two', 'three']) await page.subscribe(`${name}@example.com`);
    const first = await publish();
    await fanOutAll(service.database);
    await stop(first.id);
    const next = await publish();
    await fanOutAll(service.database);
    expect(await skipStopped(service.database, 2)).toEqual({ hasMore: true, waits: false });
    const loadFirst = async () => statesOf((await page.deliveries()).slice(0, 3)).sort();
    const partlySkipped = [['pending', null], stopped, stopped];
    expect(await loadFirst()).toEqual(partlySkipped);
    const leased = await leaseAll(service.database);
    expect(leased.map(({ publicationId }) => String(publicationId))).toEqual([next.id, next.id, next.id]);
    expect(await loadFirst()).toEqual(partlySkipped);
    while ((await skipStopped(service.database, 2)).hasMore);
    expect(statesOf(await page.deliveries())).toEqual([...Array(3).fill(stopped), ...Array(3).fill(['sending', null])]);
  });

  test('skips what is created after it, and what a worker gives back', async () => {
    for (const name of ['one', 'two']) await page.subscribe(`${name}@example.com`);
    const { id } = await publish();
    const write = new Writer(service.database, { origin: serviceOrigin('command', 'test') });
    await delivery.stopPublication(write, page.id, id);
    expect(await skipStopped(service.database)).toEqual({ hasMore: false, waits: true });
    await fanOutAll(service.database);
    expect(statesOf(await page.deliveries())).toEqual([stopped, stopped]);
    while ((await skipStopped(service.database)).hasMore);
    const [given] = await page.deliveries();
    await service.database.query(`update delivery set state = 'pending', reason = null where id = $1`, [given!.id]);
    expect(await leaseAll(service.database)).toEqual([]);
    expect(statesOf(await page.deliveries())).toEqual([stopped, stopped]);
  });

  test('sends what two stopped publications had superseded, one after the other', async () => {
    await page.subscribe('one@example.com');
    const notice = await page.notice({ initial_comment: 'First.' });
    await fanOutAll(service.database);
    for (const text of ['Wrong.', 'Wrong again.']) {
      await page.update(notice, text);
      await fanOutAll(service.database);
    }
    const ids = await service.database.query<{ id: number }>('select id from publication order by id');
    for (const { id } of ids.slice(1)) await stop(String(id));
    while ((await skipStopped(service.database)).hasMore);
    expect(statesOf(await page.deliveries())).toEqual([
      ['pending', null],
      ['skipped', 'superseded'],
      ['skipped', 'stopped'],
    ]);
  });

  /** An incident with a text to correct, of which somebody gets SMS, and what changes it. */
  const openWithSms = async () => {
    await page.subscribe('+4915112345678');
    const notice = await page.notice({ initial_comment: 'Wrong.' });
    await fanOutAll(service.database);
    const change = async (path: string, values: object) => {
      await service.patch(`${page.path}/notices/${notice}${path}`, values);
      await fanOutAll(service.database);
    };
    return { notice, change };
  };

  test('sends what it had superseded, also where an earlier message was corrected in between', async () => {
    const { notice, change } = await openWithSms();
    await service.database.query(`update delivery set state = 'sent'`);
    await change('', { state: 'resolved', should_publish: true });
    const [update] = await service.database.query<{ id: number }>('select id from notice_update where notice_id = $1', [
      notice,
    ]);
    await change(`/updates/${update!.id}`, { content: 'Right.' });
    await ask('mutation ($id: ID!) { notifyCorrection(id: $id) { publication { id } } }', { id: update!.id });
    await change('', { state: 'investigating', should_publish: true });
    const ids = await service.database.query<{ id: number }>('select id from publication order by id');
    await stop(String(ids.at(-1)!.id));
    while ((await skipStopped(service.database)).hasMore);
    expect(statesOf(await page.deliveries())).toEqual([['sent', null], ['pending', null], ['pending', null], stopped]);
  });

  test('sends the correction of what it had superseded, where that was corrected meanwhile', async () => {
    const { notice, change } = await openWithSms();
    await change('', { state: 'resolved', should_publish: true });
    const [update] = await service.database.query<{ id: number }>('select id from notice_update where notice_id = $1', [
      notice,
    ]);
    await change(`/updates/${update!.id}`, { content: 'Right.' });
    await ask('mutation ($id: ID!) { notifyCorrection(id: $id) { publication { id } } }', { id: update!.id });
    await fanOutAll(service.database);
    const [, resolved, correction] = await service.database.query<{ id: number }>(
      'select id from publication order by id',
    );
    await stop(String(resolved!.id));
    while ((await skipStopped(service.database)).hasMore);
    const leased = await leaseAll(service.database);
    expect(leased.map(({ publicationId }) => publicationId)).toEqual([correction!.id]);
  });

  test('sends what an update had superseded that was corrected and deleted', async () => {
    await page.subscribe('one@example.com');
    const notice = await page.notice();
    await fanOutAll(service.database);
    const update = await page.update(notice, 'Wrong.');
    await fanOutAll(service.database);
    const path = `${page.path}/notices/${notice}/updates/${update}`;
    await service.patch(path, { content: 'Right.' });
    await ask('mutation ($id: ID!) { notifyCorrection(id: $id) { publication { id } } }', { id: update });
    await fanOutAll(service.database);
    await service.delete(path);
    expect(await leaseAll(service.database)).toEqual([]);
    expect(statesOf(await page.deliveries())).toEqual([
      ['pending', null],
      ['skipped', 'superseded'],
      ['skipped', 'update deleted'],
    ]);
  });

  test.each([
    { was: 'stopped', event: 'opened', state: undefined },
    { was: 'stopped', event: 'closed', state: 'resolved' },
    { was: 'deleted', event: 'opened', state: undefined },
    { was: 'not sent', event: 'closed', state: 'resolved' },
    { was: 'stopped after an update', event: 'opened', state: undefined },
    { was: 'stopped after an update', event: 'closed', state: 'resolved' },
    { was: 'deleted after an update', event: 'opened', state: undefined },
  ])('sends the next update by SMS where the event $event was $was', async ({ was, event, state }) => {
    await page.subscribe('+4915112345678');
    const notice = await page.notice({ initial_comment: 'Wrong.' });
    const path = `${page.path}/notices/${notice}`;
    if (state) {
      await fanOutAll(service.database);
      await service.database.query(`update delivery set state = 'sent'`);
      await service.patch(path, { state, should_publish: was !== 'not sent' });
    }
    const load = () =>
      service.database.query<{ id: number; updateId: number; event: string }>(
        'select id, update_id as "updateId", event from publication order by id desc',
      );
    const [first] = await load();
    if (was.endsWith('after an update')) await page.update(notice, 'In between.');
    if (was.startsWith('stopped')) await stop(String(first!.id));
    if (was.startsWith('deleted')) await service.delete(`${path}/updates/${first!.updateId}`);
    await page.update(notice, 'Right.');
    await fanOutAll(service.database);
    while ((await skipStopped(service.database)).hasMore);
    const [second] = await load();
    expect(second!.event).toBe(event);
    expect((await leaseAll(service.database)).map(({ publicationId }) => publicationId)).toEqual([second!.id]);
    await page.update(notice, 'News.');
    const [third] = await load();
    expect(third!.event).toBe('updated');
  });

  test.each([
    { event: 'opened', state: undefined },
    { event: 'closed', state: 'resolved' },
  ])('sends the next update by SMS where that of $event was deleted too late', async ({ event, state }) => {
    await page.subscribe('+4915112345678');
    await page.subscribe('one@example.com');
    const send = (where: string) => service.database.query(`update delivery set state = 'sent' where ${where}`);
    const notice = await page.notice({ initial_comment: 'Wrong.' });
    const path = `${page.path}/notices/${notice}`;
    await fanOutAll(service.database);
    if (state) {
      await send('true');
      await service.patch(path, { state, additional_comment: 'Wrong.', should_publish: true });
      await fanOutAll(service.database);
    }
    await send(`channel = 'email'`);
    const [wrong] = await service.database.query<{ id: number }>('select max(id) as id from notice_update');
    await service.delete(`${path}/updates/${wrong!.id}`);
    await page.update(notice, 'Right.');
    await fanOutAll(service.database);
    const [last] = await service.database.query<{ event: string }>('select event from publication order by id desc');
    expect(last).toEqual({ event });
    expect((await leaseAll(service.database)).map(({ channel }) => channel).toSorted()).toEqual(['email', 'sms']);
  });

  test('sends the end by SMS, also where the beginning that was sent was stopped, and the end not sent', async () => {
    await page.subscribe('+4915112345678');
    const notice = await page.notice();
    await fanOutAll(service.database);
    await service.database.query(`update delivery set state = 'sent'`);
    const [opened] = await service.database.query<{ id: string }>('select id::text from publication');
    await stop(opened!.id);
    await service.patch(`${page.path}/notices/${notice}`, { state: 'resolved' });
    await page.update(notice, 'It is over.');
    await fanOutAll(service.database);
    expect((await leaseAll(service.database)).map(({ channel }) => channel)).toEqual(['sms']);
  });

  test('leaves the beginning of a maintenance to be sent whose end it stopped', async () => {
    await page.subscribe('one@example.com');
    await page.subscribe('two@example.com');
    const at = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();
    const window = { begins_at: at(5), ends_at: at(65) };
    const notice = await page.notice({ type: 'planned', ...window, should_publish: false });
    const path = `${page.path}/notices/${notice}`;
    await service.patch(path, { state: 'underway', should_publish: true });
    await fanOutAll(service.database);
    await service.patch(path, { state: 'cancelled', should_publish: true });
    await service.database.query(
      `update publication set held_until = clock_timestamp() + interval '10 seconds' where event = 'cancelled'`,
    );
    await fanOutAll(service.database);
    const lease = async () =>
      (await leaseDeliveries(service.database, { worker: 'test', limit: 1, maxRetries: 1, blocked: [] })).leased.length;
    expect(await lease()).toBe(1);
    const [cancelled] = await service.database.query<{ id: number }>('select max(id) as id from publication');
    await stop(String(cancelled!.id));
    expect(await lease()).toBe(1);
  });

  test('sends what it had superseded, however many publications to others were in between', async () => {
    await page.subscribe('one@example.com');
    const notice = await page.notice({ initial_comment: 'First.' });
    await fanOutAll(service.database);
    await publishToOthers(200);
    await page.update(notice, 'Wrong.');
    await fanOutAll(service.database);
    const [{ id } = { id: 0 }] = await service.database.query<{ id: number }>('select max(id) as id from publication');
    await stop(String(id));
    while ((await skipStopped(service.database)).hasMore);
    expect(statesOf(await page.deliveries())).toEqual([['pending', null], stopped]);
  });

  test('takes fewer recipients at a time, the more publications the notice has', async () => {
    const notice = await page.notice({ initial_comment: 'First.' });
    await fanOutAll(service.database);
    await publishToOthers(1_500);
    await page.subscribeMany(60);
    await page.update(notice, 'Wrong.');
    await fanOutAll(service.database);
    await service.database.query(
      'update publication set stopped_at = clock_timestamp() where id = (select max(id) from publication)',
    );
    const countStopped = async () => (await page.deliveries()).filter(({ reason }) => reason === 'stopped').length;
    expect(await skipStopped(service.database)).toEqual({ hasMore: true, waits: false });
    expect(await countStopped()).toBe(50);
    while ((await skipStopped(service.database)).hasMore);
    expect(await countStopped()).toBe(60);
  });

  test('reads the earlier publications of the notice once at most for each new recipient', async () => {
    const publications = 20;
    const recipients = 40;
    const notice = await page.notice({ initial_comment: 'First.' });
    for (let count = 1; count < publications; count++) await page.update(notice);
    await fanOutAll(service.database);
    await page.subscribeMany(recipients);
    await page.update(notice, 'Wrong.');
    await fanOutAll(service.database);
    await service.database.query(
      'update publication set stopped_at = clock_timestamp() where id = (select max(id) from publication)',
    );
    // As the smallest tables would be after a vacuum, of which a scan is faster than an index.
    await service.database.query('vacuum (full, analyze) delivery');
    const read = await countRowsRead(service.database, skipSql.replaceAll('$1', '1000'));
    expect(read('delivery')).toBeLessThan(recipients * publications * 2);
  });

  test('compares few of the publications that it corrected with all that they had superseded', async () => {
    const publications = 60;
    const notice = await page.notice({ initial_comment: 'First.' });
    await page.subscribeMany(1);
    for (let count = 0; count < publications; count++) {
      await page.update(notice, 'Wrong.');
      await fanOutAll(service.database);
    }
    // As if the last one, which is stopped, corrected the first one.
    await service.database.query(
      `update publication set stopped_at = clock_timestamp(), corrects = array(select min(id) from publication)
       where id = (select max(id) from publication)`,
    );
    const read = await countRowsRead(service.database, skipSql.replaceAll('$1', '1000'));
    expect(read('found') + read('gone')).toBeLessThan(publications * 5);
  });
});
