import type { Database } from '../../db/database.js';
import type { BackgroundTask } from '../../db/poll.js';
import type { ChannelAdapter } from '../channels/channel-adapter.js';
import { toStoredText } from '../channels/outcome.js';
import { maskAddresses } from '../channels/refusals.js';
import { type ChannelName, channelByName } from '../channels/registry.js';
import { type OperatorWebhook, postChannelChanges } from './operator-webhook.js';

/**
 * Mail and SMS are verified at start, once a day, when a message could not be sent at all, and each minute while that
 * fails: a token that has expired is found before the outage that it would be needed for. Of several processes one
 * verifies. A row of `channel_check` is a channel that the settings configure.
 */

type Adapters = ReadonlyMap<ChannelName, ChannelAdapter>;

const daySeconds = 86_400;
const retrySeconds = 60;
/** For which a process has the check of a channel for itself. */
const leaseSeconds = 120;

const listNames = (adapters: Adapters) => [...adapters.values()].filter(({ verify }) => verify).map(({ name }) => name);

/** Makes the checks of these channels due, and forgets those of channels that are no longer configured. */
export async function registerChannelChecks({ query }: Pick<Database, 'query'>, adapters: Adapters): Promise<void> {
  const names = listNames(adapters);
  await query('delete from channel_check where channel <> all($1::text[])', [names]);
  await query(
    `insert into channel_check (channel, due_at, announce_due_at)
     select channel, clock_timestamp(), clock_timestamp() from unnest($1::text[]) channels (channel)
     on conflict (channel) do update set due_at = excluded.due_at`,
    [names],
  );
}

/** Makes the checks of channels due that could not be reached. */
export const requestChannelChecks = (
  { query }: Pick<Database, 'query'>,
  channels: readonly ChannelName[],
): Promise<unknown> =>
  query(
    `update channel_check set due_at = date_trunc('milliseconds', clock_timestamp())
     where channel = any($1::text[]) and error is null and checked_at < clock_timestamp() - interval '30 seconds'
       and due_at > clock_timestamp() + interval '${leaseSeconds} seconds'`,
    [channels],
  );

interface TakenCheck {
  channel: ChannelName;
  failingSince: Date | null;
}

export async function runDueChannelChecks(
  { query, log }: Pick<Database, 'query' | 'log'>,
  adapters: Adapters,
): Promise<void> {
  const taken = await query<TakenCheck>(
    `update channel_check set due_at = clock_timestamp() + interval '${leaseSeconds} seconds'
     where channel = any($1::text[]) and due_at <= clock_timestamp()
     returning channel, failing_since as "failingSince"`,
    [listNames(adapters)],
  );
  for (const { channel, failingSince } of taken) {
    const error = await findError(adapters.get(channel)!);
    await query(
      `update channel_check set checked_at = clock_timestamp(), error = $2,
         failing_since = case when $2::text is not null then coalesce(failing_since, clock_timestamp()) end,
         due_at = clock_timestamp() + $3 * interval '1 second'
       where channel = $1`,
      [channel, error, error === null ? daySeconds : retrySeconds],
    );
    const { label } = channelByName[channel];
    if (error !== null && !failingSince)
      log.warn({ channel: label, reason: maskAddresses(error) }, 'a channel cannot be verified');
    if (error === null && failingSince) log.warn({ channel: label, failingSince }, 'a channel is verified again');
  }
}

async function findError(adapter: ChannelAdapter): Promise<string | null> {
  try {
    await adapter.verify!();
    return null;
  } catch (error) {
    return toStoredText((error as Error).message);
  }
}

/** `webhook` is null where the operator has none. */
export function createChannelCheckTask(
  database: Database,
  adapters: Adapters,
  webhook: OperatorWebhook | null,
): BackgroundTask {
  let isRegistered = false;
  return {
    name: 'the verification of channels',
    intervalMs: 5_000,
    roundSeconds: 150,
    failureMessage: 'channels could not be verified',
    run: async () => {
      if (!isRegistered) await registerChannelChecks(database, adapters);
      isRegistered = true;
      await runDueChannelChecks(database, adapters);
      if (webhook) await postChannelChanges(database, webhook);
    },
  };
}
