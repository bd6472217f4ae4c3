import { beforeEach, describe, expect, test } from '@jest/globals';
import { createPublishingPage, fanOutAll, leaseAll } from '../../support/ledger.js';
import { useService } from '../../support/service.js';

const service = useService();
let page: Awaited<ReturnType<typeof createPublishingPage>>;
let one: number;
let two: number;
const subscribers: Record<string, number> = {};

/** By mail and as a webhook: `a` chose component one, `b` component two, `c` everything. */
beforeEach(async () => {
  page = await createPublishingPage(service, {}, []);
  one = await page.component('Payments');
  two = await page.component('Search');
  for (const [name, chosen] of Object.entries({ a: [one], b: [two], c: [] })) {
    subscribers[name] = await page.subscribe(`${name}@example.com`, chosen);
    await subscribeWebhook(name, chosen);
  }
});

async function subscribeWebhook(name: string, chosen: number[], format = 'standard'): Promise<void> {
  await service.database.query(
    `with added as (
       insert into webhook (page_id, format, target, chose_components, confirmed_at, created_at, updated_at)
       select $1, $4, jsonb_build_object('url', $2::text), cardinality($3::int[]) > 0, at, at, at
       from clock_timestamp() at returning id
     ) insert into webhook_component (webhook_id, component_id) select id, unnest($3::int[]) from added`,
    [page.id, `https://${name}.example.net`, chosen, format],
  );
}

const changeNotice = (notice: number, values: object) =>
  service.patch(`${page.path}/notices/${notice}`, { should_publish: true, ...values });

const markSent = () =>
  service.database.query(
    `update delivery set state = 'sent', sent_at = clock_timestamp() where page_id = $1 and state = 'pending'`,
    [page.id],
  );

/** Whom the last publication is sent to: letters by mail, then by webhook. */
async function send(): Promise<string> {
  await fanOutAll(service.database);
  const rows = await service.database.query<{ channel: string; name: string }>(
    `select d.channel, left(d.address, 1) as name
     from delivery d
     where d.publication_id = (select max(id) from publication where page_id = $1) and d.state = 'pending'
     order by name`,
    [page.id],
  );
  await markSent();
  const on = (...channels: string[]) =>
    rows
      .filter(({ channel }) => channels.includes(channel))
      .map(({ name }) => name)
      .join('');
  return `${on('email')} ${on('webhook', 'push')}`;
}

