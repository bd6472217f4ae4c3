import type { EncryptedColumn } from './encrypted-column.js';
import { Keyring } from './keyring.js';
import type { Settings } from '../../core/config.js';
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

/** A column `target`, whose values are bound to a context by the key of their row. */
export const targetColumn = (
  table: string,
  keys: readonly string[],
  toContextOf: (row: Record<string, unknown>) => string,
): EncryptedColumn => ({
  table,
  name: 'target',
  type: 'jsonb',
  keys,
  keyId: `split_part(target ->> 'sealed', ':', 1)`,
  encryptAgain: (settings, value, row) => {
    const keyring = new Keyring(settings);
    const context = toContextOf(row);
    return sealTarget(openTarget(value as Stored<{ url: string }>, keyring, context), keyring, context);
  },
});

export const channelTargetColumn = targetColumn('channel_target', ['page_id', 'channel'], ({ page_id, channel }) =>
  toContext(String(page_id), channel as ChannelName),
);

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
