import { Keyring } from './keyring.js';
import type { Settings } from '../../core/config.js';
import type { Database } from '../../db/database.js';
import type { RunQuery } from '../../db/prepared-statements.js';
import type { Target } from '../channels/channel.js';
import type { ChannelName } from '../channels/registry.js';

/** A target as it is stored. With SECRETS_KEY its URL has the host alone, which owners see; `sealed` has all of it. */
export type Stored<Secret extends { url: string }> = Secret & { sealed?: string };
type StoredTarget = Stored<Target>;
export type SecretSettings = Pick<Settings, 'secretsKey'>;

const toContext = (pageId: string, channel: ChannelName) => `target ${pageId} ${channel}`;

/** The credentials of a page's channel; null where it is not configured. */
export async function loadTarget(
  run: RunQuery,
  settings: SecretSettings,
  pageId: string,
  channel: ChannelName,
): Promise<Target | null> {
  const [row] = await run<{ target: StoredTarget | null }>(
    'select target from channel_target where page_id = $1 and channel = $2',
    [pageId, channel],
  );
  return row?.target ? openTarget(row.target, new Keyring(settings), toContext(pageId, channel)) : null;
}

export async function storeTarget(
  run: RunQuery,
  settings: SecretSettings,
  { pageId, channel, target }: { pageId: string; channel: ChannelName; target: Target },
): Promise<void> {
  await run(
    `insert into channel_target (page_id, channel, target) values ($1, $2, $3::jsonb)
     on conflict (page_id, channel) do update set target = excluded.target,
       tested_at = null, test_outcome = null, test_response = null`,
    [pageId, channel, sealStoredTarget(settings, pageId, channel, target)],
  );
}

/** The JSON of a target as it is stored. */
export const sealStoredTarget = (
  settings: SecretSettings,
  pageId: string,
  channel: ChannelName,
  target: Target,
): string => JSON.stringify(sealTarget(target, new Keyring(settings), toContext(pageId, channel)));

/** A table with targets in the column `target`. */
interface TargetTable {
  table: string;
  /** The columns of its key, from which the context of the encryption is made. */
  keys: readonly string[];
  toContext(row: Record<string, unknown>): string;
}

type Row = Record<string, unknown> & { target: Stored<{ url: string }> };

const rowsAtOnce = 500;

/** The rows that another key encrypts, or none, in portions; without SECRETS_KEY those that are encrypted. */
async function* listOutdated(
  { query }: Pick<Database, 'query'>,
  keyId: string | undefined,
  { table, keys }: Pick<TargetTable, 'table' | 'keys'>,
): AsyncGenerator<Row> {
  const columns = keys.join(', ');
  const isOutdated =
    keyId === undefined ? "target ->> 'sealed' is not null" : `coalesce(target ->> 'sealed', '') not like '${keyId}:%'`;
  let rows: Row[] = [];
  do {
    const last = rows.at(-1);
    const isLater = last ? ` and (${columns}) > (${keys.map((_, index) => `$${index + 1}`).join(', ')})` : '';
    rows = await query<Row>(
      `select ${columns}, target from ${table} where target is not null and ${isOutdated}${isLater}
       order by ${columns} limit ${rowsAtOnce}`,
      last ? keys.map(key => last[key]) : [],
    );
    yield* rows;
  } while (rows.length === rowsAtOnce);
}

/**
 * Encrypts the targets of a table that are in clear, or by an older key. Throws where a key is missing. A target that
 * changes meanwhile is left as it is: the process that changed it has the key.
 */
export async function encryptStoredTargets(
  { query }: Pick<Database, 'query'>,
  settings: SecretSettings,
  { table, keys, toContext: toContextOf }: TargetTable,
): Promise<void> {
  const keyring = new Keyring(settings);
  const isOfRow = keys.map((key, index) => `${key} = $${index + 3}`).join(' and ');
  for await (const { target, ...row } of listOutdated({ query }, keyring.currentId, { table, keys })) {
    const opened = openTarget(target, keyring, toContextOf(row));
    if (!keyring.currentId) continue;
    await query(`update ${table} set target = $1::jsonb where target = $2::jsonb and ${isOfRow}`, [
      JSON.stringify(sealTarget(opened, keyring, toContextOf(row))),
      JSON.stringify(target),
      ...keys.map(key => row[key]),
    ]);
  }
}

export const encryptTargets = (database: Pick<Database, 'query'>, settings: SecretSettings): Promise<void> =>
  encryptStoredTargets(database, settings, {
    table: 'channel_target',
    keys: ['page_id', 'channel'],
    toContext: ({ page_id, channel }) => toContext(String(page_id), channel as ChannelName),
  });

export const sealTarget = <Secret extends { url: string }>(
  target: Secret,
  keyring: Keyring,
  context: string,
): Stored<Secret> | { url: string; sealed: string } =>
  keyring.currentId
    ? { url: new URL(target.url).origin, sealed: keyring.encrypt(JSON.stringify(target), context) }
    : target;

export const openTarget = <Secret extends { url: string }>(
  { sealed, ...target }: Stored<Secret>,
  keyring: Keyring,
  context: string,
): Secret =>
  sealed === undefined ? (target as unknown as Secret) : (JSON.parse(keyring.decrypt(sealed, context)) as Secret);
