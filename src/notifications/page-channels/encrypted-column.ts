import { InvalidSettings, type Settings } from '../../core/config.js';
import type { Database } from '../../db/database.js';
import { Keyring } from './keyring.js';

type Row = Record<string, unknown>;

/** A column whose values SECRETS_KEY encrypts. */
export interface EncryptedColumn {
  table: string;
  name: string;
  type: 'text' | 'jsonb';
  /** The columns of the key of the table, to which the encryption binds a value. */
  keys: readonly string[];
  /** SQL: the rows with such a value. Default: all where it is not null. */
  where?: string;
  /** SQL of the id of the key that encrypts a value; null where it is in clear. */
  keyId: string;
  /** Returns a value as the current key encrypts it. Throws InvalidSettings where its own key is missing. */
  encryptAgain(settings: Pick<Settings, 'secretsKey'>, value: unknown, row: Row): unknown;
  /** Whether the service works without a value whose key is missing. */
  isReplaceable?: true;
}

export interface Reencryption {
  /** How many values were encrypted, or would be. */
  changed: number;
  /** How many replaceable values have a key that is missing. */
  unreadable: number;
}

const rowsAtOnce = 500;

/** The rows that another key encrypts, or none, in batches; without SECRETS_KEY those that are encrypted. */
async function* listOutdated(
  { query }: Pick<Database, 'query'>,
  currentId: string | undefined,
  { table, name, keys, where = `${name} is not null`, keyId }: EncryptedColumn,
): AsyncGenerator<Row> {
  const columns = keys.join(', ');
  const isOutdated = currentId === undefined ? 'is not null' : `is distinct from '${currentId}'`;
  let rows: Row[] = [];
  do {
    const last = rows.at(-1);
    const isLater = last ? ` and (${columns}) > (${keys.map((_, index) => `$${index + 1}`).join(', ')})` : '';
    rows = await query<Row>(
      `select ${columns}, ${name} as value from ${table} where ${where} and ${keyId} ${isOutdated}${isLater}
       order by ${columns} limit ${rowsAtOnce}`,
      last ? keys.map(key => last[key]) : [],
    );
    yield* rows;
  } while (rows.length === rowsAtOnce);
}

/**
 * Encrypts the values that are in clear, or by an older key. Throws where a key is missing. A value that changes
 * meanwhile is left as it is: the process that changed it has the key.
 */
export async function encryptColumn(
  { query }: Pick<Database, 'query'>,
  settings: Pick<Settings, 'secretsKey'>,
  column: EncryptedColumn,
  { isDryRun = false } = {},
): Promise<Reencryption> {
  const { table, name, keys, type } = column;
  const { currentId } = new Keyring(settings);
  const toText = (value: unknown) => (type === 'jsonb' ? JSON.stringify(value) : value);
  const isOfRow = keys.map((key, index) => `${key} = $${index + 3}`).join(' and ');
  const result = { changed: 0, unreadable: 0 };
  for await (const { value, ...row } of listOutdated({ query }, currentId, column)) {
    let next: unknown;
    try {
      next = column.encryptAgain(settings, value, row);
    } catch (error) {
      if (!column.isReplaceable || !(error instanceof InvalidSettings)) throw error;
      result.unreadable += 1;
      continue;
    }
    if (!currentId) continue;
    result.changed += 1;
    if (!isDryRun)
      await query(`update ${table} set ${name} = $1::${type} where ${name} = $2::${type} and ${isOfRow}`, [
        toText(next),
        toText(value),
        ...keys.map(key => row[key]),
      ]);
  }
  return result;
}
