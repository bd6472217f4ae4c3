/** @jest-environment ./test/support/isolated-environment.js */
import '../../support/all-channels.js';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { inTransaction } from '../../../src/records/writer.js';
import { query } from '../../../src/db/prepared-statements.js';
import { type Claimed, claim, claimSql, record } from '../../../src/notifications/delivery/queue.js';
import { newTellingPage, spreadAll } from '../../support/ledger.js';
import { startTestService, type TestService } from '../../support/service.js';

const races = 500;

// The embedded database does one thing after the other: there is no race on it.
const onServer = process.env.TEST_DATABASE_URL ? describe : describe.skip;

onServer('Unsubscribing against sending', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService();
    // A claim that takes some milliseconds, and says when it came to write: there is room for something to come in between.
    await service.database.query('create table claimed (subscriber_id integer, at timestamptz)');
    await service.database.query(`create function note_claim() returns trigger language plpgsql as $$ begin
      if new.state = 'sending' then perform pg_sleep(random() * 0.008); insert into claimed values (new.subscriber_id, clock_timestamp()); end if; return new; end $$`);
    await service.database.query(
      'create trigger note_claim before update on delivery for each row execute function note_claim()',
    );
    await service.database.query('create table left_at (subscriber_id integer, at timestamptz)');
  });
  afterAll(() => service.stop());
  beforeEach(() => service.database.query('delete from publication'));

  async function subscribed(count: number): Promise<number[]> {
    const page = await newTellingPage(service);
    await service.database.query('update page set chat_a_switch = false, chat_b_switch = false, social_switch = false');
    const rows = await service.database.query<{ id: number }>(
      `insert into subscriber (page_id, email, consent_source, created_at, updated_at, confirmed_at)
       select $1, 'n' || n || '@example.com', 'interface', at, at, at from generate_series(1, $2::integer) n, (select clock_timestamp() - interval '1 minute' as at) at
       returning id`,
      [page.id, count],
    );
    await page.notice();
    await spreadAll(service.database);
    return rows.map(({ id }) => id);
  }

  /** From the second statement on the row is written; the commit follows. */
  const unsubscribe = (id: number) =>
    inTransaction(service.database, async em => {
      await query(em, 'update subscriber set unsubscribed_at = clock_timestamp() where id = $1', [id]);
      await query(em, 'insert into left_at values ($1, clock_timestamp())', [id]);
    });
  const someTime = () => new Promise(done => setTimeout(done, Math.random() * 6));

  /** One after the other, each with nothing else to claim. */
  async function race(ids: number[], claimed: () => Promise<Claimed[]>) {
    const send = async () =>
      record(
        service.database,
        (await claimed()).map(({ id, lease }) => ({
          id,
          lease,
          outcome: 'sent',
          answer: 'ok',
          retrySeconds: null,
          thread: null,
        })),
      );
    await service.database.query(
      `update delivery set state = 'retrying', due_at = clock_timestamp() + interval '1 hour'`,
    );
    for (const id of ids) {
      await service.database.query(`update delivery set state = 'pending' where subscriber_id = $1`, [id]);
      await Promise.all([someTime().then(send), someTime().then(() => unsubscribe(id))]);
      await send();
    }
    const [found] = await service.database.query<{ claimed: number; late: number }>(
      `select count(c.at)::integer as claimed, count(*) filter (where c.at > l.at)::integer as late
       from delivery d join left_at l on l.subscriber_id = d.subscriber_id left join claimed c on c.subscriber_id = d.subscriber_id`,
    );
    return found!;
  }

  test(`in ${races} races nothing is claimed of who has left`, async () => {
    const ids = await subscribed(races);
    const { claimed, late } = await race(
      ids,
      async () => (await claim(service.database, { worker: 'w', limit: 1, retries: 0, shut: [] })).claimed,
    );
    expect(late).toBe(0);
    // Else there was no race.
    expect(claimed).toBeGreaterThan(races / 10);
    expect(claimed).toBeLessThan((races * 9) / 10);
  });

  test('without the lock on subscribers something would be', async () => {
    const unlocked = claimSql.replace(' for share of s skip locked', '');
    expect(unlocked).not.toBe(claimSql);
    const { late } = await race(await subscribed(100), () =>
      service.database.query<Claimed>(unlocked, ['w', 1, 0, []]).then(rows => rows.filter(({ lease }) => lease)),
    );
    expect(late).toBeGreaterThan(0);
  });
});
