import { query } from '../db/prepared-statements.js';
import type { Unit } from '../records/unit.js';
import type { Writer } from '../records/writer.js';
import { Page } from './page.entity.js';

/** Of which a page can have millions, and how many are deleted at a time: in some tenths of a second. */
const batchSizes = { delivery: 5_000, subscriber: 500, notice: 1_000, metric: 1 } as const;

const deleteBatchSql = (table: keyof typeof batchSizes) => `
  with doomed as materialized (
    select id from ${table} where page_id = $1 order by id limit ${batchSizes[table]}
  ), deleted as (
    delete from ${table} where id in (select id from doomed)
  )
  select count(*)::integer as count from doomed`;

/**
 * Deletes everything on the page too: first its messages, subscribers, notices and metrics, in batches that are
 * transactions of their own, so that others do not wait for millions. If it fails half-way, the rest is there, and can
 * be deleted.
 */
export async function deletePage(write: Writer, id: string, versions?: number[] | null): Promise<string> {
  const find = (unit: Unit) => unit.find<Page>([[Page, id]], versions);
  await write.readOnly(find);
  for (const table of Object.keys(batchSizes) as (keyof typeof batchSizes)[]) {
    const deleteBatch = async ({ em }: Unit) => {
      const [batch] = await query<{ count: number }>(em, deleteBatchSql(table), [id]);
      return batch!.count;
    };
    while ((await write.withoutLog().transaction(deleteBatch)) === batchSizes[table]);
  }
  return write.transaction(async unit => {
    unit.describeDeletion(await find(unit));
    // There is much else.
    await query(unit.em, 'set local statement_timeout = 0');
    await unit.em.nativeDelete(Page, { id });
    return id;
  });
}
