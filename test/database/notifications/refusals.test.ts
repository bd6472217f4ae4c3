import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { startWorker } from '../../../src/notifications/delivery/worker.js';
import { openChannels, type OpenChannels } from '../../../src/server/open-channels.js';
import { createPublishingPage, wakeWorkers } from '../../support/ledger.js';
import { type MailServer, startMailServer } from '../../support/mail-server.js';
import { useOwnService } from '../../support/service.js';
import { createTestSettings, withChannels } from '../../support/settings.js';

/** What a real mail server refuses is read for what it is about: the recipient, the message, or the sender. */
const service = useOwnService(withChannels);
let page: Awaited<ReturnType<typeof createPublishingPage>>;
let server: MailServer;
let answer: (to: string) => string | undefined;
let answerContent: () => string | undefined;
let stop: () => Promise<void>;
beforeEach(async () => {
  await service.database.query('delete from publication');
  page = await createPublishingPage(service, {}, []);
  answer = () => undefined;
  answerContent = () => undefined;
  server = await startMailServer({ refuse: to => answer(to), refuseContent: () => answerContent() });
  stop = startSending();
});
afterEach(async () => {
  await stop();
  await server.stop();
});

/** A process of its own: what the one before learnt of the server is not known to it. */
function startSending(onFailing?: OpenChannels['onFailing']): () => Promise<void> {
  const channels = openChannels(createTestSettings({ smtpUrl: server.url, mailFrom: 'status@example.com' }));
  const stopWorker = startWorker(service.database, { adapters: channels.adapters, retryHours: 24, onFailing });
  return async () => {
    await stopWorker();
    await channels.close();
  };
}

const subscribe = (count: number) =>
  service.database.query(
    `insert into subscriber (page_id, email, confirmed_at, created_at, updated_at, consent_source)
     select $1, 'reader-' || n || '@acme.example', now(), now(), now(), 'import' from generate_series(0, $2::integer - 1) n`,
    [page.id, count],
  );
const countStates = async () => {
  const deliveries = await page.deliveries();
  return Object.fromEntries(
    [...Map.groupBy(deliveries, ({ state, reason }) => reason ?? state)].map(([state, all]) => [state, all.length]),
  );
};
async function waitFor<Value>(read: () => Promise<Value>, isRight: (value: Value) => boolean): Promise<Value> {
  let value = await read();
  for (let attempt = 0; attempt < 400 && !isRight(value); attempt++) {
    await new Promise(done => setTimeout(done, 25));
    value = await read();
  }
  expect([value, isRight(value)]).toEqual([value, true]);
  return value;
}
/** Lets the time pass until everything that waits is due. */
async function makeAllDue(): Promise<void> {
  await service.database.query(
    `update delivery set due_at = now() - make_interval(secs => 1) where state = 'retrying' and page_id = $1`,
    [page.id],
  );
  wakeWorkers(service.database, page.id);
}
const readAttempts = (select: string) =>
  service.database.query<{ value: unknown }>(
    `select ${select} as value from attempt a join delivery d on d.id = a.delivery_id where d.page_id = $1`,
    [page.id],
  );

test('a daily quota makes the others wait without a try, and they arrive when it is over', async () => {
  await subscribe(100);
  answerContent = () => (server.mails.length >= 20 ? '550 5.4.5 Daily user sending quota exceeded.' : undefined);
  await page.notice();
  await waitFor(countStates, states => states.sent === 20 && (states.retrying ?? 0) >= 5);
  const waiting = (await page.deliveries()).filter(({ state }) => state === 'retrying');
  expect(new Set(waiting.map(({ tries }) => tries))).toEqual(new Set([0]));
  for (const { dueInSeconds } of waiting) expect(dueInSeconds).toBeGreaterThan(500);
  expect(await readAttempts(`distinct a.outcome || ' ' || a.response`)).toEqual(
    expect.arrayContaining([{ value: 'deferred 550 5.4.5 Daily user sending quota exceeded.' }]),
  );
  // The channel pauses: the others are not tried at all.
  const [attempted] = await readAttempts(`count(*) filter (where a.outcome = 'deferred')::integer`);
  expect(attempted!.value).toBeLessThan(50);
  await stop();
  answerContent = () => undefined;
  stop = startSending();
  await makeAllDue();
  await waitFor(countStates, states => states.sent === 100);
  expect(new Set(server.mails.flatMap(({ to }) => to)).size).toBe(100);
  expect(server.mails).toHaveLength(100);
});

