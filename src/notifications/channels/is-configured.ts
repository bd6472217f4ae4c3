import type { EntityManager } from '../../db/database.js';
import { query } from '../../db/prepared-statements.js';
import { sessionVariableSql } from '../../db/session-variables.js';
import { type ChannelName, channelByName } from './registry.js';

/** SQL: whether a channel is configured on a page. `pageId` is an expression. */
export function isConfiguredSql(name: ChannelName, pageId: string): string {
  const channel = channelByName[name];
  // Visitors can subscribe the first one.
  if (channel.recipients === 'webhooks') return 'true';
  return channel.recipients === 'page'
    ? 'exists (select 1 from channel_target pc ' +
        `where pc.page_id = ${pageId} and pc.channel = '${name}' and pc.target is not null)`
    : `(${sessionVariableSql(channel.configuredVariable)} = 'true')`;
}

/** Expressions for the columns of a page. */
interface PageColumns {
  id: string;
  disabledChannels: string;
}

const columnsOfP: PageColumns = { id: 'p.id', disabledChannels: 'p.disabled_channels' };

/** SQL: whether a channel is switched on for a page, which by default is aliased as p. */
export const isSwitchedOnSql = (name: ChannelName, { disabledChannels } = columnsOfP): string =>
  `('${name}' <> all(${disabledChannels}))`;

/** SQL: whether a page uses a channel. This is what `shouldSendNotificationsBy...` of the page reads. */
export const isActiveSql = (name: ChannelName, page = columnsOfP): string =>
  `(${isSwitchedOnSql(name, page)} and ${isConfiguredSql(name, page.id)})`;

/** Which of these channels are configured on a page. */
export async function findConfiguredChannels(
  em: EntityManager,
  pageId: string,
  candidates: readonly ChannelName[],
): Promise<Set<ChannelName>> {
  if (!candidates.length) return new Set();
  const columns = candidates.map(channel => `${isConfiguredSql(channel, '$1::text')} as "${channel}"`);
  const [row] = await query<Record<string, boolean>>(em, `select $1::text as page, ${columns.join(', ')}`, [pageId]);
  return new Set(candidates.filter(channel => row![channel]));
}
