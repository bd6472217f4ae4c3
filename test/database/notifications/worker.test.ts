import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { Outcome } from '../../../src/notifications/channels/channel.js';
import { startWorker } from '../../../src/notifications/delivery/worker.js';
import { type Delivery, createPublishingPage, wakeWorkers } from '../../support/ledger.js';
import { createRecordingChannels, type RecordingChannels } from '../../support/recording-channels.js';
import { useOwnService } from '../../support/service.js';
import { withChannels } from '../../support/settings.js';
import { waitUntilEqual } from '../../support/wait-until-equal.js';
import { waitUntil } from '../../support/wait-until-equal.js';

const service = useOwnService(withChannels);
let page: Awaited<ReturnType<typeof createPublishingPage>>;
let channels: RecordingChannels;
let stop: () => Promise<void>;
beforeEach(async () => {
  await service.database.query('delete from publication');
  page = await createPublishingPage(service);
  channels = createRecordingChannels();
  stop = start();
});
afterEach(() => stop());

const start = () =>
  startWorker(service.database, {
    adapters: channels.adapters,
    retryHours: 24,
    createLinks: ({ address }, id) => ({
      unsubscribe: `${address}/unsubscribe/${id}`,
      preferences: `${address}/preferences/${id}`,
    }),
    loadTarget: async ({ channel }) => ({ url: `https://${channel}.example.com` }),
  });

const waitForDeliveries = (isDone: (deliveries: Delivery[]) => boolean) =>
  waitUntil(page.deliveries, deliveries => deliveries.length > 0 && isDone(deliveries));
const waitUntilSettled = () =>
  waitForDeliveries(all => all.every(({ state }) => ['sent', 'dead', 'skipped', 'retrying'].includes(state)));

/** An outcome that is reported once the gate is opened. */
function createGate(): { gate: Promise<Outcome>; open: () => void } {
  let open = () => {};
  const gate = new Promise<Outcome>(done => {
    open = () => done({ kind: 'sent', response: 'ok' });
  });
  return { gate, open: () => open() };
}