test('a mailbox that is full is tried again, a message that is refused is not, and neither is suspended', async () => {
  await subscribe(2);
  answer = to => (to.startsWith('reader-0') ? '552 5.2.2 Mailbox full' : undefined);
  answerContent = () => '554 5.6.0 spam content';
  await page.notice();
  await waitFor(countStates, states => states.retrying === 1 && states.refused === 1);
  expect((await page.deliveries()).map(({ tries }) => tries)).toEqual([1, 1]);
  expect(await service.database.query('select * from recipient_refusals where page_id = $1', [page.id])).toEqual([]);
});

const readFailures = () =>
  service.database.query<{ response: string; isEnded: boolean }>(
    'select response, ended_at is not null as "isEnded" from channel_failure where page_id = $1',
    [page.id],
  );
const readSuspended = () =>
  service.database.query('select address from recipient_refusals where page_id = $1', [page.id]);
const askChannel = async () => {
  const { json } = await service.graphql(`{ page(id: "${page.id}") { channels { channel failingSince failure } } }`);
  return json.data.page.channels.find(({ channel }: { channel: string }) => channel === 'EMAIL');
};

test.each([
  '550 5.7.1 Relaying denied',
  '550 5.1.1 User unknown',
  '550 <reader-1@acme.example> is not on the list 77ab',
])('the same answer to all suspends nobody, and all arrive when the server accepts them again: %s', async text => {
  await subscribe(50);
  const failing: string[] = [];
  await stop();
  stop = startSending((_channel, response) => failing.push(response));
  answer = to => text.replace('reader-1@acme.example', to);
  for (let publication = 0; publication < 3; publication++) await page.notice({ subject: `No. ${publication}` });
  await waitFor(readFailures, failures => failures.length === 1);
  await waitFor(countStates, states => !states.refused && (states.retrying ?? 0) >= 5 && !states.sending);
  expect(await readSuspended()).toEqual([]);
  expect(failing.length).toBeGreaterThan(0);
  expect(await askChannel()).toMatchObject({
    failingSince: expect.any(String),
    failure: expect.stringContaining(text.slice(0, 4)),
  });
  expect(new Set((await page.deliveries()).map(({ tries }) => tries))).toEqual(new Set([0]));
  await stop();
  answer = () => undefined;
  stop = startSending();
  await service.database.query(`update channel_failure set refused_at = now() - interval '2 minutes'`);
  await makeAllDue();
  await waitFor(countStates, states => states.sent === 150);
  expect(new Set(server.mails.map(({ to, raw }) => `${to} ${/No\. \d/.exec(raw)}`)).size).toBe(150);
  expect(await askChannel()).toMatchObject({ failingSince: null, failure: null });
});

test('a third of the recipients with the same answer are not about the channel', async () => {
  await subscribe(12);
  answer = to => (/reader-[0-3]@/.test(to) ? '550 5.1.1 User unknown' : undefined);
  await page.notice();
  await waitFor(countStates, states => states.sent === 8 && states.refused === 4);
  expect(await readFailures()).toEqual([]);
  expect(await readSuspended()).toHaveLength(4);
});

test('what was counted before a third was refused is taken back, and earlier refusals stay', async () => {
  await subscribe(12);
  answer = to => (to.startsWith('reader-0@') ? '550 5.1.1 User unknown' : undefined);
  for (let time = 0; time < 2; time++) await page.notice();
  await waitFor(countStates, states => states.refused === 2 && states.sent === 22);
  // What is refused after the last message that was accepted would be taken back, too, and any may be the last.
  const other = await createPublishingPage(service, {}, []);
  await other.subscribeMany(1);
  await other.notice();
  await waitFor(
    other.deliveries,
    deliveries => deliveries.every(({ state }) => state === 'sent') && deliveries.length === 1,
  );
  answer = () => '550 5.1.1 User unknown';
  await page.notice();
  await waitFor(readFailures, failures => failures.length === 1);
  await waitFor(countStates, states => states.refused === 2 && !states.sending);
  expect(
    await service.database.query('select address, count, suspended_at from recipient_refusals where page_id = $1', [
      page.id,
    ]),
  ).toEqual([{ address: 'reader-0@acme.example', count: 2, suspended_at: null }]);
});
