import type { Database } from '../../db/database.js';
import type { DeliveryState } from './delivery.states.js';
import { type Held, heldSql, toHeldParameters } from './lease.js';

const stateAfterRelease: Record<'untried' | 'tried', DeliveryState> = { untried: 'pending', tried: 'retrying' };

const releaseSql = `
  update delivery d set
    state = case when d.tries = 1 then '${stateAfterRelease.untried}' else '${stateAfterRelease.tried}' end,
    tries = d.tries - 1, lease = null, leased_until = null
  ${heldSql}`;

export async function releaseDeliveries(database: Database, held: readonly Held[]): Promise<void> {
  await database.query(releaseSql, toHeldParameters(held));
}