describe('a worker', () => {
  test('sends a publication to every recipient once, on their channel', async () => {
    const ids = [await page.subscribe('one@example.com'), await page.subscribe('two@example.com')];
    const notice = await page.notice({ initial_comment: 'We look.' });
    const deliveries = await waitUntilSettled();
    expect(deliveries.map(({ state, tries }) => [state, tries])).toEqual(deliveries.map(() => ['sent', 1]));
    expect(channels.sent.map(({ channel }) => channel).toSorted()).toEqual([
      'chatA',
      'chatB',
      'email',
      'email',
      'social',
    ]);
    const unsubscribeUrl = (id: number) => `http://${page.id}.localhost:3000/unsubscribe/${id}`;
    const email = channels.sent.find(({ recipient }) => recipient.address === 'two@example.com')!;
    expect(email).toMatchObject({
      messageId: deliveries.find(delivery => delivery.address === 'two@example.com')!.messageId,
      snapshot: { text: 'We look.', notice: { id: notice } },
      recipient: { subscriberId: ids[1], unsubscribe: unsubscribeUrl(ids[1]!), target: null, thread: null },
    });
    const chat = channels.sent.find(({ channel }) => channel === 'chatA')!;
    expect(chat.recipient).toEqual({
      address: 'Slack',
      subscriberId: null,
      unsubscribe: null,
      preferences: null,
      thread: null,
      target: { url: 'https://chatA.example.com' },
    });
  });

  test('retries failures, gives up on refusals, and records the responses', async () => {
    for (const name of ['fine', 'later', 'never', 'silent', 'broken']) await page.subscribe(`${name}@example.com`);
    await service.database.query(`update page set disabled_channels = '{chatA,chatB,social}' where id = $1`, [page.id]);
    channels.respond = ({ recipient: { address } }) => {
      if (address.startsWith('later')) return { kind: 'failed', response: '451 try later', afterSeconds: undefined };
      if (address.startsWith('never')) return { kind: 'refused', response: '550 no such\0 mailbox' };
      if (address.startsWith('broken')) throw new Error('It broke.');
      return { kind: 'sent', response: '250 OK' };
    };
    const recording = channels.adapters.get('email')!;
    channels.adapters.set('email', {
      ...recording,
      send: (messages, report) =>
        recording.send(
          messages.filter(({ recipient }) => !recipient.address.startsWith('silent')),
          report,
        ),
    });
    await page.notice();
    const deliveries = await waitUntilSettled();
    const states = Object.fromEntries(deliveries.map(({ address, state }) => [address.split('@')[0], state]));
    expect(states).toEqual({ fine: 'sent', later: 'retrying', never: 'dead', silent: 'retrying', broken: 'retrying' });
    const answers = await service.database.query<{ response: string }>(
      'select a.response from attempt a join delivery d on d.id = a.delivery_id where d.page_id = $1 order by a.response',
      [page.id],
    );
    expect(answers.map(({ response }) => response)).toEqual([
      '250 OK',
      '451 try later',
      '550 no such mailbox',
      'It broke.',
      'It broke.',
    ]);
  });

  test('sends updates in the thread of the first message', async () => {
    channels.respond = () => ({ kind: 'sent', response: 'ok', thread: `T${channels.sent.length}` });
    const notice = await page.notice();
    await waitUntilSettled();
    const first = Object.fromEntries(channels.sent.splice(0).map(({ channel }, at) => [channel, `T${at + 1}`]));
    await page.update(notice);
    await waitForDeliveries(all => all.length === 6 && all.every(({ state }) => state === 'sent'));
    expect(channels.sent.map(({ recipient }) => recipient.thread !== null)).toEqual([true, true, true]);
    expect(new Set(channels.sent.map(({ recipient }) => recipient.thread)).size).toBe(
      new Set(Object.values(first)).size,
    );
  });

  test('has at most 32 deliveries in flight', async () => {
    await page.subscribeMany(80);
    for (let at = 0; at < 20; at++) await page.subscribe(`+44794600${at + 10}`);
    let inFlight = 0;
    let mostInFlight = 0;
    channels.respond = async () => {
      mostInFlight = Math.max(mostInFlight, ++inFlight);
      await new Promise(done => setTimeout(done, 20));
      inFlight -= 1;
      return { kind: 'sent', response: 'ok' };
    };
    await page.notice();
    expect(await waitUntilSettled()).toHaveLength(103);
    expect(mostInFlight).toBeGreaterThan(8);
    expect(mostInFlight).toBeLessThanOrEqual(32);
  });

  test('that is stopped finishes what is in flight, and releases the rest', async () => {
    await page.subscribeMany(60);
    const { gate, open } = createGate();
    channels.respond = () => gate;
    await page.notice();
    await waitForDeliveries(() => channels.sent.length >= 24);
    const stopping = stop();
    open();
    await stopping;
    const deliveries = await page.deliveries();
    expect(deliveries.filter(({ state }) => state === 'sending')).toEqual([]);
    expect(deliveries.filter(({ state }) => state === 'sent')).toHaveLength(channels.sent.length);
    expect(deliveries.filter(({ state }) => state === 'pending').map(({ tries }) => tries)).toEqual(
      Array(63 - channels.sent.length).fill(0),
    );
    stop = start();
    expect((await waitUntilSettled()).every(({ state }) => state === 'sent')).toBe(true);
    expect(channels.sent).toHaveLength(63);
  });

  test('stops sending to an unreachable target, and continues with the others', async () => {
    await page.subscribeMany(30);
    channels.respond = (_, channel) =>
      channel === 'email'
        ? { kind: 'failed', response: 'ECONNREFUSED', unreachable: true }
        : { kind: 'sent', response: 'ok' };
    await page.notice();
    const count = (all: Delivery[], wanted: string) => all.filter(({ state }) => state === wanted).length;
    const deliveries = await waitForDeliveries(
      all =>
        count(all, 'sent') === 3 &&
        count(all, 'retrying') > 0 &&
        count(all, 'pending') > 0 &&
        count(all, 'sending') === 0,
    );
    expect(deliveries.filter(({ state }) => state === 'pending').map(({ tries }) => tries)).not.toContain(1);
  });

  test('sends a new publication at once after the target was unreachable', async () => {
    const readClock = performance.now.bind(performance);
    let skippedMs = 0;
    const clock = jest.spyOn(performance, 'now').mockImplementation(() => readClock() + skippedMs);
    try {
      await page.subscribeMany(40);
      let isAway = true;
      channels.respond = (_, channel) =>
        isAway && channel === 'email'
          ? { kind: 'failed', response: 'ECONNREFUSED', unreachable: true }
          : { kind: 'sent', response: 'ok' };
      const first = await page.notice();
      await waitForDeliveries(all => all.some(({ state }) => state === 'retrying'));
      // Each probe that fails doubles the wait, to more than two minutes.
      for (let probe = 1; probe <= 7; probe++) {
        const sentBefore = channels.sent.length;
        skippedMs += 600_000;
        wakeWorkers(service.database, page.id);
        await waitForDeliveries(() => channels.sent.length > sentBefore);
      }
      isAway = false;
      const second = await page.notice();
      expect(second).toBeGreaterThan(first);
      await waitForDeliveries(() => {
        const sent = channels.sent.filter(({ snapshot }) => snapshot.notice.id === second);
        return sent.length === 43;
      });
    } finally {
      clock.mockRestore();
    }
  });

  test('stops sending to a target for the time of its Retry-After', async () => {
    channels.respond = (_, channel) =>
      channel === 'chatA'
        ? { kind: 'failed', response: '429 slowly', afterSeconds: 60 }
        : { kind: 'sent', response: 'ok' };
    await page.notice();
    await waitUntilSettled();
    await page.notice();
    const deliveries = await waitForDeliveries(all => all.filter(({ state }) => state === 'sent').length === 4);
    expect(deliveries.filter(({ channel }) => channel === 'chatA').map(({ state }) => state)).toEqual([
      'retrying',
      'pending',
    ]);
    expect(channels.sent.filter(({ channel }) => channel === 'chatA')).toHaveLength(1);
  });

  test('does not accumulate deliveries for a slow server while it leases others', async () => {
    const other = await createPublishingPage(service);
    await service.database.query(
      `update page set disabled_channels = case when id = $1 then array['chatB', 'social']
         else array['chatA', 'chatB', 'social'] end where id in ($1, $2)`,
      [other.id, page.id],
    );
    await page.subscribeMany(60);
    const { gate, open } = createGate();
    channels.respond = (_, channel) => (channel === 'email' ? gate : { kind: 'sent', response: 'ok' });
    const countHeld = async () => (await page.deliveries()).filter(({ state }) => state === 'sending').length;
    await page.notice();
    await waitForDeliveries(() => channels.sent.length === 24);
    const held: number[] = [];
    for (let round = 1; round <= 2; round++) {
      await other.notice();
      await waitForDeliveries(() => channels.sent.length === 24 + round);
      held.push(await countHeld());
    }
    open();
    // As many as may be in flight, and one more for each that was sent meanwhile.
    expect(Math.max(...held)).toBeLessThanOrEqual(32 + held.length);
  });

  test('does not take over what it holds itself, whose lease it renews late', async () => {
    await service.database.query(`update page set disabled_channels = '{chatA,chatB,social}' where id = $1`, [page.id]);
    await page.subscribe('one@example.com');
    const { gate, open } = createGate();
    channels.respond = () => (channels.sent.length > 1 ? { kind: 'sent', response: 'ok' } : gate);
    const first = await page.notice();
    await waitForDeliveries(() => channels.sent.length === 1);
    await service.database.query(
      `update delivery set leased_until = clock_timestamp() - interval '1 minute' where page_id = $1`,
      [page.id],
    );
    const second = await page.notice();
    await waitForDeliveries(() => channels.sent.length === 2).finally(open);
    expect(channels.sent.map(({ snapshot }) => snapshot.notice.id)).toEqual([first, second]);
  });

  test('that is stopped renews its leases until nothing is in flight', async () => {
    await service.database.query(`update page set disabled_channels = '{chatB,social}' where id = $1`, [page.id]);
    const { gate, open } = createGate();
    channels.respond = () => gate;
    await page.notice();
    await waitForDeliveries(() => channels.sent.length === 1);
    const stopping = stop();
    // Later than any worker would set it: an earlier value was set by a renewal after this statement.
    await service.database.query(
      `update delivery set leased_until = clock_timestamp() + interval '1 hour' where page_id = $1`,
      [page.id],
    );
    const isRenewed = async () =>
      (
        await service.database.query(
          `select 1 from delivery where page_id = $1 and leased_until < clock_timestamp() + interval '1 minute'`,
          [page.id],
        )
      ).length > 0;
    await waitUntilEqual(isRenewed, true).finally(open);
    await stopping;
  });
});
