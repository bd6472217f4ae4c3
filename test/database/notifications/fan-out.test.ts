import { beforeEach, expect, test } from '@jest/globals';
import { query } from '../../../src/db/prepared-statements.js';
import { inTransaction } from '../../../src/db/transaction.js';
import { chunkSize, fanOutNext, fanOutSql } from '../../../src/notifications/delivery/fan-out.js';
import { leaseSql } from '../../../src/notifications/delivery/lease-deliveries.js';
import { createPublishingPage, fanOutAll, leaseAll } from '../../support/ledger.js';
import { countRowsRead } from '../../support/rows-read.js';
import { useOwnService } from '../../support/service.js';
import { withChannels } from '../../support/settings.js';

const service = useOwnService(withChannels);
let page: Awaited<ReturnType<typeof createPublishingPage>>;
beforeEach(async () => {
  await service.database.query('delete from publication');
  page = await createPublishingPage(service);
});

test('the fan-out reaches more subscribers than a chunk, and those of a small page do not wait for them', async () => {
  const small = await createPublishingPage(service);
  await small.subscribe('small@example.com');
  await service.database.query(
    `insert into subscriber (page_id, email, consent_source, created_at, updated_at, confirmed_at)
     select $1, 'n' || n || '@example.com', 'interface', now, now, now - interval '1 minute'
     from generate_series(1, $2::integer) n, clock_timestamp() now`,
    [page.id, chunkSize + 1],
  );
  await page.notice();
  await small.notice();
  await fanOutTurns(2);
  expect((await small.deliveries()).filter(({ channel }) => channel === 'email')).toHaveLength(1);
  await fanOutAll(service.database);
  expect((await page.deliveries()).filter(({ channel }) => channel === 'email')).toHaveLength(chunkSize + 1);
});

test('publications of a page delay those of another page by one of them', async () => {
  const other = await createPublishingPage(service);
  await other.subscribe('other@example.com');
  for (let count = 0; count < 5; count++) await page.notice();
  await other.notice();
  await fanOutTurns(2);
  expect((await other.deliveries()).filter(({ channel }) => channel === 'email')).toHaveLength(1);
  await fanOutAll(service.database);
});

/** As a worker: each turn is that of another page. */
async function fanOutTurns(count: number): Promise<void> {
  const turn = { lastPageId: '' };
  for (let round = 0; round < count; round++)
    expect(await fanOutNext(service.database, turn)).toEqual({ targets: expect.any(Array), waits: false });
}

test('a page whose deliveries cannot be created loses its turn to the others', async () => {
  const other = await createPublishingPage(service);
  const [first, second] = [page, other].toSorted((one, two) => (one.id < two.id ? -1 : 1)) as [
    typeof page,
    typeof page,
  ];
  await second.subscribe('second@example.com');
  for (const each of [first, second]) await each.notice();
  await service.database.query(
    `alter table delivery add constraint fails_for_test check (page_id <> '${first.id}') not valid`,
  );
  try {
    const turn = { lastPageId: '' };
    await expect(fanOutNext(service.database, turn)).rejects.toThrow('fails_for_test');
    expect(await fanOutNext(service.database, turn)).toMatchObject({ targets: expect.any(Array) });
    expect((await second.deliveries()).map(({ address }) => address)).toContain('second@example.com');
  } finally {
    await service.database.query('alter table delivery drop constraint fails_for_test');
  }
});

/** Creates the deliveries of the next publication, and counts the rows that it reads. */
const countRead = () => countRowsRead(service.database, fanOutSql.replaceAll('$1', "''"));

const recipients = 40;
const publications = 30;

const resolveElsewhere = async (notice: number) =>
  service.patch(`${page.path}/notices/${notice}`, {
    state: 'resolved',
    component_ids: [await page.component('Search')],
    should_publish: true,
  });

const listEvents = (address: string) =>
  service.database.query<{ event: string; state: string }>(
    `select event, state from delivery join publication p on p.id = publication_id where address = $1 order by p.id`,
    [address],
  );