describe('a recipient of an earlier message of a notice is notified', () => {
  test('when the notice comes to name another component', async () => {
    const notice = await page.notice();
    expect(await send()).toBe('abc abc');
    await changeNotice(notice, { component_ids: [one], state: 'identified' });
    expect(await send()).toBe('abc abc');
    await changeNotice(notice, { state: 'resolved' });
    expect(await send()).toBe('abc abc');
  });

  test('when the component that they chose is no longer named', async () => {
    const notice = await page.notice({ component_ids: [one] });
    expect(await send()).toBe('ac ac');
    await changeNotice(notice, { component_ids: [two], additional_comment: 'It is search.' });
    expect(await send()).toBe('abc abc');
    await changeNotice(notice, { state: 'resolved' });
    expect(await send()).toBe('abc abc');
  });

  test('when the component that they chose is deleted', async () => {
    const notice = await page.notice({ component_ids: [one] });
    expect(await send()).toBe('ac ac');
    await service.delete(`${page.path}/components/${one}`);
    await changeNotice(notice, { state: 'resolved' });
    expect(await send()).toBe('ac ac');
  });

  test('when the notice names no component any more, and nobody else is', async () => {
    const notice = await page.notice({ component_ids: [one] });
    expect(await send()).toBe('ac ac');
    await changeNotice(notice, { component_ids: [], additional_comment: 'We look.' });
    expect(await send()).toBe('ac ac');
    await changeNotice(notice, { state: 'resolved' });
    expect(await send()).toBe('ac ac');
  });

  test('when the component that they chose is moved', async () => {
    const child = await page.component('Cards', two);
    const notice = await page.notice({ component_ids: [child] });
    expect(await send()).toBe('bc bc');
    await service.patch(`${page.path}/components/${child}`, { parent_id: one });
    await changeNotice(notice, { state: 'resolved' });
    expect(await send()).toBe('abc abc');
  });

  test('while the earlier message waits, which the later one replaces', async () => {
    const notice = await page.notice({ component_ids: [one] });
    await fanOutAll(service.database);
    await changeNotice(notice, { component_ids: [two], state: 'resolved' });
    await fanOutAll(service.database);
    const leased = (await leaseAll(service.database)).filter(({ pageId }) => pageId === page.id);
    expect(leased.flatMap(({ channel, address }) => (channel === 'email' ? [address] : [])).sort()).toEqual([
      'a@example.com',
      'b@example.com',
      'c@example.com',
    ]);
    const superseded = (await page.deliveries()).filter(({ reason }) => reason === 'superseded');
    expect(superseded.map(({ address }) => address)).toContain('a@example.com');
  });

  test('on each channel, also where the earlier message came by another', async () => {
    await service.patch(`${page.path}/subscribers/${subscribers.a}`, { phone_number: '+4479460000' });
    await subscribeWebhook('p', [one], 'push');
    const notice = await page.notice({ component_ids: [one] });
    expect(await send()).toBe('ac acp');
    await service.database.query('update subscriber set email = null where id = $1', [subscribers.a]);
    await changeNotice(notice, { component_ids: [two], state: 'resolved' });
    expect(await send()).toBe('bc abcp');
    const sms = (await page.deliveries()).filter(({ channel }) => channel === 'sms');
    expect(sms.map(({ address, state }) => [address, state])).toEqual([
      ['+4479460000', 'sent'],
      ['+4479460000', 'sent'],
    ]);
  });

  test('not by an earlier message that was stopped before it was sent, or that died', async () => {
    const notice = await page.notice({ component_ids: [one] });
    await fanOutAll(service.database);
    await service.database.query(
      `update delivery set state = case channel when 'email' then 'dead' else 'skipped' end,
         reason = case channel when 'email' then 'refused' else 'stopped' end where page_id = $1`,
      [page.id],
    );
    await changeNotice(notice, { component_ids: [two], state: 'resolved' });
    expect(await send()).toBe('bc bc');
  });

  test('not when they have left, and come back with another choice', async () => {
    const notice = await page.notice({ component_ids: [one] });
    expect(await send()).toBe('ac ac');
    await service.database.query('update subscriber set unsubscribed_at = clock_timestamp() where id = $1', [
      subscribers.a,
    ]);
    await service.database.query(`delete from webhook where page_id = $1 and target ->> 'url' like '%/a.%'`, [page.id]);
    await page.subscribe('a@example.com', [one]);
    await changeNotice(notice, { component_ids: [two], state: 'resolved' });
    expect(await send()).toBe('bc bc');
  });
});

describe('what a recipient has chosen since an earlier message counts', () => {
  test('when they chose other components', async () => {
    const notice = await page.notice({ component_ids: [one] });
    expect(await send()).toBe('ac ac');
    await service.patch(`${page.path}/subscribers/${subscribers.a}`, { component_ids: [two] });
    const [webhook] = await service.database.query<{ id: number }>(
      `select id from webhook where page_id = $1 and target ->> 'url' like '%/a.%'`,
      [page.id],
    );
    const changed = await service.graphql(
      'mutation ($id: ID!, $ids: [ID!]) { updateWebhook(id: $id, input: { componentIds: $ids }) { webhook { id } } }',
      { id: webhook!.id, ids: [two] },
    );
    expect(changed.json.errors).toBeUndefined();
    await changeNotice(notice, { state: 'resolved' });
    expect(await send()).toBe('c c');
  });

  test('and does not where they chose the same again', async () => {
    const notice = await page.notice({ component_ids: [one] });
    expect(await send()).toBe('ac ac');
    await service.patch(`${page.path}/subscribers/${subscribers.a}`, { component_ids: [one], first_name: 'Ada' });
    await changeNotice(notice, { component_ids: [two], state: 'resolved' });
    expect(await send()).toBe('abc abc');
  });

  test('before an earlier message, too, that their new choice was sent', async () => {
    const notice = await page.notice({ component_ids: [one] });
    await send();
    await service.patch(`${page.path}/subscribers/${subscribers.a}`, { component_ids: [two] });
    await changeNotice(notice, { component_ids: [two], state: 'identified' });
    expect(await send()).toBe('abc abc');
    await changeNotice(notice, { component_ids: [one], state: 'resolved' });
    expect(await send()).toBe('abc abc');
  });
});

