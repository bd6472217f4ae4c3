import { query } from '../db/prepared-statements.js';
import { splitByWeight, weighRows } from '../db/weighted-batches.js';
import type { Unit } from '../records/unit.js';
import type { Writer } from '../records/writer.js';
import { Page } from './page.entity.js';

/** Of which a page can have millions, and how many are deleted at a time at most. */
const maxRows = { delivery: 1_000, subscriber: 500, notice: 500, metric: 1 } as const;
const tables = Object.keys(maxRows) as (keyof typeof maxRows)[];

/**
 * Deletes everything on the page too: first its messages, subscribers, notices and metrics, in batches that are
 * transactions of their own, so that others do not wait for millions. If it fails half-way, the rest is there, and can
 * be deleted.
 */
export async function deletePage(write: Writer, id: string, versions?: number[] | null): Promise<string> {
  const find = (unit: Unit) => unit.find<Page>([[Page, id]], versions);
  await write.readOnly(find);
  for (const table of tables) {
    const list = `select id from ${table} where page_id = $1 order by id limit ${maxRows[table]}`;
    for (;;) {
      const { ids, weights } = await write.readOnly(async ({ em }) => {
        const ids = (await query<{ id: number | string }>(em, list, [id])).map(row => Number(row.id));
        return { ids, weights: await weighRows(em, table, ids) };
      });
      if (!ids.length) break;
      for (const batch of splitByWeight(ids, row => weights.get(row) ?? 1, maxRows[table]))
        await write.withoutLog().transaction(({ em }) => query(em, `delete from ${table} where id = any($1)`, [batch]));
    }
  }
  return write.transaction(async unit => {
    unit.describeDeletion(await find(unit));
    // There is much else.
    await query(unit.em, 'set local statement_timeout = 0');
    await unit.em.nativeDelete(Page, { id });
    return id;
  });
}
