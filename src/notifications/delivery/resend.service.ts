import { query } from '../../db/prepared-statements.js';
import type { Writer } from '../../records/writer.js';
import { Refusal } from '../../core/errors.js';
import { Page } from '../../pages/page.entity.js';
import { Delivery } from './delivery.entity.js';

/**
 * A dead delivery is to be sent again: its time begins anew, and it goes after what was never tried, since it may be one of thousands. Whether it may still be
 * sent at all is looked at when it is claimed, as of every other.
 */
const againSql = `update delivery set state = 'retrying', reason = null, tries = 0, queued_at = clock_timestamp(), due_at = clock_timestamp() where state = 'dead'`;

export function resendDelivery(write: Writer, pageId: string, id: string): Promise<number> {
  return write.transaction(async unit => {
    const delivery = await unit.find<Delivery>([
      [Page, pageId],
      [Delivery, id],
    ]);
    const done = await query(unit.em, `${againSql} and id = $1 returning id`, [delivery.id]);
    if (!done.length)
      throw new Refusal('CONFLICT', `Only a dead delivery can be sent again; this one is ${delivery.state}.`);
    return delivery.id;
  });
}

/** Returns how many there are. */
export function resendDeadDeliveries(write: Writer, pageId: string): Promise<number> {
  return write.transaction(async unit => {
    await unit.find<Page>([[Page, pageId]]);
    const [row] = await query<{ count: number }>(
      unit.em,
      `with again as (${againSql} and page_id = $1 returning 1) select count(*)::integer as count from again`,
      [pageId],
    );
    return row!.count;
  });
}
