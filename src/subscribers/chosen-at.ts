/**
 * SQL: `chosen_at` of a row that is given kinds and components. It stays where they are those that it has: only who
 * chooses something else is no longer notified because of earlier messages. That components are deleted is no choice.
 */
export const chosenAtSql = (
  table: 'subscriber' | 'webhook',
  row: string,
  { kinds, componentIds }: Record<'kinds' | 'componentIds', string>,
) => `case when ${row}.kinds @> ${kinds} and ${row}.kinds <@ ${kinds}
    and array(select component_id from ${table}_component where ${table}_id = ${row}.id order by 1)
      = array(select distinct id from unnest(${componentIds}::int[]) id order by 1)
  then ${row}.chosen_at else clock_timestamp() end`;
