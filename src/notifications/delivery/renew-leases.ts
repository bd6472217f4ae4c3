import type { Database } from '../../db/database.js';
import { type Held, heldSql, leaseExpirySql, toHeldParameters } from './lease.js';

/** Extends the leases that are still valid. Returns the ids of their deliveries; the others were taken over. */
export async function renewLeases(database: Database, held: readonly Held[]): Promise<Set<string>> {
  const rows = await database.query<{ id: string }>(
    `update delivery d set leased_until = ${leaseExpirySql} ${heldSql} returning d.id::text`,
    toHeldParameters(held),
  );
  return new Set(rows.map(({ id }) => id));
}
