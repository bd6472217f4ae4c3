import { setImmediate } from 'node:timers/promises';
import type { ResponseSize } from './raise-sql.js';
import type { Selection } from './selection.js';
import { type OutputMode, typeKey } from './statement.js';

type Row = Record<string, unknown>;

/** For how long conversions keep other requests waiting. */
const maxPauseMs = 10;

/**
 * Converts values of a row or of a list of rows. Only where a selection has conversions, which need parsed JSON. What
 * they become is counted: the HTML of a text can be twenty times as long.
 */
export async function convertRows(
  value: unknown,
  selection: Selection,
  outputMode: OutputMode,
  size: ResponseSize,
): Promise<void> {
  let resumedAt = performance.now();
  const visitRow = async (row: Row, { fieldsByType }: Selection): Promise<void> => {
    const isInterface = fieldsByType.size > 1;
    const fields = isInterface ? fieldsByType.get(row[typeKey] as string) : [...fieldsByType.values()][0];
    if (isInterface && outputMode !== 'execution') delete row[typeKey];
    for (const { key, field, conversion, selection: below } of fields!) {
      // The row has what its resolver starts from, which reads and converts the records itself.
      if (field.extensions.resolvedFrom) continue;
      if (below) await visit(row[key], below);
      else if (conversion && typeof row[key] === 'string') {
        const before = row[key];
        const after = conversion.convert(before);
        row[key] = after;
        size.add(Math.max(0, Buffer.byteLength(after) - Buffer.byteLength(before)));
        if (performance.now() - resumedAt > maxPauseMs) {
          await setImmediate();
          resumedAt = performance.now();
        }
      }
    }
  };
  const visit = async (rows: unknown, below: Selection): Promise<void> => {
    if (!below.hasConversions || rows === null) return;
    for (const row of Array.isArray(rows) ? rows : [rows]) await visitRow(row as Row, below);
  };
  await visit(value, selection);
}
