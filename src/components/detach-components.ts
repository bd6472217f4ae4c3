import type { EntityManager } from '../db/database.js';
import { query } from '../db/prepared-statements.js';
import type { Unit } from '../records/unit.js';
import type { Writer } from '../records/writer.js';

/** What names components and is deleted with them: thousands of subscribers can have chosen thousands each. */
const tables = ['subscriber_component', 'webhook_component', 'notice_component', 'notice_template_component'] as const;

/** Rows that are deleted at a time: others wait for them. */
const maxRows = 2_000;

const hasManySql = (table: string) =>
  `(select count(*) > ${maxRows} from (select from ${table} where component_id = any($1) limit ${maxRows + 1}) c)`;

const deleteSomeSql = (table: string) => `
  delete from ${table} where ctid = any(array(
    select ctid from ${table} where component_id = any($1) limit ${maxRows})) returning 1`;

const listLargeTables = async (em: EntityManager, ids: readonly number[]): Promise<string[]> => {
  const columns = tables.map(table => `${hasManySql(table)} as ${table}`).join(', ');
  const [row] = await query<Record<string, boolean>>(em, `select ${columns}`, [ids]);
  return tables.filter(table => row![table]);
};

/**
 * Deletes what names components that are about to be deleted, but for the last rows, in batches that are transactions
 * of their own. If it fails half-way, the components are there, and can be deleted.
 */
export async function detachComponents(write: Writer, findIds: (unit: Unit) => Promise<number[]>): Promise<void> {
  const silent = write.withoutLog();
  const { ids, large } = await silent.lockingTransaction(async unit => {
    const ids = await findIds(unit);
    return { ids, large: await listLargeTables(unit.em, ids) };
  });
  const deleteSome = (table: string) =>
    silent.transaction(async ({ em }) => (await query(em, deleteSomeSql(table), [ids])).length === maxRows);
  for (const table of large) while (await deleteSome(table));
}
