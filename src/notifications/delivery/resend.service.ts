import { query } from '../../db/prepared-statements.js';
import type { Meta } from '../../records/column-mapping.js';
import { compileFilter, type Filter } from '../../records/filter-sql.js';
import { Statement, type StatementOptions } from '../../records/statement.js';
import type { Writer } from '../../records/writer.js';
import { Refusal } from '../../core/errors.js';
import { Page } from '../../pages/page.entity.js';
import { pageRecordPath } from '../../pages/page-record-path.js';
import { isRecipientSuspendedSql } from './audience.js';
import { Delivery } from './delivery.entity.js';

/**
 * Restarts the retry period. The state is `retrying`, not `pending`, so that thousands of resent deliveries do not
 * delay those never tried. Whether the message may still be sent is checked when it is leased, as for every delivery;
 * those of a suspended recipient stay dead, since they would be skipped then, and could not be resent any more.
 */
const resendSql = `
  update delivery d set state = 'retrying', reason = null, tries = 0,
    queued_at = clock_timestamp(), due_at = clock_timestamp()
  where d.state = 'dead' and not ${isRecipientSuspendedSql}`;

export function resendDelivery(write: Writer, pageId: string, id: string): Promise<string> {
  return write.transaction(async unit => {
    const delivery = await unit.find<Delivery>(pageRecordPath(pageId, Delivery, id));
    const resent = await query(unit.em, `${resendSql} and d.id = $1 returning d.id`, [delivery.id]);
    if (!resent.length && delivery.state === 'dead')
      throw new Refusal('CONFLICT', 'Its recipient is suspended. End the suspension first, then resend it.');
    if (!resent.length)
      throw new Refusal('CONFLICT', `Only a dead delivery can be resent; this one is ${delivery.state}.`);
    unit.em.pending.queuesDeliveries = true;
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
      `with resent as (${resendSql} and d.id in (select d.id from delivery d where ${where}) returning 1)
       select count(*)::integer as count from resent`,
      statement.values,
    );
    unit.em.pending.queuesDeliveries = true;
    return row!.count;
  });
}
