import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { inTransaction } from '../../../src/db/transaction.js';
import { query } from '../../../src/db/prepared-statements.js';
import { leaseDeliveries, leaseSql } from '../../../src/notifications/delivery/lease-deliveries.js';
import type { LeasedDelivery } from '../../../src/notifications/delivery/lease.js';
import { recordOutcomes } from '../../../src/notifications/delivery/record-outcomes.js';
import { createPublishingPage, fanOutAll } from '../../support/ledger.js';
import { useOwnService } from '../../support/service.js';
import { withChannels } from '../../support/settings.js';

const raceCount = 500;

// The embedded database runs one statement after the other, so there is no race.
const onServer = process.env.TEST_DATABASE_URL ? describe : describe.skip;

onServer('an unsubscription that races a lease', () => {
  const service = useOwnService(withChannels);
  beforeAll(async () => {
    // Slows leases down by some milliseconds and records their time, so that an unsubscription can come in between.
    await service.database.query('create table leased (subscriber_id integer, at timestamptz)');
    await service.database.query(`create function note_lease() returns trigger language plpgsql as $$ begin
      if new.state = 'sending' then
        perform pg_sleep(random() * 0.008); insert into leased values (new.subscriber_id, clock_timestamp());
      end if; return new; end $$`);
    await service.database.query(
      'create trigger note_lease before update on delivery for each row execute function note_lease()',
    );
    await service.database.query('create table unsubscribed (subscriber_id integer, at timestamptz)');
  });
  beforeEach(() => service.database.query('delete from publication'));

  async function createSubscribers(count: number): Promise<number[]> {
    const page = await createPublishingPage(service);
    await service.database.query(`update page set disabled_channels = '{chatA,chatB,social}'`);
    const rows = await service.database.query<{ id: number }>(
      `insert into subscriber (page_id, email, consent_source, created_at, updated_at, confirmed_at)
       select $1, 'n' || n || '@example.com', 'interface', at, at, at
       from generate_series(1, $2::integer) n, (select clock_timestamp() - interval '1 minute' as at) at
       returning id`,
      [page.id, count],
    );
    await page.notice();
    await fanOutAll(service.database);
    return rows.map(({ id }) => id);
  }

  /** The second statement records the time after the row was written and before the commit. */
  const unsubscribe = (id: number) =>
    inTransaction(service.database, async em => {
      await query(em, 'update subscriber set unsubscribed_at = clock_timestamp() where id = $1', [id]);
      await query(em, 'insert into unsubscribed values ($1, clock_timestamp())', [id]);
    });
  const randomDelay = (leastMs: number) =>
    new Promise(done => setTimeout(done, Math.max(0, leastMs) + Math.random() * 12));

  /** One subscriber after the other, each with nothing else to lease. */
  async function runRaces(ids: number[], leaseNext: () => Promise<LeasedDelivery[]>) {
    const send = async () => {
      const deliveries = await leaseNext();
      await recordOutcomes(
        service.database,
        deliveries.map(({ id, lease }) => ({
          id,
          lease,
          outcome: 'sent',
          response: 'ok',
          retrySeconds: null,
          thread: null,
        })),
      );
      return deliveries.length;
    };
    // Of the lease; negative: of the unsubscription. It balances the races where a busy machine slows one of them more.
    let headStartMs = 0;
    await service.database.query(
      `update delivery set state = 'retrying', due_at = clock_timestamp() + interval '1 hour'`,
    );
    for (const id of ids) {
      await service.database.query(`update delivery set state = 'pending' where subscriber_id = $1`, [id]);
      const [leasedFirst] = await Promise.all([
        randomDelay(-headStartMs).then(send),
        randomDelay(headStartMs).then(() => unsubscribe(id)),
      ]);
      headStartMs += leasedFirst ? -0.5 : 0.5;
      await send();
    }
    const [found] = await service.database.query<{ leased: number; late: number }>(
      `select count(c.at)::integer as leased, count(*) filter (where c.at > u.at)::integer as late
       from delivery d join unsubscribed u on u.subscriber_id = d.subscriber_id
         left join leased c on c.subscriber_id = d.subscriber_id`,
    );
    return found!;
  }

  test(`is never followed by a lease, in ${raceCount} races`, async () => {
    const ids = await createSubscribers(raceCount);
    const { leased, late } = await runRaces(
      ids,
      async () =>
        (await leaseDeliveries(service.database, { worker: 'w', limit: 1, maxRetries: 0, blocked: [] })).leased,
    );
    expect(late).toBe(0);
    // Otherwise there was no race.
    expect(leased).toBeGreaterThan(raceCount / 10);
    expect(leased).toBeLessThan((raceCount * 9) / 10);
  });

  test('is followed by a lease without the lock on subscribers', async () => {
    const unlocked = leaseSql.replace(' for share of s skip locked', '');
    expect(unlocked).not.toBe(leaseSql);
    const { late } = await runRaces(await createSubscribers(100), () =>
      service.database
        .query<LeasedDelivery>(unlocked, ['w', 1, 0, [], [], []])
        .then(rows => rows.filter(({ lease }) => lease)),
    );
    expect(late).toBeGreaterThan(0);
  });
});
