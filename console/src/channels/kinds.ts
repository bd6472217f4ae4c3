import type { Channel, ChannelsQuery } from '../api/documents.ts';
import type { IconName } from '../ui/icon.tsx';

export type PageChannel = NonNullable<ChannelsQuery['page']>['channels'][number];

interface Kind {
  label: string;
  icon: IconName;
  /** The setting of the page that switches it. */
  switchName: `sendNotificationsBy${string}`;
  /** Where it is not configured by the page: by which settings of the service. */
  settings?: string;
  /** What a test is sent to; undefined: to the channel of the page. */
  recipient?: { label: string; type: 'email' | 'tel' };
  address?: { label: string; hint: string };
  hasToken?: boolean;
}

const webhook = (where: string) => ({
  label: 'Address of the incoming webhook',
  hint: `${where} It is a secret: it is stored, and never shown again.`,
});

export const kinds: Record<Channel, Kind> = {
  EMAIL: {
    ...{ label: 'E-mail', icon: 'mail', switchName: 'sendNotificationsByEmail', settings: 'SMTP_URL and MAIL_FROM' },
    recipient: { label: 'Send the test to', type: 'email' },
  },
  SMS: {
    ...{ label: 'SMS', icon: 'phone', switchName: 'sendNotificationsBySms', settings: 'SMS_URL and SMS_FROM' },
    recipient: { label: 'Send the test to', type: 'tel' },
  },
  SLACK: {
    ...{ label: 'Slack', icon: 'chat', switchName: 'sendNotificationsBySlack' },
    address: webhook('Slack: your app, Incoming Webhooks.'),
  },
  TEAMS: {
    ...{ label: 'Microsoft Teams', icon: 'chat', switchName: 'sendNotificationsByTeams' },
    address: webhook('Teams: the channel, Workflows, “Post to a channel when a webhook request is received”.'),
  },
  MASTODON: {
    ...{ label: 'Mastodon', icon: 'megaphone', switchName: 'sendNotificationsByMastodon', hasToken: true },
    address: { label: 'Server', hint: 'Such as https://mastodon.social.' },
  },
};