test('who chooses anew while a message waits is sent neither that alone nor a later one out of scope', async () => {
  const three = await page.component('Reports');
  const notice = await page.notice({ component_ids: [one] });
  await fanOutAll(service.database);
  await service.patch(`${page.path}/subscribers/${subscribers.a}`, { component_ids: [one, three] });
  await changeNotice(notice, { component_ids: [two], state: 'resolved' });
  await fanOutAll(service.database);
  const leased = (await leaseAll(service.database)).filter(({ pageId }) => pageId === page.id);
  expect(leased.filter(({ address }) => address === 'a@example.com')).toEqual([]);
  const [last] = await service.database.query<{ id: number }>(
    'select max(id) as id from publication where page_id = $1',
    [page.id],
  );
  expect(leased.map(({ publicationId }) => publicationId)).toEqual(leased.map(() => last!.id));
});

test('preview, publication and ledger say who is notified because of an earlier message', async () => {
  const notice = await page.notice({ component_ids: [one] });
  await send();
  const query = `query ($page: ID!, $notice: ID, $input: NoticeChangeInput!) {
    previewPublication(pageId: $page, noticeId: $notice, input: $input) {
      audience { channel count notifiedEarlierCount } excluded { channel count notifiedEarlierCount } warnings { code message }
    }
  }`;
  const input = { updateNotice: { componentIds: [two], content: 'It is search.', shouldPublish: false } };
  const { json } = await service.graphql(query, { page: page.id, notice, input });
  expect(json.errors).toBeUndefined();
  expect(json.data.previewPublication).toEqual({
    audience: [
      { channel: 'EMAIL', count: 3, notifiedEarlierCount: 1 },
      { channel: 'WEBHOOK', count: 3, notifiedEarlierCount: 1 },
    ],
    excluded: expect.any(Array),
    warnings: [
      {
        code: 'NOTIFIED_EARLIER',
        message:
          'Including recipients notified earlier, who chose none of the components that the notice names now: ' +
          'E-mail (1), Webhooks (1). They are notified until it is over: say in the text what no longer affects them.',
      },
    ],
  });
  await changeNotice(notice, { component_ids: [two], additional_comment: 'It is search.' });
  const ledger = `query ($page: ID!) {
    publications(pageId: $page, first: 1) { nodes {
      audience { channel count notifiedEarlierCount } deliveries { nodes { address isDueToEarlierMessage } }
    } }
  }`;
  const readLedger = async () => (await service.graphql(ledger, { page: page.id })).json.data.publications.nodes[0];
  const expected = [
    { channel: 'EMAIL', count: 3, notifiedEarlierCount: 1 },
    { channel: 'WEBHOOK', count: 3, notifiedEarlierCount: 1 },
  ];
  expect((await readLedger()).audience).toEqual(expected);
  await send();
  const { audience, deliveries } = await readLedger();
  expect(audience).toEqual(expected);
  const earlier = deliveries.nodes.filter(
    (delivery: { isDueToEarlierMessage: boolean }) => delivery.isDueToEarlierMessage,
  );
  expect(earlier.map(({ address }: { address: string }) => address).sort()).toEqual(['a.example.net', 'a@example.com']);
});
