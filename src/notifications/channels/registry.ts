import { snakeCase } from '../../core/snake-case.js';
import { discord } from './discord.js';
import { email } from './email.js';
import { mastodon } from './mastodon.js';
import { push } from './push.js';
import { slack } from './slack.js';
import { sms } from './sms.js';
import { defaultSuspension, type SuspensionRule } from './suspension-rule.js';
import { teams } from './teams.js';
import { webhook } from './webhook.js';

/** All channels, in the order in which they are shown. */
export const channels = [email, sms, slack, teams, discord, mastodon, webhook, push] as const;

type Definition = (typeof channels)[number];
export type ChannelName = Definition['name'];

export const channelNames = channels.map(({ name }) => name);
export const channelByName = Object.fromEntries(channels.map(channel => [channel.name, channel])) as {
  [Name in ChannelName]: Extract<Definition, { name: Name }>;
};

export const subscriberChannels = channels.filter(channel => channel.recipients === 'subscribers');
export type SubscriberChannelName = (typeof subscriberChannels)[number]['name'];

export const pageChannels = channels.filter(channel => channel.recipients === 'page');
export type PageChannelName = (typeof pageChannels)[number]['name'];

/** When a recipient of a channel is suspended. */
export const suspensionRuleOf = ({ suspension = defaultSuspension }: Definition): SuspensionRule => suspension;

/** SQL: how many messages in a row suspend a recipient. */
export function messagesUntilSuspensionSql(channelSql: string): string {
  const branches = channels.map(channel => `when '${channel.name}' then ${suspensionRuleOf(channel).messages}`);
  return `case ${channelSql} ${branches.join(' ')} end`;
}

/** Those whose messages are requests to URLs that customers chose. */
export const targetChannels = channels.filter(channel => channel.recipients !== 'subscribers');

type SwitchName<EnumName extends string> = `shouldSendNotificationsBy${Capitalize<Lowercase<EnumName>>}`;

/** The fields of a page that switch its channels: shouldSendNotificationsBySlack. */
export type ChannelSwitches = { [EnumName in Definition['enumName'] as SwitchName<EnumName>]: boolean };

export const switchName = <Name extends string>({ enumName }: { enumName: Name }) =>
  `shouldSendNotificationsBy${enumName[0]}${enumName.slice(1).toLowerCase()}` as SwitchName<Name>;

/** The name of the switch in /v1: send_notifications_by_chat_a. */
export const switchWireName = ({ name }: Definition): string => `send_notifications_by_${snakeCase(name)}`;

/** "sends e-mail", "sends webhooks", "posts to Slack": for the descriptions of the switches. */
export const describeSending = (channel: Definition): string =>
  channel.recipients === 'page' ? `posts to ${labelInSentence(channel)}` : `sends ${labelInSentence(channel)}`;

/** "e-mail", but "SMS" and "Slack". */
export const labelInSentence = ({ recipients, label }: Definition): string =>
  recipients === 'page' || label === label.toUpperCase() ? label : label.toLowerCase();

/** Whether pages of /v1 have its switch. */
export const isInV1 = (channel: Definition): boolean => !('isOutsideV1' in channel);

/** The channels whose message is one text. */
export const textChannels = channels.filter(channel => channel.preview !== null);
