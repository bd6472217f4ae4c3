import type { RunQuery } from '../../db/prepared-statements.js';
import type { Target } from '../channels/channel.js';
import type { ChannelName } from '../channels/registry.js';
import { EncryptedColumn, type SecretSettings } from './encrypted-column.js';
import { createTargetFormat } from './stored-formats.js';

export const channelTargetColumn = new EncryptedColumn({
  table: 'channel_target',
  name: 'target',
  format: createTargetFormat<Target>(),
  keys: ['page_id', 'channel'],
  toContext: ({ page_id, channel }: { page_id: string; channel: ChannelName }) => `target ${page_id} ${channel}`,
});

/** The credentials of a page's channel; null where it is not configured. */
export async function loadTarget(
  run: RunQuery,
  settings: SecretSettings,
  pageId: string,
  channel: ChannelName,
): Promise<Target | null> {
  const [row] = await run<{ target: object | null }>(
    'select target from channel_target where page_id = $1 and channel = $2',
    [pageId, channel],
  );
  return row?.target ? channelTargetColumn.open(settings, { page_id: pageId, channel }, row.target) : null;
}

export async function storeTarget(
  run: RunQuery,
  settings: SecretSettings,
  { pageId, channel, target }: { pageId: string; channel: ChannelName; target: Target },
): Promise<void> {
  const stored = channelTargetColumn.seal(settings, { page_id: pageId, channel }, target);
  await run(
    `insert into channel_target (page_id, channel, target) values ($1, $2, $3::jsonb)
     on conflict (page_id, channel) do update set target = excluded.target,
       tested_at = null, test_outcome = null, test_response = null`,
    [pageId, channel, JSON.stringify(stored)],
  );
}
