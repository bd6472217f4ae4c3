import type { Database } from '../../src/db/database.js';

interface Plan {
  'Relation Name'?: string;
  'Function Name'?: string;
  'Actual Rows': number;
  'Rows Removed by Filter'?: number;
  'Actual Loops': number;
  Plans?: Plan[];
}
/** Rows that are read of a table or a function, each search for some being one at least. */
const countRows = (plan: Plan, source: string): number => {
  const rows = plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0);
  const own =
    (plan['Relation Name'] ?? plan['Function Name']) === source ? Math.max(rows, 1) * plan['Actual Loops'] : 0;
  return own + (plan.Plans ?? []).reduce((sum, child) => sum + countRows(child, source), 0);
};

/** Runs a statement, and returns what counts the rows that it read of a table or a function. */
export async function countRowsRead({ query }: Pick<Database, 'query'>, sql: string) {
  const [row] = await query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(`explain (analyze, timing off, format json) ${sql}`);
  return (source: string) => countRows(row!['QUERY PLAN'][0].Plan, source);
}
