import type { Database } from '../../db/database.js';
import type { PostJson } from '../channels/channel.js';
import { maskAddresses } from '../channels/refusals.js';
import { type ChannelName, channelByName } from '../channels/registry.js';
import { renderChatLink } from '../channels/webhook.js';
import { findChatFormat } from '../channels/webhook-formats.js';

/**
 * Posts to OPERATOR_WEBHOOK_URL once when mail or SMS fails, on any page or in its check, and once when it works again:
 * a way that needs neither of them. A post that is not accepted is repeated.
 */

export interface OperatorWebhook {
  url: string;
  /** The console, to which the messages link. */
  link: string;
  post: PostJson;
}

interface Change {
  channel: ChannelName;
  /** Null: it works again. */
  reason: string | null;
  since: Date | null;
  pages: number;
  waiting: number;
}

/** Between two posts that are not accepted. A process that crashed leaves its post to another one for as long. */
const retrySeconds = 30;

const takeSql = `
  with refused as (
    select channel, (array_agg(response order by refused_at desc))[1] as response, min(started_at) as started_at,
      count(*)::integer as pages
    from channel_failure where ended_at is null group by channel
  ), state as (
    select c.channel, coalesce(r.response, c.error) as reason, least(r.started_at, c.failing_since) as since,
      coalesce(r.pages, 0) as pages
    from channel_check c left join refused r on r.channel = c.channel
  )
  update channel_check c set announce_due_at = clock_timestamp() + interval '${retrySeconds} seconds' from state s
  where s.channel = c.channel and c.announce_due_at <= clock_timestamp()
    and (s.reason is not null) <> (c.announced_at is not null)
  returning c.channel, s.reason, s.since, s.pages, (
    select count(*)::integer from delivery d
    where d.channel = c.channel and d.state in ('pending', 'sending', 'retrying')) as waiting`;

const saveSql = `
  update channel_check set announce_due_at = clock_timestamp(),
    announced_at = case when $2::boolean then clock_timestamp() end
  where channel = $1`;

export async function postChannelChanges(
  { query, log }: Pick<Database, 'query' | 'log'>,
  { url, link, post }: OperatorWebhook,
): Promise<void> {
  for (const change of await query<Change>(takeSql)) {
    const reason = await post(url, renderChange(url, change, link)).then(
      ({ status }) => (status < 300 ? null : `HTTP ${status}`),
      (error: Error) => error.message,
    );
    if (reason === null) await query(saveSql, [change.channel, change.reason !== null]);
    // The message of an error may repeat the URL, which is a secret.
    else log.warn({ reason: reason.replaceAll(url, '…') }, 'OPERATOR_WEBHOOK_URL did not accept a message');
  }
}

/** In the format of its chat, or as JSON. `text` is what chats with the format of Slack show, too. */
function renderChange(url: string, { channel, reason, since, pages, waiting }: Change, link: string): object {
  const { label } = channelByName[channel];
  const cause = reason === null ? null : maskAddresses(reason);
  const text =
    cause === null ? `${label} works again. Waiting: ${waiting}.` : `${label} fails: ${cause}. Waiting: ${waiting}.`;
  const format = findChatFormat(url);
  if (format) return renderChatLink[format](text, link);
  const event = cause === null ? 'channel.works' : 'channel.fails';
  return { event, text, link, channel: label, reason: cause, since, pages, waiting };
}
