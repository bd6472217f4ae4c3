import { setTimeout } from 'node:timers/promises';
import { splitByWeight } from '../db/weighted-batches.js';

/** Rows in one transaction, so that other writes to the page wait for some hundredths of a second only. */
const maxRows = 500;
/**
 * After each batch, so that a write that waits gets its turn: on the embedded database transactions queue, and the
 * steps of one request would wait for a batch each.
 */
const pauseMs = 20;

export function* split<Row>(rows: readonly Row[]): Generator<Row[]> {
  for (let start = 0; start < rows.length; start += maxRows) yield rows.slice(start, start + maxRows);
}

/** `weigh` says how many rows are written or deleted for one; `writeBatch` writes a batch in a transaction. */
export async function writeBatches<Row>(
  rows: readonly Row[],
  weigh: (row: Row) => number,
  writeBatch: (batch: Row[]) => Promise<void>,
): Promise<void> {
  for (const batch of splitByWeight(rows, weigh, maxRows)) {
    await writeBatch(batch);
    await setTimeout(pauseMs);
  }
}
