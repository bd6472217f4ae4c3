import type { Database } from '../../db/database.js';
import { type ChannelName, channelNames } from '../channels/registry.js';

const queueStates = ['pending', 'sending', 'retrying'] as const;

export interface QueueGroup {
  channel: ChannelName;
  state: (typeof queueStates)[number];
  count: number;
  oldestSeconds: number;
}

/** What is not finished in the whole database. */
export interface QueueStatistics {
  /** One for each channel and state, also where there is no delivery: a metric without a value raises no alert. */
  deliveries: QueueGroup[];
  /** Publications whose deliveries are not all created. */
  publications: number;
  /** Recipients that are suspended, one entry for each channel. */
  suspended: { channel: ChannelName; count: number }[];
  /** Whether the last check of each channel that the settings configure has failed. */
  checks: { channel: ChannelName; hasFailed: boolean }[];
  /** Channels of subscribers that fail on a page by what was answered or has bounced. */
  failing: ChannelName[];
}

interface QueueRow {
  /** Null: the publications. */
  channel: ChannelName | null;
  state: QueueGroup['state'] | 'suspended' | 'check' | 'failing' | null;
  count: number;
}

/** One select for each state, since each has a partial index: the table is not read. */
const queueSql = `
  ${queueStates
    .map(
      state => `select channel, '${state}' as state, count(*)::integer as count,
        extract(epoch from clock_timestamp() - min(queued_at))::float8 as "oldestSeconds"
      from delivery where state = '${state}' group by channel`,
    )
    .join(' union all ')}
  union all select channel, 'suspended', count(*)::integer, null from recipient_refusals
    where suspended_at is not null group by channel
  union all select channel, 'check', (error is not null)::integer, null from channel_check
  union all select distinct channel, 'failing', 1, null::float8 from channel_failure where ended_at is null
  union all select null, null, count(*)::integer, null from publication where fanned_out_at is null`;

export async function loadQueueStatistics(database: Database): Promise<QueueStatistics> {
  const rows = await database.query<QueueRow>(queueSql);
  const groups = new Map(rows.map(row => [row.channel && `${row.channel} ${row.state}`, row]));
  const deliveries = channelNames.flatMap(channel =>
    queueStates.map(
      state =>
        (groups.get(`${channel} ${state}`) as QueueGroup | undefined) ?? { channel, state, count: 0, oldestSeconds: 0 },
    ),
  );
  return {
    deliveries,
    publications: groups.get(null)!.count,
    suspended: channelNames.map(channel => ({ channel, count: groups.get(`${channel} suspended`)?.count ?? 0 })),
    checks: rows.flatMap(({ channel, state, count }) =>
      channel && state === 'check' ? [{ channel, hasFailed: count > 0 }] : [],
    ),
    failing: rows.flatMap(({ channel, state }) => (channel && state === 'failing' ? [channel] : [])),
  };
}
