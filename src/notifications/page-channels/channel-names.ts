import { snakeCase } from '../../core/snake-case.js';
import { settings } from '../../core/config.js';

/** The channels through which a page tells people; one switch column and one read-only field each. */
export const channels = ['email', 'sms', 'chatA', 'chatB', 'social'] as const;
export type Channel = (typeof channels)[number];

/** Those that a page brings itself; the others are the operator's, for the whole service. */
export const pageChannels = ['chatA', 'chatB', 'social'] as const satisfies Channel[];
export type PageChannelName = (typeof pageChannels)[number];

const ofService = (...needed: string[]) => String(needed.every(setting => setting !== ''));
const ofPage = (channel: PageChannelName) =>
  `exists (select 1 from channel_target pc where pc.page_id = {page} and pc.channel = '${channel}' and pc.target is not null)`;

/** SQL, by channel: whether it is configured, on the page whose id stands for `{page}`. A switch shows as on only where its channel is configured. */
export const configured: Record<Channel, string> = {
  email: ofService(settings.smtpUrl, settings.mailFrom),
  sms: ofService(settings.smsUrl, settings.smsFrom),
  chatA: ofPage('chatA'),
  chatB: ofPage('chatB'),
  social: ofPage('social'),
};

export const configuredSql = (channel: Channel, pageId: string): string =>
  configured[channel].replaceAll('{page}', pageId);

/** The column of a page's switch. */
export const switchColumn = (channel: Channel): string => `${snakeCase(channel)}_switch`;
