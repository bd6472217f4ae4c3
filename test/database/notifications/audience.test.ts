import { beforeEach, describe, expect, test } from '@jest/globals';
import { createPublishingPage, fanOutAll } from '../../support/ledger.js';
import { useService } from '../../support/service.js';

const service = useService();
let page: Awaited<ReturnType<typeof createPublishingPage>>;
beforeEach(async () => {
  page = await createPublishingPage(service);
});

const pageChannels = [
  ['chatA', 'Slack'],
  ['chatB', 'Microsoft Teams'],
  ['social', 'Mastodon'],
];
const fanOut = async () => {
  await fanOutAll(service.database);
  return (await page.deliveries()).map(({ channel, address }) => [channel, address]);
};
const addresses = async () => (await fanOut()).filter(([channel]) => channel === 'email').map(([, address]) => address);

describe('the fan-out creates deliveries', () => {
  test('for every address of every subscriber and every channel of the page, once each', async () => {
    const both = await page.subscribe('both@example.com');
    await service.patch(`${page.path}/subscribers/${both}`, { phone_number: '+4479460000' });
    await page.subscribe('mail@example.com');
    await page.subscribe('+4479460001');
    await page.notice();
    const all = await fanOut();
    expect(all.toSorted()).toEqual(
      [
        ['email', 'both@example.com'],
        ['sms', '+4479460000'],
        ['email', 'mail@example.com'],
        ['sms', '+4479460001'],
        ...pageChannels,
      ].toSorted(),
    );
    const rows = await page.deliveries();
    expect(new Set(rows.map(({ messageId }) => messageId)).size).toBe(rows.length);
    expect(rows.map(({ messageId }) => messageId)).toEqual(
      rows.map(() => expect.stringMatching(/^<[0-9a-f-]{36}@example\.com>$/)),
    );
  });

  test('once, however often it runs', async () => {
    await page.subscribe('mail@example.com');
    await page.notice();
    await fanOut();
    const before = await page.deliveries();
    await service.database.query(
      'update publication set fanned_out_at = null, fanned_out_through = 0 where page_id = $1',
      [page.id],
    );
    await fanOutAll(service.database);
    expect((await page.deliveries()).map(({ id }) => id)).toEqual(before.map(({ id }) => id));
  });

  test('for subscribers who were confirmed before the publication and did not unsubscribe', async () => {
    const ids = await Promise.all(
      ['confirmed', 'unsubscribed', 'unconfirmed'].map(name => page.subscribe(`${name}@example.com`)),
    );
    await service.database.query('update subscriber set unsubscribed_at = clock_timestamp() where id = $1', [ids[1]]);
    await service.database.query('update subscriber set confirmed_at = null where id = $1', [ids[2]]);
    await page.notice();
    await service.database.query(
      "update publication set created_at = created_at - interval '1 second' where page_id = $1",
      [page.id],
    );
    await service.database.query(
      "update subscriber set confirmed_at = confirmed_at - interval '1 minute' where id = any($1::integer[])",
      [ids],
    );
    await page.subscribe('late@example.com');
    expect(await addresses()).toEqual(['confirmed@example.com']);
  });

  test('for those who were confirmed before the clock of the database was set back', async () => {
    await page.subscribe('before@example.com');
    const create =
      'mutation($page: ID!, $input: CreateWebhookInput!) { createWebhook(pageId: $page, input: $input) { secret } }';
    await service.graphql(create, { page: page.id, input: { url: 'https://hooks.example.com/before' } });
    for (const table of ['subscriber', 'webhook'])
      await service.database.query(
        `update ${table} set confirmed_at = confirmed_at + interval '1 hour' where page_id = $1`,
        [page.id],
      );
    await page.notice();
    expect(await fanOut()).toEqual(
      expect.arrayContaining([
        ['email', 'before@example.com'],
        ['webhook', expect.stringContaining('hooks.example.com')],
      ]),
    );
  });

  test('for subscribers of a component when it, a descendant or an ancestor is named', async () => {
    const top = await page.component('top');
    const middle = await page.component('middle', top);
    const below = await page.component('below', middle);
    const beside = await page.component('beside', top);
    for (const [name, id] of Object.entries({ top, middle, below, beside }))
      await page.subscribe(`${name}@example.com`, [id]);
    await page.subscribe('all@example.com');
    await page.notice({ component_ids: [middle] });
    expect((await addresses()).toSorted()).toEqual([
      'all@example.com',
      'below@example.com',
      'middle@example.com',
      'top@example.com',
    ]);
  });

  test('for subscribers of deleted components only when the notice never named a component', async () => {
    const gone = await page.component('gone');
    const other = await page.component('other');
    await page.subscribe('chose@example.com', [gone]);
    const named = await page.notice({ component_ids: [gone], should_publish: false });
    await service.delete(`${page.path}/components/${gone}`);
    await page.update(named);
    await page.notice({ component_ids: [other] });
    expect(await addresses()).toEqual([]);
    await page.notice();
    expect(await addresses()).toEqual(['chose@example.com']);
  });

  test('for subscribers who chose the type of the notice', async () => {
    for (const name of ['planned', 'unplanned']) await page.subscribe(`${name}@example.com`);
    await service.database.query(`update subscriber set kinds = array[split_part(email, '@', 1)] where page_id = $1`, [
      page.id,
    ]);
    await page.notice();
    expect(await addresses()).toEqual(['unplanned@example.com']);
    await page.notice({ type: 'general' });
    expect(await addresses()).toHaveLength(1);
  });

  test('for channels that are switched on', async () => {
    await page.subscribe('mail@example.com');
    await service.database.query(`update page set disabled_channels = '{email,chatA,social}' where id = $1`, [page.id]);
    await page.notice();
    expect(await fanOut()).toEqual([['chatB', 'Microsoft Teams']]);
  });

  test('for phone numbers when an incident opens or closes and when a maintenance begins', async () => {
    await page.subscribe('+4479460001');
    const incident = await page.notice();
    await page.update(incident);
    await service.patch(`${page.path}/notices/${incident}`, { state: 'resolved', should_publish: true });
    const maintenance = await page.notice({
      type: 'planned',
      begins_at_date: '2099-01-01',
      begins_at_time: '00:00',
      duration_in_minutes: 60,
    });
    for (const state of ['underway', 'complete'])
      await service.patch(`${page.path}/notices/${maintenance}`, { state, should_publish: true });
    await fanOutAll(service.database);
    const events = await service.database.query(
      `select p.event from delivery d join publication p on p.id = d.publication_id
       where d.channel = 'sms' and d.page_id = $1 order by p.id`,
      [page.id],
    );
    expect(events).toEqual([{ event: 'opened' }, { event: 'closed' }, { event: 'begun' }]);
  });

  test.each([
    ['completed after its window', 'complete', [1, 'begun', 1, 'completed']],
    ['cancelled', 'cancelled', [1, 'begun', 1, 'cancelled']],
  ])('for phone numbers when a maintenance that has begun is %s', async (_, state, expected) => {
    await page.subscribe('+4479460001');
    const maintenance = await page.notice({
      type: 'planned',
      begins_at_date: '2026-01-01',
      begins_at_time: '00:00',
      duration_in_minutes: 60,
    });
    for (const next of ['underway', state])
      await service.patch(`${page.path}/notices/${maintenance}`, { state: next, should_publish: true });
    await fanOutAll(service.database);
    const sent = await service.database.query<{ count: number; event: string }>(
      `select count(*)::integer as count, p.event from delivery d join publication p on p.id = d.publication_id
       where d.channel = 'sms' and d.page_id = $1 group by p.id, p.event order by p.id`,
      [page.id],
    );
    expect(sent.flatMap(({ count, event }) => [count, event])).toEqual(expected);
  });

  test('for phone numbers to which an SMS said that the maintenance began, or will, when it is cancelled', async () => {
    const phones = ['sent', 'pending', 'skipped', 'dead'].map((state, at) => [state, `+447946000${at}`] as const);
    for (const [, phone] of phones) await page.subscribe(phone);
    const maintenance = await page.notice({
      type: 'planned',
      begins_at_date: '2026-01-01',
      begins_at_time: '00:00',
      duration_in_minutes: 60,
    });
    const change = (state: string) =>
      service.patch(`${page.path}/notices/${maintenance}`, { state, should_publish: true });
    await change('underway');
    await fanOutAll(service.database);
    for (const [state, phone] of phones)
      await service.database.query(
        `update delivery set state = $1, reason = case $1 when 'skipped' then 'stopped' when 'dead' then 'gave up' end
         where address = $2`,
        [state, phone],
      );
    await page.subscribe('+4479460009');
    await change('cancelled');
    await fanOutAll(service.database);
    const sent = await service.database.query<{ address: string }>(
      `select d.address from delivery d join publication p on p.id = d.publication_id
       where d.channel = 'sms' and d.page_id = $1 and p.event = 'cancelled' order by d.address`,
      [page.id],
    );
    expect(sent.map(({ address }) => address)).toEqual([phones[0]![1], phones[1]![1]]);
  });

  test('for no phone number when a maintenance is cancelled before it begins', async () => {
    await page.subscribe('+4479460001');
    const window = { begins_at_date: '2099-01-01', begins_at_time: '00:00', duration_in_minutes: 60 };
    const maintenance = await page.notice({ type: 'planned', ...window });
    await service.patch(`${page.path}/notices/${maintenance}`, { state: 'cancelled', should_publish: true });
    await fanOutAll(service.database);
    expect((await page.deliveries()).filter(({ channel }) => channel === 'sms')).toEqual([]);
  });
});

test('a fan-out that runs again creates no delivery a second time', async () => {
  await page.subscribe('once@example.com');
  await page.notice();
  const first = await fanOut();
  await service.database.query(
    'update publication set fanned_out_at = null, fanned_out_through = 0 where page_id = $1',
    [page.id],
  );
  expect(await fanOut()).toEqual(first);
  expect(first).toHaveLength(4);
});
