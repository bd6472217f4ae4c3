import { beforeAll, describe, expect, test } from '@jest/globals';
import { recordOutcomes } from '../../../src/notifications/delivery/record-outcomes.js';
import { leaseAll, createPublishingPage, fanOutAll } from '../../support/ledger.js';
import { withPlainLists } from '../../support/graphql-records.js';
import { useOwnService } from '../../support/service.js';
import { withChannels } from '../../support/settings.js';

const service = useOwnService(withChannels);
let page: Awaited<ReturnType<typeof createPublishingPage>>;
let notice: number;
beforeAll(async () => {
  // Beyond what an integer holds.
  for (const table of ['delivery', 'attempt'])
    await service.database.query(`select setval('${table}_id_seq', 2147483647)`);
  page = await createPublishingPage(service);
  await service.database.query(`update page set disabled_channels = '{chatB,social}' where id = $1`, [page.id]);
  for (const name of ['fine', 'full', 'gone']) await page.subscribe(`${name}@example.com`);
  notice = await page.notice({ initial_comment: 'We look.' });
  await fanOutAll(service.database);
  const outcomes: Record<string, ['sent' | 'failed' | 'refused', string, number | null]> = {
    fine: ['sent', '250 OK', null],
    full: ['failed', '452 mailbox full', 3_600],
    gone: ['refused', '550 no such mailbox', null],
  };
  const emails = (await leaseAll(service.database, 'w', ['chatA'])).map(({ id, lease, address }) => {
    const [outcome, response, retrySeconds] = outcomes[address.split('@')[0]!]!;
    return { id, lease, outcome, response, retrySeconds, thread: null };
  });
  await recordOutcomes(service.database, emails);
});

const runQuery = async (query: string, values: object = {}, token?: string) => {
  const { json } = await service.graphql(query, { page: page.id, ...values }, token ? { token } : {});
  expect(json.errors).toBeUndefined();
  return withPlainLists(json.data);
};

test('a publication contains its text, its author and the number of deliveries by channel and state', async () => {
  const data = await runQuery(
    `query ($page: ID!) { publications(pageId: $page) {
       nodes { noticeId noticeType event publishedBy { kind label } subject text counts { channel state count } } } }`,
  );
  expect(data.publications.nodes).toEqual([
    {
      noticeId: String(notice),
      noticeType: 'UNPLANNED',
      event: 'OPENED',
      publishedBy: { kind: 'TOKEN', label: expect.stringMatching(/^write \(\d+\)$/) },
      subject: 'Payments fail',
      text: 'We look.',
      counts: [
        { channel: 'SLACK', state: 'PENDING', count: 1 },
        ...['DEAD', 'RETRYING', 'SENT'].map(state => ({ channel: 'EMAIL', state, count: 1 })),
      ],
    },
  ]);
});

