import { z } from 'zod';
import { readRows } from '../../db/backup/read-rows.js';
import type { RunQuery } from '../../db/prepared-statements.js';
import type { Keyring } from '../../notifications/page-channels/keyring.js';
import type { Kind } from './kind.js';
import { sealedKinds } from './kinds.js';
import { compileSelect } from './statements.js';

type Row = Record<string, unknown>;
type Installation = Parameters<NonNullable<NonNullable<Kind['sealed']>['open']>>[1];

/** A line: a record that is secret as a whole. */
export const sealedRecordSchema = z.strictObject({
  kind: z.enum(sealedKinds.map(([name]) => name)),
  sealed: z.string(),
});
export type SealedRecord = z.infer<typeof sealedRecordSchema>;

const rowsAtOnce = 1_000;
const toContext = (kind: string) => `archive ${kind}`;

/** The lines of the records of pages. */
export async function* readSealedRecords(
  installation: Installation & { run: RunQuery },
  pageIds: string[],
  keyring: Keyring,
): AsyncGenerator<string[]> {
  for (const [name, kind] of sealedKinds) {
    const select = compileSelect(kind, false);
    for await (const rows of readRows<{ line: string }>(installation.run, select, [pageIds], rowsAtOnce)) {
      const lines: string[] = [];
      for (const { line } of rows) {
        const record: Row = JSON.parse(line);
        const opened = (await kind.sealed!.open?.(record, installation)) ?? record;
        lines.push(sealRecord(name, JSON.stringify(opened), keyring));
      }
      yield lines;
    }
  }
}

/** The line of a record. */
export const sealRecord = (kind: string, json: string, keyring: Keyring): string =>
  JSON.stringify({ kind, sealed: keyring.encrypt(json, toContext(kind)) } satisfies SealedRecord);

/** The JSON of a record. Throws if the passphrase is another one. */
export const openSealedRecord = ({ kind, sealed }: SealedRecord, keyring: Keyring): string =>
  keyring.decrypt(sealed, toContext(kind));
