import { setTimeout } from 'node:timers/promises';

/** Rows in one transaction, so that other writes to the page wait for some hundredths of a second only. */
const portionSize = 500;
/**
 * After each portion, so that a write that waits gets its turn: on the embedded database transactions queue, and the
 * steps of one request would wait for a portion each.
 */
const pauseMs = 20;

export function* split<Row>(rows: readonly Row[]): Generator<Row[]> {
  for (let start = 0; start < rows.length; start += portionSize) yield rows.slice(start, start + portionSize);
}

/** Writes rows in portions, each of which `writePortion` writes in a transaction. */
export async function writePortions<Row>(
  rows: readonly Row[],
  writePortion: (portion: Row[]) => Promise<void>,
): Promise<void> {
  for (const portion of split(rows)) {
    await writePortion(portion);
    await setTimeout(pauseMs);
  }
}
