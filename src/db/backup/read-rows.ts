import type { RunQuery } from '../prepared-statements.js';

/** Reads the rows of a statement, some at a time. In a transaction, one statement after the other. */
export async function* readRows<Row>(
  run: RunQuery,
  statement: string,
  values: unknown[],
  atOnce: number,
): AsyncGenerator<Row[]> {
  await run(`declare batches no scroll cursor for ${statement}`, values);
  yield* fetchRows<Row>(run, 'batches', atOnce);
  await run('close batches');
}

/** Reads the rows of an open cursor. */
export async function* fetchRows<Row>(run: RunQuery, cursor: string, atOnce: number): AsyncGenerator<Row[]> {
  for (;;) {
    const rows = await run<Row>(`fetch ${atOnce} from ${cursor}`);
    if (!rows.length) break;
    yield rows;
  }
}
