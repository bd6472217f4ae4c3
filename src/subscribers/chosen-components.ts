import type { EntityManager } from '../db/database.js';
import { query } from '../db/prepared-statements.js';

type Table = 'subscriber' | 'webhook';

/**
 * SQL: `chosen_at` of a row that is given kinds and components. It stays where they are those that it has: only who
 * chooses something else is no longer notified because of earlier messages. That components are deleted is no choice.
 */
export const chosenAtSql = (
  table: Table,
  row: string,
  { kinds, componentIds }: Record<'kinds' | 'componentIds', string>,
) => `case when ${row}.kinds @> ${kinds} and ${row}.kinds <@ ${kinds}
    and array(select component_id from ${table}_component where ${table}_id = ${row}.id order by 1)
      = array(select distinct id from unnest(${componentIds}::int[]) id order by 1)
  then ${row}.chosen_at else clock_timestamp() end`;

/** Replaces the components that a row has chosen by those of its page. */
export async function setChosenComponents(
  em: EntityManager,
  table: Table,
  { pageId, id, componentIds }: { pageId: string; id: number; componentIds: readonly number[] },
): Promise<void> {
  await query(em, `delete from ${table}_component where ${table}_id = $1`, [id]);
  if (!componentIds.length) return;
  await query(
    em,
    `insert into ${table}_component (${table}_id, component_id)
     select $1::int, id from component where page_id = $2 and id = any($3::int[])`,
    [id, pageId, componentIds],
  );
}
