import { snakeCase } from '../../core/snake-case.js';
import { sessionVariableSql } from '../../db/session-variables.js';

/** The channels of a page; each has a switch column and a read-only field. */
export const channels = ['email', 'sms', 'chatA', 'chatB', 'social'] as const;
export type Channel = (typeof channels)[number];

/** Configured for each page; the others are configured by settings, for the whole service. */
export const pageChannels = ['chatA', 'chatB', 'social'] as const satisfies Channel[];
export type PageChannelName = (typeof pageChannels)[number];

const isPageConfiguredSql = (channel: PageChannelName) =>
  'exists (select 1 from channel_target pc ' +
  `where pc.page_id = {page} and pc.channel = '${channel}' and pc.target is not null)`;

/**
 * SQL by channel: whether it is configured on the page whose id replaces `{page}`. A switch reads as on only while its
 * channel is configured.
 */
export const isConfiguredSqlByChannel: Record<Channel, string> = {
  email: `(${sessionVariableSql('isEmailConfigured')} = 'true')`,
  sms: `(${sessionVariableSql('isSmsConfigured')} = 'true')`,
  chatA: isPageConfiguredSql('chatA'),
  chatB: isPageConfiguredSql('chatB'),
  social: isPageConfiguredSql('social'),
};

export const isConfiguredSql = (channel: Channel, pageId: string): string =>
  isConfiguredSqlByChannel[channel].replaceAll('{page}', pageId);

/** The column of the page's switch. */
export const switchColumn = (channel: Channel): string => `${snakeCase(channel)}_switch`;