const openedThenClosed = [
  { event: 'opened', state: 'skipped' },
  { event: 'closed', state: 'pending' },
];

// The embedded database has one connection, so there is one transaction at a time.
const testOnServer = process.env.TEST_DATABASE_URL ? test : test.skip;

testOnServer(
  'who is notified of the beginning is notified of the end, also where two workers create deliveries',
  async () => {
    const cards = await page.component('Cards');
    await page.subscribe('cards@example.com', [cards]);
    await resolveElsewhere(await page.notice({ component_ids: [cards] }));
    await inTransaction(service.database, async em => {
      await query(em, fanOutSql, ['']);
      // Another worker, before the commit of the first one.
      expect(await fanOutNext(service.database)).toEqual({ targets: null, waits: true });
    });
    await fanOutAll(service.database);
    expect(await listEvents('cards@example.com')).toEqual(openedThenClosed);
  },
);

test('who is notified of the beginning is notified of the end, also where somebody leaves a long list', async () => {
  const cards = await page.component('Cards');
  await page.subscribeMany(chunkSize);
  await page.subscribe('last@example.com', [cards]);
  await service.database.query(`update subscriber set confirmed_at = confirmed_at - interval '1 minute'`);
  const notice = await page.notice({ component_ids: [cards] });
  await fanOutNext(service.database);
  await service.database.query(`delete from subscriber where email = 'n1@example.com'`);
  await resolveElsewhere(notice);
  await fanOutAll(service.database);
  expect(await listEvents('last@example.com')).toEqual(openedThenClosed);
});

test('an end does not wait for the beginning that was stopped', async () => {
  await page.subscribe('one@example.com');
  const notice = await page.notice();
  await service.database.query('update publication set stopped_at = clock_timestamp(), held_until = $1', ['infinity']);
  await resolveElsewhere(notice);
  await fanOutAll(service.database);
  expect(await listEvents('one@example.com')).toEqual(openedThenClosed);
});

test('the publications of a notice are not read for each of its recipients', async () => {
  await page.subscribeMany(recipients);
  const notice = await page.notice({ initial_comment: 'We look.' });
  for (let count = 1; count < publications; count++) await page.update(notice);
  await fanOutAll(service.database);
  await page.update(notice);
  expect((await countRead())('delivery')).toBeLessThan((recipients * publications) / 2);
});

test('the texts of its corrections are not compared for each of its recipients', async () => {
  await page.subscribeMany(recipients);
  const notice = await page.notice({ initial_comment: 'Wrong.' });
  await fanOutAll(service.database);
  await service.database.query("update delivery set state = 'sent'");
  const [update] = await service.database.query<{ id: number }>('select id from notice_update where notice_id = $1', [
    notice,
  ]);
  const correct = async (content: string) => {
    await service.patch(`${page.path}/notices/${notice}/updates/${update!.id}`, { content });
    const mutation = 'mutation ($id: ID!) { notifyCorrection(id: $id) { publication { id } } }';
    const { json } = await service.graphql(mutation, { id: update!.id });
    return json.data.notifyCorrection.publication.id;
  };
  for (let count = 0; count < 10; count++) {
    await correct(`Right ${count}.`);
    await fanOutAll(service.database);
  }
  await correct('Right at last.');
  // As after a vacuum of few rows.
  await service.database.query('vacuum (full, analyze) publication');
  expect((await countRead())('publication', "'correction'")).toBeLessThan(recipients * 2);
});

/** Publications of the same notice, for which nobody has a delivery. */
const publishForNobody = (count: number) =>
  service.database.query(
    `insert into publication (page_id, notice_id, update_id, notice_type, event, made_by, message_snapshot, created_at,
       fanned_out_at, scope)
     select page_id, notice_id, update_id, notice_type, event, made_by, message_snapshot, now, now, '{}'
     from publication cross join clock_timestamp() now cross join generate_series(1, $1::integer)`,
    [count],
  );

