import type { ChannelName } from '../channels/registry.js';

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
  messageId: string;
  thread: string | null;
  tries: number;
  /** Since it was queued, by the clock of the database. */
  ageSeconds: number;
}

export type Held = Pick<LeasedDelivery, 'id' | 'lease'>;

/** Joins the deliveries `d` whose lease is still the given one; its parameters come from `toHeldParameters`. */
export const heldSql =
  'from unnest($1::bigint[], $2::uuid[]) held (id, lease) where d.id = held.id and d.lease = held.lease';

export const toHeldParameters = (held: readonly Held[]) => [held.map(({ id }) => id), held.map(({ lease }) => lease)];
