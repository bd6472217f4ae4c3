import { InvalidSettings, type Settings } from '../../core/config.js';
import type { Database } from '../../db/database.js';
import { Keyring } from './keyring.js';
import type { StoredFormat } from './stored-formats.js';

export type SecretSettings = Pick<Settings, 'secretsKey'>;
type Row = Record<string, unknown>;

/** `Key` is the key of a row, to which the encryption binds the value in it. */
interface ColumnDefinition<Key, Value, Stored> {
  table: string;
  name: string;
  format: StoredFormat<Value, Stored>;
  /** The columns of the key of the table. */
  keys: readonly string[];
  /** SQL: the rows with such a value. Default: all where it is not null. */
  where?: string;
  toContext(key: Key): string;
  /** Whether the service works without a value whose key is missing. */
  isReplaceable?: true;
}

/** A column whose values SECRETS_KEY encrypts. */
export class EncryptedColumn<Key = Row, Value = unknown, Stored = unknown> {
  constructor(readonly definition: ColumnDefinition<Key, Value, Stored>) {}

  /** A value as it is stored. */
  seal(settings: SecretSettings, key: Key, value: Value): Stored {
    return this.definition.format.seal(new Keyring(settings), value, this.definition.toContext(key));
  }

  /** Throws InvalidSettings where the key that encrypts it is missing. */
  open(settings: SecretSettings, key: Key, stored: Stored): Value {
    return this.definition.format.open(new Keyring(settings), stored, this.definition.toContext(key));
  }
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
  { table, name, keys, where = `${name} is not null`, format }: EncryptedColumn['definition'],
): AsyncGenerator<Row> {
  const columns = keys.join(', ');
  const isOutdated = currentId === undefined ? 'is not null' : `is distinct from '${currentId}'`;
  let rows: Row[] = [];
  do {
    const last = rows.at(-1);
    const isLater = last ? ` and (${columns}) > (${keys.map((_, index) => `$${index + 1}`).join(', ')})` : '';
    rows = await query<Row>(
      `select ${columns}, ${name} as value from ${table}
       where ${where} and ${format.keyId(name)} ${isOutdated}${isLater}
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
  settings: SecretSettings,
  column: EncryptedColumn,
  { isDryRun = false } = {},
): Promise<Reencryption> {
  const {
    table,
    name,
    keys,
    isReplaceable,
    format: { type },
  } = column.definition;
  const { currentId } = new Keyring(settings);
  const toText = (value: unknown) => (type === 'jsonb' ? JSON.stringify(value) : value);
  const isOfRow = keys.map((key, index) => `${key} = $${index + 3}`).join(' and ');
  const result = { changed: 0, unreadable: 0 };
  for await (const { value, ...row } of listOutdated({ query }, currentId, column.definition)) {
    let next: unknown;
    try {
      next = column.seal(settings, row, column.open(settings, row, value));
    } catch (error) {
      if (!isReplaceable || !(error instanceof InvalidSettings)) throw error;
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
