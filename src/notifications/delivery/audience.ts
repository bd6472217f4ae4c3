import {
  type Channel,
  channels,
  isConfiguredSql,
  type PageChannelName,
  switchColumn,
} from '../page-channels/channel-names.js';
import { smsEvents } from '../messages/sms.js';
import { skipReasons } from './delivery.states.js';

/**
 * Who is notified of a publication, and why the others are not: the only place with these rules. The fan-out creates
 * deliveries by them, the claim checks each delivery again, and the preview counts by them. In all expressions `pub` is
 * the publication, `p` its page and `s` the subscriber.
 */

/** The channels of a page, which have one recipient each, and the names of those recipients. */
const pageChannelLabels: Record<PageChannelName, string> = {
  chatA: 'Slack',
  chatB: 'Microsoft Teams',
  social: 'Mastodon',
};

const isActiveSql = (channel: Channel) => `(p.${switchColumn(channel)} and ${isConfiguredSql(channel, 'p.id')})`;
const caseByChannel = (channelSql: string, sql: (channel: Channel) => string) =>
  `case ${channelSql} ${channels.map(channel => `when '${channel}' then ${sql(channel)}`).join(' ')} end`;

const smsEventsSql = smsEvents.map(event => `'${event}'`).join(', ');

/** Why nobody is notified on a channel; null where recipients are. */
const channelReasonSql = (channelSql: string) => `case
  when not ${caseByChannel(channelSql, isActiveSql)} then '${skipReasons.channelOff}'
  when ${channelSql} = 'sms' and pub.event not in (${smsEventsSql}) then '${skipReasons.notOnChannel}' end`;

/**
 * Why a subscriber is not notified; null where they are. A subscriber who confirmed after the change is notified from
 * the next one on. `kinds` are the notice types that they chose. A subscriber who chose components is notified of what
 * is in the scope, and of notices that never named a component.
 */
const subscriberReasonSql = `case
  when s.unsubscribed_at is not null then '${skipReasons.unsubscribed}'
  when s.confirmed_at is null or s.confirmed_at > pub.created_at then '${skipReasons.unconfirmed}'
  when pub.notice_type <> all(s.kinds) then '${skipReasons.outOfScope}'
  when pub.scope is not null and s.chose_components and not exists (
    select 1 from subscriber_component chosen
    where chosen.subscriber_id = s.id and chosen.component_id = any(pub.scope)) then '${skipReasons.outOfScope}' end`;

/** Why an existing delivery `d` must be skipped, or null; `s` is null for the channels of the page. */
export const skipReasonSql = `coalesce(${channelReasonSql('d.channel')},
  case when d.subscriber_id is not null then ${subscriberReasonSql} end)`;

/** The address of a subscriber on a channel. */
export const subscriberAddressSql = (channelSql: string) =>
  `case ${channelSql} when 'email' then s.email when 'sms' then s.phone_number end`;

/**
 * Rows of subscriber_id, recipient_key, channel, address and reason for the subscribers in `subscriberSource`, a table
 * aliased as s.
 */
export const subscriberRecipientsSql = (subscriberSource: string) => `
  select s.id as subscriber_id, s.id::text as recipient_key, c.channel,
    ${subscriberAddressSql('c.channel')} as address,
    coalesce(${channelReasonSql('c.channel')}, ${subscriberReasonSql}) as reason
  from pub join page p on p.id = pub.page_id cross join (values ('email'), ('sms')) c (channel)
    join ${subscriberSource} on s.page_id = p.id
  where ${subscriberAddressSql('c.channel')} is not null`;

/** The same rows for the channels of the page; more conditions may be appended. */
export const pageRecipientsSql = `
  select null::integer as subscriber_id, 'page' as recipient_key, c.channel, c.address,
    ${channelReasonSql('c.channel')} as reason
  from pub join page p on p.id = pub.page_id
  cross join (values ${Object.entries(pageChannelLabels)
    .map(([channel, name]) => `('${channel}', '${name}')`)
    .join(', ')}) c (channel, address) where true`;
