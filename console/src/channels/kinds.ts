import type { Channel, ChannelAddress, ChannelsQuery } from '../api/documents.ts';
import type { ChannelDescription } from '../api/session.ts';
import type { IconName } from '../ui/icon.tsx';

export type PageChannel = NonNullable<ChannelsQuery['page']>['channels'][number];

interface Kind {
  icon: IconName;
  /** What a test is sent to; undefined: to the channel of the page. */
  recipient?: { label: string; type: 'email' | 'tel' };
  /** Of the URL that the page configures. */
  urlLabel?: string;
  hasToken?: boolean;
}

/** What channels have in common that send to the same kind of address. */
export const kinds: Record<ChannelAddress, Kind> = {
  EMAIL_ADDRESS: { icon: 'mail', recipient: { label: 'Send the test to', type: 'email' } },
  PHONE_NUMBER: { icon: 'phone', recipient: { label: 'Send the test to', type: 'tel' } },
  WEBHOOK: { icon: 'chat', urlLabel: 'Address of the incoming webhook' },
  WEBHOOKS: { icon: 'globe' },
  BROWSERS: { icon: 'phone' },
  SERVER: { icon: 'megaphone', urlLabel: 'Server', hasToken: true },
};

/** The URL of a webhook is a password. */
export const hintOf = ({ address, urlHint }: ChannelDescription): string =>
  address === 'WEBHOOK' ? `${urlHint} It is a secret: it is stored, and never shown again.` : (urlHint ?? '');

/** The setting of the page that switches a channel. */
export const switchName = (channel: Channel) =>
  `shouldSendNotificationsBy${channel[0]}${channel.slice(1).toLowerCase()}`;
