import { setTimeout } from 'node:timers/promises';

/** Rows in one transaction, so that other writes to the page wait for some hundredths of a second only. */
const batchSize = 500;
/**
 * After each batch, so that a write that waits gets its turn: on the embedded database transactions queue, and the
 * steps of one request would wait for a batch each.
 */
const pauseMs = 20;

export function* split<Row>(rows: readonly Row[]): Generator<Row[]> {
  for (let start = 0; start < rows.length; start += batchSize) yield rows.slice(start, start + batchSize);
}

/** Writes rows in batches, each of which `writeBatch` writes in a transaction. */
export async function writeBatches<Row>(
  rows: readonly Row[],
  writeBatch: (batch: Row[]) => Promise<void>,
): Promise<void> {
  for (const batch of split(rows)) {
    await writeBatch(batch);
    await setTimeout(pauseMs);
  }
}
