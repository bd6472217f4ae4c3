/** @jest-environment ./test/support/isolated-environment.js */
import '../../support/all-channels.js';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { record } from '../../../src/notifications/delivery/queue.js';
import { claimAll, newTellingPage, spreadAll } from '../../support/ledger.js';
import { startTestService, type TestService } from '../../support/service.js';

let service: TestService;
let page: Awaited<ReturnType<typeof newTellingPage>>;
let notice: number;
beforeAll(async () => {
  service = await startTestService();
  page = await newTellingPage(service);
  await service.database.query('update page set chat_b_switch = false, social_switch = false where id = $1', [page.id]);
  for (const name of ['fine', 'full', 'gone']) await page.subscribe(`${name}@example.com`);
  notice = await page.notice({ initial_comment: 'We look.' });
  await spreadAll(service.database);
  const answers: Record<string, ['sent' | 'failed' | 'refused', string, number | null]> = {
    fine: ['sent', '250 OK', null],
    full: ['failed', '452 mailbox full', 3_600],
    gone: ['refused', '550 no such mailbox', null],
  };
  const mails = (await claimAll(service.database, 'w', ['chatA'])).map(({ id, lease, address }) => {
    const [outcome, answer, retrySeconds] = answers[address.split('@')[0]!]!;
    return { id, lease, outcome, answer, retrySeconds, thread: null };
  });
  await record(service.database, mails);
});
afterAll(() => service.stop());

const ask = async (query: string, values: object = {}, token?: string) => {
  const { json } = await service.graphql(query, { page: page.id, ...values }, token ? { token } : {});
  expect(json.errors).toBeUndefined();
  return json.data;
};

test('A publication tells what was said, by whom, and how many messages stand where', async () => {
  const data = await ask(
    `query ($page: ID!) { publications(pageId: $page) { nodes { noticeId noticeType event by subject text counts { channel state count } } } }`,
  );
  expect(data.publications.nodes).toEqual([
    {
      ...{
        noticeId: String(notice),
        noticeType: 'UNPLANNED',
        event: 'OPENED',
        by: expect.stringMatching(/^write \(\d+\)$/),
      },
      ...{ subject: 'Payments fail', text: 'We look.' },
      counts: [
        { channel: 'CHAT_A', state: 'PENDING', count: 1 },
        ...['DEAD', 'RETRYING', 'SENT'].map(state => ({ channel: 'EMAIL', state, count: 1 })),
      ],
    },
  ]);
});

describe('Deliveries', () => {
  const deliveries = `query ($page: ID!, $filter: DeliveryFilter) { deliveries(pageId: $page, filter: $filter) {
    nodes { address channel state reason tries sentAt publication { subject } attempts { outcome answer } } } }`;

  test('are found by the address, whatever its case, with all that the other side said', async () => {
    const { nodes } = (await ask(deliveries, { filter: { address: { eq: 'GONE@example.com' } } })).deliveries;
    expect(nodes).toEqual([
      {
        ...{ address: 'gone@example.com', channel: 'EMAIL', state: 'DEAD', reason: 'refused', tries: 1, sentAt: null },
        publication: { subject: 'Payments fail' },
        attempts: [{ outcome: 'REFUSED', answer: '550 no such mailbox' }],
      },
    ]);
  });

  test('are narrowed by state, channel and publication, and counted', async () => {
    const filters = [
      [{ state: { eq: 'RETRYING' } }, ['full@example.com']],
      [{ channel: { eq: 'CHAT_A' } }, ['Slack']],
      [{ publication: { noticeId: { eq: String(notice) } }, state: { eq: 'SENT' } }, ['fine@example.com']],
      [{ publication: { noticeId: { eq: '0' } } }, []],
      [{ attempts: { answer: { cont: 'MAILBOX FULL' } } }, ['full@example.com']],
    ] as const;
    for (const [filter, found] of filters)
      expect(
        (await ask(deliveries, { filter })).deliveries.nodes.map(({ address }: { address: string }) => address),
      ).toEqual(found);
    const { deliveries: all } = await ask(
      'query ($page: ID!) { deliveries(pageId: $page, first: 1) { totalCount count } }',
    );
    expect(all).toEqual({ totalCount: 4, count: 1 });
  });

  test('are those of a publication, too', async () => {
    const data = await ask(
      'query ($page: ID!) { publications(pageId: $page) { nodes { deliveries(filter: { state: { eq: DEAD } }) { address } } } }',
    );
    expect(data.publications.nodes).toEqual([{ deliveries: [{ address: 'gone@example.com' }] }]);
  });
});

describe('What is dead', () => {
  const idOf = async (address: string) => (await page.deliveries()).find(one => one.address === address)!.id;
  const resend =
    'mutation ($page: ID!, $id: ID!) { resendDelivery(pageId: $page, id: $id) { delivery { state reason tries } } }';

  test('is sent again, one by one, by whoever may write; what is not dead is not', async () => {
    const id = await idOf('gone@example.com');
    expect(await ask(resend, { id })).toEqual({
      resendDelivery: { delivery: { state: 'RETRYING', reason: null, tries: 0 } },
    });
    const { json } = await service.graphql(resend, { page: page.id, id });
    expect(json.errors[0]).toMatchObject({
      message: 'Only a dead delivery can be sent again; this one is retrying.',
      extensions: { code: 'CONFLICT' },
    });
    const [claimed] = (await claimAll(service.database)).filter(({ address }) => address === 'gone@example.com');
    expect(claimed).toMatchObject({ id, tries: 1 });
    await record(service.database, [
      { id, lease: claimed!.lease, outcome: 'refused', answer: 'still', retrySeconds: null, thread: null },
    ]);
  });

  test('has its time again, however long ago it was queued', async () => {
    const id = await idOf('gone@example.com');
    await service.database.query(
      `update delivery set queued_at = queued_at - interval '30 days', state = 'dead', reason = 'gave up' where id = $1`,
      [id],
    );
    await ask(resend, { id });
    const [claimed] = (await claimAll(service.database, 'w', ['chatA'])).filter(one => one.id === id);
    expect(claimed!.ageSeconds).toBeLessThan(3_600);
    await record(service.database, [
      { id, lease: claimed!.lease, outcome: 'refused', answer: 'still', retrySeconds: null, thread: null },
    ]);
  });

  test('is sent again all at once', async () => {
    const all = 'mutation ($page: ID!) { resendDeadDeliveries(pageId: $page) { count } }';
    expect([await ask(all), await ask(all)]).toEqual([
      { resendDeadDeliveries: { count: 1 } },
      { resendDeadDeliveries: { count: 0 } },
    ]);
  });
});
