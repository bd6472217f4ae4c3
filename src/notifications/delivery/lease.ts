import type { Database } from '../../db/database.js';
import type { ChannelName } from '../channels/registry.js';
import type { DeliveryState } from './delivery.states.js';

/** How long a delivery belongs to a worker that does not renew its lease. */
export const leaseMs = 5_000;

/** When a lease that is taken or renewed now expires, by the clock of the database. */
export const leaseExpirySql = `clock_timestamp() + interval '${leaseMs} milliseconds'`;

export interface LeasedDelivery {
  id: string;
  lease: string;
  pageId: string;
  publicationId: number;
  channel: ChannelName;
  address: string;
  subscriberId: number | null;
  webhookId: number | null;
  messageId: string;
  thread: string | null;
  tries: number;
  /** Whether it goes to a host that anybody may run: `isUntrustedSql`. */
  isUntrusted: boolean;
  /** Since it was queued, by the clock of the database. */
  ageSeconds: number;
}

export interface LeaseRequest {
  worker: string;
  /** Deliveries, at most. */
  limit: number;
  /** How many of them may have been tried before. */
  maxRetries: number;
  /** What nothing is to be leased of now: channels, targets by `targetOf`, and channels by `untrustedOf`. */
  blocked: readonly string[];
  /** The same of what no retry is to be leased of. */
  blockedRetries?: readonly string[];
  /** Ids of what this worker holds: it is alive, and renews an expired lease late where statements take long. */
  held?: readonly string[];
}

type Held = Pick<LeasedDelivery, 'id' | 'lease'>;

/** Joins the deliveries `d` whose lease is still the same; its parameters come from `toHeldParameters`. */
const heldSql = 'from unnest($1::bigint[], $2::uuid[]) held (id, lease) where d.id = held.id and d.lease = held.lease';

const toHeldParameters = (held: readonly Held[]) => [held.map(({ id }) => id), held.map(({ lease }) => lease)];

/** Extends the leases that are still valid. Returns the ids of their deliveries; the others were taken over. */
export async function renewLeases(database: Database, held: readonly Held[]): Promise<Set<string>> {
  const rows = await database.query<{ id: string }>(
    `update delivery d set leased_until = ${leaseExpirySql} ${heldSql} returning d.id::text`,
    toHeldParameters(held),
  );
  return new Set(rows.map(({ id }) => id));
}

const stateAfterRelease: Record<'untried' | 'tried', DeliveryState> = { untried: 'pending', tried: 'retrying' };

const releaseSql = `
  update delivery d set
    state = case when d.tries = 1 then '${stateAfterRelease.untried}' else '${stateAfterRelease.tried}' end,
    tries = d.tries - 1, lease = null, leased_until = null
  ${heldSql}`;

export async function releaseDeliveries(database: Database, held: readonly Held[]): Promise<void> {
  await database.query(releaseSql, toHeldParameters(held));
}
