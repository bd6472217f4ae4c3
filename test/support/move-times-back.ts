import type { Database } from '../../src/db/database.js';

/** Moves all times of all records into the past, as if the interval had passed since. */
export async function moveTimesBack({ query }: Pick<Database, 'query'>, interval: string): Promise<void> {
  const tables = await query<{ name: string; changes: string }>(
    `select quote_ident(table_name) as name,
       string_agg(format('%1$I = %1$I - $1::interval', column_name), ', ') as changes
     from information_schema.columns c
     where table_schema = 'public' and data_type = 'timestamp with time zone' and is_generated = 'NEVER'
       and exists (select from pg_tables t where t.schemaname = 'public' and t.tablename = c.table_name)
     group by table_name`,
  );
  for (const { name, changes } of tables) await query(`update ${name} set ${changes}`, [interval]);
}