describe('deliveries', () => {
  const deliveries = `query ($page: ID!, $filter: DeliveryFilter) { deliveries(pageId: $page, filter: $filter) {
    nodes { address channel state reason attemptCount sentAt publication { subject } attempts { outcome response } } } }`;

  test('are found by address, ignoring case, with the responses of the server', async () => {
    const { nodes } = (await runQuery(deliveries, { filter: { address: { eq: 'GONE@example.com' } } })).deliveries;
    expect(nodes).toEqual([
      {
        address: 'gone@example.com',
        channel: 'EMAIL',
        state: 'DEAD',
        reason: 'REFUSED',
        attemptCount: 1,
        sentAt: null,
        publication: { subject: 'Payments fail' },
        attempts: [{ outcome: 'REFUSED', response: '550 no such mailbox' }],
      },
    ]);
  });

  test('are filtered by state, channel, publication and response, and counted', async () => {
    const filters = [
      [{ state: { eq: 'RETRYING' } }, ['full@example.com']],
      [{ channel: { eq: 'SLACK' } }, ['Slack']],
      [{ publication: { noticeId: { eq: String(notice) } }, state: { eq: 'SENT' } }, ['fine@example.com']],
      [{ publication: { noticeId: { eq: '0' } } }, []],
      [{ attempts: { response: { cont: 'MAILBOX FULL' } } }, ['full@example.com']],
    ] as const;
    for (const [filter, addresses] of filters)
      expect(
        (await runQuery(deliveries, { filter })).deliveries.nodes.map(({ address }: { address: string }) => address),
      ).toEqual(addresses);
    const { deliveries: all } = await runQuery(
      'query ($page: ID!) { deliveries(pageId: $page, first: 1) { totalCount nodes { id } } }',
    );
    expect(all).toEqual({ totalCount: 4, nodes: [{ id: expect.any(String) }] });
  });

  test('have ids beyond those of an integer, by which they are found, filtered and paged through', async () => {
    const listed = `query ($page: ID!, $filter: DeliveryFilter, $after: String) {
      deliveries(pageId: $page, filter: $filter, after: $after, first: 3) { nodes { id attempts { id } } pageInfo { endCursor } } }`;
    const first = (await runQuery(listed)).deliveries;
    const rest = (await runQuery(listed, { after: first.pageInfo.endCursor })).deliveries;
    const ids: string[] = [...first.nodes, ...rest.nodes].map(({ id }: { id: string }) => id);
    expect(ids).toEqual(['2147483651', '2147483650', '2147483649', '2147483648']);
    expect((await runQuery(listed, { filter: { id: { in: ids.slice(1, 2) } } })).deliveries.nodes).toHaveLength(1);
    const single = 'query ($page: ID!, $id: ID!) { delivery(pageId: $page, id: $id) { id attempts { id } } }';
    const read = await Promise.all(ids.map(async id => (await runQuery(single, { id })).delivery));
    expect(read).toEqual([...first.nodes, ...rest.nodes]);
    const attemptIds = read.flatMap(({ attempts }) => attempts).map(({ id }: { id: string }) => Number(id));
    expect(attemptIds).toHaveLength(3);
    expect(Math.min(...attemptIds)).toBe(2147483648);
    const beyond = await service.graphql(single, { page: page.id, id: '9223372036854775808' });
    expect(beyond.json.errors[0].extensions.code).toBe('NOT_FOUND');
  });

  test('can be selected within a publication', async () => {
    const data = await runQuery(
      `query ($page: ID!) { publications(pageId: $page) {
         nodes { deliveries(filter: { state: { eq: DEAD } }) { nodes { address } } } } }`,
    );
    expect(data.publications.nodes).toEqual([{ deliveries: [{ address: 'gone@example.com' }] }]);
  });
});