test('the publications of a notice are not all read for recipients who chose other components', async () => {
  await page.subscribeMany(recipients);
  const notice = await page.notice({ initial_comment: 'We look.' });
  await service.database.query(
    `update subscriber set chose_components = true, phone_number = '+4915112345' || id where page_id = $1`,
    [page.id],
  );
  await service.database.query(`update publication set scope = '{}', fanned_out_at = created_at`);
  await publishForNobody(300);
  await page.update(notice);
  await service.database.query(`update publication set scope = '{}' where fanned_out_at is null`);
  expect((await countRead())('delivery')).toBeLessThan(recipients * 2 * 150);
});

test('who was sent the beginning is sent what follows after thirty publications to nobody, whatever the clock says', async () => {
  const quiet = await createPublishingPage(service, {}, []);
  await quiet.subscribe('one@example.com');
  const notice = await quiet.notice({ initial_comment: 'We look.' });
  await fanOutAll(service.database);
  await service.database.query(`update delivery set state = 'sent', sent_at = created_at where notice_id = $1`, [
    notice,
  ]);
  await publishForNobody(30);
  // The clock of the database was an hour ahead until now.
  await service.database.query(`update publication set created_at = created_at + interval '1 hour'`);
  await service.database.query('update subscriber set chose_components = true where page_id = $1', [quiet.id]);
  await quiet.update(notice);
  await service.database.query(`update publication set scope = '{}' where fanned_out_at is null`);
  await fanOutAll(service.database);
  const states = (await quiet.deliveries()).map(({ state }) => state);
  expect(states.toSorted()).toEqual(['pending', 'sent']);
});

test('what waits to be tried again is superseded by a later message, whatever the clock says', async () => {
  const quiet = await createPublishingPage(service, {}, []);
  await quiet.subscribe('one@example.com');
  const notice = await quiet.notice({ initial_comment: 'We look.' });
  await fanOutAll(service.database);
  await service.database.query(`update publication set created_at = created_at + interval '1 hour'`);
  await quiet.update(notice);
  await fanOutAll(service.database);
  await service.database.query(
    `update delivery set state = case when state = 'pending' then 'sent' else 'retrying' end, reason = null`,
  );
  await leaseAll(service.database);
  expect((await quiet.deliveries()).map(({ state, reason }) => [state, reason])).toEqual([
    ['skipped', 'superseded'],
    ['sent', null],
  ]);
});

test('the later publications of a notice are not all read for a delivery that is leased', async () => {
  await page.subscribeMany(recipients);
  await page.notice({ initial_comment: 'We look.' });
  await fanOutAll(service.database);
  await publishForNobody(300);
  const values = [`'worker'`, '10', '10', `'{}'`, `'{}'`, `'{}'`];
  const sql = values.reduce((text, value, index) => text.replaceAll(`$${index + 1}`, value), leaseSql);
  expect((await countRowsRead(service.database, sql))('delivery')).toBeLessThan(10 * 250);
});

test('the SMS that a maintenance has ended late looks at the last two that said that it began', async () => {
  const phones = [1, 2, 3].map(number => `+447946000${number}`);
  const window = { begins_at_date: '2026-01-01', begins_at_time: '00:00', duration_in_minutes: 60 };
  const maintenance = await page.notice({ type: 'planned', ...window });
  const change = (state: string) =>
    service.patch(`${page.path}/notices/${maintenance}`, { state, should_publish: true });
  for (const phone of phones) {
    await page.subscribe(phone);
    for (const state of ['scheduled', 'underway']) await change(state);
    await fanOutAll(service.database);
  }
  // Each was sent another one of the three.
  await service.database.query(
    `update delivery set state = case when address = ($1::text[])[begun.number] then 'sent' else 'dead' end
     from (select id, row_number() over (order by id) as number from publication where event = 'begun') begun
     where publication_id = begun.id`,
    [phones],
  );
  await change('complete');
  await fanOutAll(service.database);
  const late = await service.database.query<{ address: string }>(
    `select address from delivery join publication p on p.id = publication_id
     where channel = 'sms' and p.event = 'completed' order by address`,
  );
  expect(late.map(({ address }) => address)).toEqual(phones.slice(1));
});
