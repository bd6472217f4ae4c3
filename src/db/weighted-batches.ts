import type { EntityManager } from './database.js';
import { query } from './prepared-statements.js';

/** What belongs to a row and is deleted with it, where one row can have thousands of them. */
const children = {
  delivery: ['attempt'],
  metric: [],
  notice: ['notice_component', 'notice_update'],
  subscriber: ['subscriber_component'],
} as const satisfies Record<string, readonly string[]>;

export type Parent = keyof typeof children;

/** Rows of a batch, with those that belong to them: each can take a tenth of a millisecond, and others wait for it. */
const maxWeight = 2_000;

/** SQL: how many rows one is with those that belong to it. `id`: qualified, since those have an id, too. */
export const weightSql = (table: Parent, id: string): string =>
  ['1', ...children[table].map(child => countSql(child, `${table}_id = ${id}`))].join(' + ');

const countSql = (child: string, condition: string) =>
  `(select count(*) from (select 1 from ${child} where ${condition} limit ${maxWeight}) c)`;

/** How many rows each of some rows is with those that belong to it, by id. */
export async function weighRows(
  em: EntityManager,
  table: Parent,
  ids: readonly number[],
): Promise<Map<number, number>> {
  const rows = await query<{ id: number; weight: number }>(
    em,
    `select t.id, (${weightSql(table, 't.id')})::integer as weight from ${table} t where t.id = any($1)`,
    [ids],
  );
  return new Map(rows.map(({ id, weight }) => [Number(id), weight]));
}

/** Batches of at most `maxRows` rows, and of 2,000 with those that belong to them; a row with more is alone. */
export function* splitByWeight<Row>(
  rows: readonly Row[],
  weigh: (row: Row) => number,
  maxRows: number,
): Generator<Row[]> {
  let batch: Row[] = [];
  let total = 0;
  for (const row of rows) {
    const weight = weigh(row);
    if (batch.length === maxRows || (batch.length && total + weight > maxWeight)) {
      yield batch;
      batch = [];
      total = 0;
    }
    batch.push(row);
    total += weight;
  }
  if (batch.length) yield batch;
}
