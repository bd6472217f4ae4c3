import {
  channels,
  type Channel,
  configuredSql,
  type PageChannelName,
  switchColumn,
} from '../page-channels/channel-names.js';
import { toldBySms } from '../messages/sms.js';
import { skipReasons } from './delivery.states.js';

/**
 * Who is told, and why the others are not: the only place that says so. The deliveries are made by it, each is held against it once more when it is claimed, and
 * the preview counts by it. In all of it `pub` is the publication, `p` its page and `s` the subscriber.
 */

/** Channels of the page itself, with one recipient each, and what the page calls them. */
const pageChannelLabels: Record<PageChannelName, string> = {
  chatA: 'Slack',
  chatB: 'Microsoft Teams',
  social: 'Mastodon',
};

const activeSql = (channel: Channel) => `(p.${switchColumn(channel)} and ${configuredSql(channel, 'p.id')})`;
const by = (channelSql: string, sql: (channel: Channel) => string) =>
  `case ${channelSql} ${channels.map(channel => `when '${channel}' then ${sql(channel)}`).join(' ')} end`;

/** Why nobody is told on a channel; null where they are. */
const channelReasonSql = (channelSql: string) => `case
  when not ${by(channelSql, activeSql)} then '${skipReasons.channelOff}'
  when ${channelSql} = 'sms' and pub.event not in (${toldBySms.map(event => `'${event}'`).join(', ')}) then '${skipReasons.notOnChannel}' end`;

/**
 * Why a subscriber is not told; null where they are. Who confirmed after the change is told of the next one. Of the types of notices they hear of those
 * they chose; a subscriber who chose components hears of what is within the scope, and of what never named any.
 */
const subscriberReasonSql = `case
  when s.unsubscribed_at is not null then '${skipReasons.unsubscribed}'
  when s.confirmed_at is null or s.confirmed_at > pub.created_at then '${skipReasons.unconfirmed}'
  when pub.notice_type <> all(s.kinds) then '${skipReasons.outOfScope}'
  when pub.scope is not null and s.chose_components and not exists (
    select 1 from subscriber_component chosen where chosen.subscriber_id = s.id and chosen.component_id = any(pub.scope)) then '${skipReasons.outOfScope}' end`;

/** The same for a delivery that is made already, `d`; `s` is null for those of the page. */
export const reasonSql = `coalesce(${channelReasonSql('d.channel')}, case when d.subscriber_id is not null then ${subscriberReasonSql} end)`;

/** The address by which a subscriber is reached on a channel. */
export const addressSql = (channelSql: string) =>
  `case ${channelSql} when 'email' then s.email when 'sms' then s.phone_number end`;

/** Rows of subscriber_id, recipient_key, channel, address and reason, for the subscribers of `subscriberSource`, called s. */
export const subscribersSql = (subscriberSource: string) => `
  select s.id as subscriber_id, s.id::text as recipient_key, c.channel, ${addressSql('c.channel')} as address,
    coalesce(${channelReasonSql('c.channel')}, ${subscriberReasonSql}) as reason
  from pub join page p on p.id = pub.page_id cross join (values ('email'), ('sms')) c (channel) join ${subscriberSource} on s.page_id = p.id
  where ${addressSql('c.channel')} is not null`;

/** The same rows for the channels of the page; more conditions may follow. */
export const pageChannelsSql = `
  select null::integer as subscriber_id, 'page' as recipient_key, c.channel, c.address, ${channelReasonSql('c.channel')} as reason
  from pub join page p on p.id = pub.page_id
  cross join (values ${Object.entries(pageChannelLabels)
    .map(([channel, name]) => `('${channel}', '${name}')`)
    .join(', ')}) c (channel, address) where true`;
