import type { Database } from '../../db/database.js';
import type { AttemptOutcome } from './attempt.entity.js';
import { deathReasons } from './delivery.states.js';
import { countRefusalsSql } from './suspension.js';

export interface DeliveryOutcome {
  id: string;
  lease: string;
  outcome: AttemptOutcome;
  response: string;
  /** Until the next attempt; null when there is none. */
  retrySeconds: number | null;
  thread: string | null;
  /** Refused since there is nobody at the address. */
  isGone?: boolean;
}

/**
 * Changes a delivery only while the reporting worker holds its lease: a delivery that was taken over belongs to
 * another worker. But what was sent is not sent again in any case. The attempt is recorded always, since it
 * was made.
 */
const recordSql = `
  with outcomes as materialized (
    select outcomes.*, false as is_bounce
    from unnest($1::bigint[], $2::uuid[], $3::text[], $4::text[], $5::float8[], $6::text[],
        $7::boolean[])
      outcomes (id, lease, outcome, response, retry_seconds, thread, is_gone)
  ), ${countRefusalsSql}, updated as (
    update delivery d set
      state = case when o.outcome = 'sent' then 'sent' when o.retry_seconds is null then 'dead' else 'retrying' end,
      reason = case when o.outcome = 'refused' then '${deathReasons.refused}'
        when o.outcome <> 'sent' and o.retry_seconds is null then '${deathReasons.gaveUp}' end,
      tries = d.tries - (o.outcome = 'deferred')::integer,
      due_at = clock_timestamp() + coalesce(o.retry_seconds, 0) * interval '1 second',
      sent_at = case when o.outcome = 'sent' then clock_timestamp() end,
      thread = coalesce(o.thread, d.thread), lease = null, leased_until = null
    from outcomes o where d.id = o.id and (d.lease = o.lease and d.state = 'sending'
      or o.outcome = 'sent' and d.state in ('sending', 'retrying'))
  )
  insert into attempt (delivery_id, at, outcome, response)
  select d.id, clock_timestamp(), o.outcome, o.response from outcomes o join delivery d on d.id = o.id`;

export async function recordOutcomes(database: Database, outcomes: readonly DeliveryOutcome[]): Promise<void> {
  const column = <Name extends keyof DeliveryOutcome>(name: Name) => outcomes.map(outcome => outcome[name]);
  await database.query(recordSql, [
    column('id'),
    column('lease'),
    column('outcome'),
    column('response'),
    column('retrySeconds'),
    column('thread'),
    outcomes.map(({ isGone }) => isGone ?? false),
  ]);
}
