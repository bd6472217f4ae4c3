import type { TestService } from './service.js';

/** How many rows of a table the statements of `work` insert or delete, the most first. */
export async function countWritten(
  { database: { query } }: Pick<TestService, 'database'>,
  table: string,
  operation: 'insert' | 'delete',
  work: () => Promise<unknown>,
): Promise<number[]> {
  await query('create table written (count int not null)');
  await query(`
    create function count_written() returns trigger language plpgsql as $$
      begin insert into written select count(*) from rows having count(*) > 0; return null; end $$`);
  await query(`
    create trigger count_written after ${operation} on ${table}
    referencing ${operation === 'insert' ? 'new' : 'old'} table as rows
    for each statement execute function count_written()`);
  try {
    await work();
    return (await query<{ count: number }>('select count from written order by 1 desc')).map(({ count }) => count);
  } finally {
    await query('drop function count_written cascade');
    await query('drop table written');
  }
}
