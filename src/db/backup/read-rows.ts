import type { RunQuery } from '../prepared-statements.js';

/** Reads the rows of a statement, some at a time. In a transaction, one statement after the other. */
export async function* readRows<Row>(
  run: RunQuery,
  statement: string,
  values: unknown[],
  atOnce: number,
): AsyncGenerator<Row[]> {
  await run(`declare batches no scroll cursor for ${statement}`, values);
  for (;;) {
    const rows = await run<Row>(`fetch ${atOnce} from batches`);
    if (!rows.length) break;
    yield rows;
  }
  await run('close batches');
}