describe('a dead delivery', () => {
  const findId = async (address: string) =>
    (await page.deliveries()).find(delivery => delivery.address === address)!.id;
  const resend =
    'mutation ($page: ID!, $id: ID!) { resendDelivery(pageId: $page, id: $id) { delivery { state reason attemptCount } } }';

  test('is resent by its id; one in another state is refused', async () => {
    const id = await findId('gone@example.com');
    expect(await runQuery(resend, { id })).toEqual({
      resendDelivery: { delivery: { state: 'RETRYING', reason: null, attemptCount: 0 } },
    });
    const { json } = await service.graphql(resend, { page: page.id, id });
    expect(json.errors[0]).toMatchObject({
      message: 'Only a dead delivery can be resent; this one is retrying.',
      extensions: { code: 'CONFLICT' },
    });
    const [leased] = (await leaseAll(service.database)).filter(({ address }) => address === 'gone@example.com');
    expect(leased).toMatchObject({ id, tries: 1 });
    await recordOutcomes(service.database, [
      { id, lease: leased!.lease, outcome: 'refused', response: 'still', retrySeconds: null, thread: null },
    ]);
  });

  test('starts a new retry period when it is resent', async () => {
    const id = await findId('gone@example.com');
    await service.database.query(
      `update delivery set queued_at = queued_at - interval '30 days', state = 'dead', reason = 'gave up'
       where id = $1`,
      [id],
    );
    await runQuery(resend, { id });
    const [leased] = (await leaseAll(service.database, 'w', ['chatA'])).filter(delivery => delivery.id === id);
    expect(leased!.ageSeconds).toBeLessThan(3_600);
    await recordOutcomes(service.database, [
      { id, lease: leased!.lease, outcome: 'refused', response: 'still', retrySeconds: null, thread: null },
    ]);
  });

  test('is counted and rendered by a dry run, which resends nothing', async () => {
    const dryRun = await runQuery(
      `mutation ($page: ID!, $filter: DeliveryFilter) { resendDeliveries(pageId: $page, filter: $filter, dryRun: true) {
         dryRun count
         audience { channel count recipientCount notifiedEarlierCount sample }
         excluded { channel count reason sample }
         publications { count channels publication { noticeId subject } mail { subject } text(channel: SMS) }
       } }`,
      { filter: { channel: { eq: 'EMAIL' } } },
    );
    expect(dryRun.resendDeliveries).toEqual({
      dryRun: true,
      count: 1,
      audience: [
        { channel: 'EMAIL', count: 1, recipientCount: 1, notifiedEarlierCount: 0, sample: ['gone@example.com'] },
      ],
      excluded: [],
      publications: [
        {
          count: 1,
          channels: ['EMAIL'],
          publication: { noticeId: String(notice), subject: 'Payments fail' },
          mail: { subject: expect.stringContaining('Payments fail') },
          text: expect.stringContaining('Payments fail'),
        },
      ],
    });
    const [still] = await service.database.query('select state from delivery where id = $1', [
      await findId('gone@example.com'),
    ]);
    expect(still).toEqual({ state: 'dead' });
  });

  test('is not resent where another number matches than the caller expects', async () => {
    const { json } = await service.graphql(
      'mutation ($page: ID!) { resendDeliveries(pageId: $page, expectedCount: 7) { count } }',
      { page: page.id },
    );
    const { code, path, currentCount } = json.errors[0].extensions;
    expect([code, path, currentCount]).toEqual(['PRECONDITION_FAILED', ['expectedCount'], 1]);
    const [still] = await service.database.query('select state from delivery where id = $1', [
      await findId('gone@example.com'),
    ]);
    expect(still).toEqual({ state: 'dead' });
  });

  test('is resent with all others of the page that match a filter', async () => {
    const resend = async (filter: object | null) =>
      (
        await runQuery(
          'mutation ($page: ID!, $filter: DeliveryFilter) { resendDeliveries(pageId: $page, filter: $filter) { count } }',
          { filter },
        )
      ).resendDeliveries.count;
    expect([
      await resend({ channel: { eq: 'SMS' } }),
      await resend({ publication: { subject: { eq: 'Nothing of the kind' } } }),
      await resend({ channel: { eq: 'EMAIL' }, address: { eq: 'gone@example.com' } }),
      await resend(null),
    ]).toEqual([0, 0, 1, 0]);
  });

  test('is resent with hundreds of others by several transactions', async () => {
    await service.database.query(
      `insert into delivery (page_id, publication_id, notice_id, channel, recipient_key, address, state, message_id,
         created_at, queued_at, due_at)
       select page_id, publication_id, notice_id, channel, 'further ' || n, 'further-' || n || '@example.com', 'dead', '',
         created_at, queued_at, due_at
       from delivery, generate_series(1, 501) n where id = $1`,
      [await findId('gone@example.com')],
    );
    const { resendDeliveries } = await runQuery(
      'mutation ($page: ID!) { resendDeliveries(pageId: $page, expectedCount: 501) { count } }',
    );
    expect(resendDeliveries.count).toBe(501);
    const [resent] = await service.database.query(
      `select count(*)::integer as count, count(distinct xmin::text)::integer as transactions from delivery
       where page_id = $1 and state = 'retrying' and recipient_key like 'further %'`,
      [page.id],
    );
    expect(resent).toEqual({ count: 501, transactions: 2 });
  });
});
