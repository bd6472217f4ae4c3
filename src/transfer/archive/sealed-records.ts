import { z } from 'zod';
import { readRows } from '../../db/backup/read-rows.js';
import type { RunQuery } from '../../db/prepared-statements.js';
import type { SecretSettings } from '../../notifications/page-channels/encrypted-column.js';
import type { Keyring } from '../../notifications/page-channels/keyring.js';
import { countAtOnce, type Kind } from './kind.js';
import { sealedKinds } from './kinds.js';
import { compileSelect } from './statements.js';

type Row = Record<string, unknown>;

/** A line: a record that is secret as a whole. */
export const sealedRecordSchema = z.strictObject({
  kind: z.enum(sealedKinds.map(([name]) => name)),
  sealed: z.string(),
});
export type SealedRecord = z.infer<typeof sealedRecordSchema>;

const toContext = (kind: string) => `archive ${kind}`;

/** The lines of the records of pages. */
export async function* readSealedRecords(
  installation: { settings: SecretSettings; run: RunQuery },
  pageIds: string[],
  keyring: Keyring,
): AsyncGenerator<string[]> {
  for (const [name, kind] of sealedKinds) {
    const select = compileSelect(kind, false);
    for await (const rows of readRows<{ line: string }>(installation.run, select, [pageIds], countAtOnce(kind))) {
      const lines: string[] = [];
      for (const { line } of rows) {
        const record = openColumn(kind, JSON.parse(line), installation.settings);
        const whole = (await kind.sealed!.complete?.(record, installation)) ?? record;
        lines.push(sealRecord(name, JSON.stringify(whole), keyring));
      }
      yield lines;
    }
  }
}

function openColumn({ sealed }: Kind, row: Row, settings: SecretSettings): Row {
  if (!sealed?.column) return row;
  const { name } = sealed.column.definition;
  return { ...row, [name]: sealed.column.open(settings, row, row[name]) };
}

/** A record as it is stored: encrypted by `SECRETS_KEY`. */
export function sealColumn({ sealed }: Kind, record: Row, settings: SecretSettings): Row {
  if (!sealed?.column) return record;
  const { name } = sealed.column.definition;
  return { ...record, [name]: sealed.column.seal(settings, record, record[name]) };
}

/** The line of a record. */
export const sealRecord = (kind: string, json: string, keyring: Keyring): string =>
  JSON.stringify({ kind, sealed: keyring.encrypt(json, toContext(kind)) } satisfies SealedRecord);

/** The JSON of a record. Throws if the passphrase is another one. */
export const openSealedRecord = ({ kind, sealed }: SealedRecord, keyring: Keyring): string =>
  keyring.decrypt(sealed, toContext(kind));
