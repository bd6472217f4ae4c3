import { markDeliveriesQueued } from '../../db/committed-changes.js';
import { query } from '../../db/prepared-statements.js';
import type { Meta } from '../../records/column-mapping.js';
import { compileFilter, type Filter } from '../../records/filter-sql.js';
import { Statement, type StatementOptions } from '../../records/statement.js';
import type { Writer } from '../../records/writer.js';
import { Refusal } from '../../core/errors.js';
import { Page } from '../../pages/page.entity.js';
import { Delivery } from './delivery.entity.js';

/**
 * Restarts the retry period. The state is `retrying`, not `pending`, so that thousands of resent deliveries do not
 * delay those never tried. Whether the message may still be sent is checked when it is leased, as for every delivery.
 */
const resendSql = `
  update delivery set state = 'retrying', reason = null, tries = 0,
    queued_at = clock_timestamp(), due_at = clock_timestamp()
  where state = 'dead'`;

export function resendDelivery(write: Writer, pageId: string, id: string): Promise<string> {
  return write.transaction(async unit => {
    const delivery = await unit.find<Delivery>([
      [Page, pageId],
      [Delivery, id],
    ]);
    const resent = await query(unit.em, `${resendSql} and id = $1 returning id`, [delivery.id]);
    if (!resent.length)
      throw new Refusal('CONFLICT', `Only a dead delivery can be resent; this one is ${delivery.state}.`);
    markDeliveriesQueued(unit.em);
    return delivery.id;
  });
}

export function resendDeliveries(
  write: Writer,
  options: StatementOptions,
  pageId: string,
  filter: Filter | null | undefined,
): Promise<number> {
  return write.transaction(async unit => {
    await unit.find<Page>([[Page, pageId]]);
    const statement = new Statement(options, {});
    const meta = unit.em.getMetadata().get(Delivery) as Meta;
    const where = [`d.page_id = ${statement.bind(pageId)}`, ...compileFilter(filter, meta, 'd', statement)].join(
      ' and ',
    );
    const [row] = await query<{ count: number }>(
      unit.em,
      `with resent as (${resendSql} and id in (select d.id from delivery d where ${where}) returning 1)
       select count(*)::integer as count from resent`,
      statement.values,
    );
    markDeliveriesQueued(unit.em);
    return row!.count;
  });
}
