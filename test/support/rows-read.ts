import type { Database } from '../../src/db/database.js';

interface Plan {
  'Relation Name'?: string;
  'Function Name'?: string;
  'CTE Name'?: string;
  Filter?: string;
  'Actual Rows': number;
  'Rows Removed by Filter'?: number;
  'Actual Loops': number;
  Plans?: Plan[];
}
/** Rows of a table, a function or a CTE that are read with a text in the filter: at least one for each search. */
const countRows = (plan: Plan, source: string, filter: string): number => {
  const rows = plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0);
  const name = plan['Relation Name'] ?? plan['Function Name'] ?? plan['CTE Name'];
  const isCounted = name === source && (plan.Filter ?? '').includes(filter);
  const own = isCounted ? Math.max(rows, 1) * plan['Actual Loops'] : 0;
  return own + (plan.Plans ?? []).reduce((sum, child) => sum + countRows(child, source, filter), 0);
};

/**
 * Runs a statement, and returns what counts the rows that it read of a table, a function or a CTE. Without sequential
 * scans, which are the fastest where a test has few rows, and not where a page has many.
 */
export async function countRowsRead(database: Pick<Database, 'connect'>, sql: string) {
  const client = await database.connect();
  try {
    await client.query('begin; set local enable_seqscan = off');
    const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
      `explain (analyze, timing off, format json) ${sql}`,
    );
    await client.query('commit');
    return (source: string, filter = '') => countRows(rows[0]!['QUERY PLAN'][0].Plan, source, filter);
  } finally {
    client.release(true);
  }
}
