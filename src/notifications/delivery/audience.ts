import { isPrivatePageSql } from '../../pages/page-visibility.js';
import type { ChannelDefinition } from '../channels/channel.js';
import { type ChannelName, channelByName, channels, pageChannels, subscriberChannels } from '../channels/registry.js';
import { isActiveSql, isConfiguredSql } from '../channels/is-configured.js';
import { isUntrustedSql, targetHostSql } from '../channels/target-host.js';
import { push } from '../channels/push.js';
import { webhook } from '../channels/webhook.js';
import { skipReasons } from './delivery.states.js';
import { countsAsNotifiedSql, unsentStates, wasNotifiedElsewhereSql } from '../notified-subscribers.rules.js';
import { hasCorrectedTextSql, isCorrectedSql } from './supersede.js';
import { isSuspendedSql } from './suspension.js';

/**
 * Who is notified of a publication, and why the others are not: the only place with these rules. The fan-out creates
 * deliveries by them, the lease checks each delivery again, and the preview counts by them. In all expressions `pub` is
 * the publication, `p` its page and `s` the subscriber.
 */

function caseByChannel<Definition extends { name: ChannelName }>(
  channelSql: string,
  definitions: readonly Definition[],
  sql: (channel: Definition) => string,
): string {
  const branches = definitions.map(channel => `when '${channel.name}' then ${sql(channel)}`);
  return `case ${channelSql} ${branches.join(' ')} end`;
}

/** The messages about `earlier` publications of the notice, by their SQL, to a recipient on a channel. */
const messagesSql = (earlierSql: string, channel: ChannelName, keySql: string) => `
    select 1 from ${earlierSql} earlier join delivery notified on notified.publication_id = earlier.id
      and notified.channel = '${channel}' and notified.recipient_key = ${keySql}
    where earlier.notice_id = pub.notice_id and earlier.id < pub.id`;

type NamedChannel = ChannelDefinition & { name: ChannelName };

function isEventSentSql({ name, events, isFollowUpSql }: NamedChannel, keySql: string): string {
  if (!events) return 'true';
  const isSentSql = `pub.event in (${events.map(event => `'${event}'`).join(', ')})`;
  if (!isFollowUpSql) return isSentSql;
  return `(${isSentSql} or exists (${messagesSql('publication', name, keySql)} and (${isFollowUpSql})
      and (notified.state = 'sent' or notified.state in ${unsentStates}
        or notified.reason = '${skipReasons.superseded}' and ${isCorrectedSql(name, keySql)})))`;
}

/** Why a recipient is not notified on a channel; null where it is. */
const channelReasonSql = (channelSql: string, keySql: string) => `case
  when not ${caseByChannel(channelSql, channels, ({ name }) => isActiveSql(name))} then '${skipReasons.channelOff}'
  when not ${caseByChannel(channelSql, channels, channel => isEventSentSql(channel, keySql))}
    then '${skipReasons.notOnChannel}' end`;

/** A kind of recipients that may choose components, by the alias of its table. */
const recipients = {
  s: { table: 'subscriber', keySql: 's.id::text', channels: subscriberChannels },
  w: { table: 'webhook', keySql: `'webhook ' || w.id`, channels: [webhook, push] },
} as const;
type RecipientAlias = keyof typeof recipients;

/** Whether what a recipient chose is in the scope of a publication. Those who chose no components chose everything. */
const isInScopeSql = (alias: RecipientAlias, publication: string) => {
  const { table } = recipients[alias];
  return `(${publication}.scope is null or not ${alias}.chose_components or exists (
    select 1 from ${table}_component chosen
    where chosen.${table}_id = ${alias}.id and chosen.component_id = any(${publication}.scope)))`;
};

/**
 * The publications of the notice in which an earlier message to a recipient is looked for, of thousands that it can
 * have: who was sent one is sent each that follows, but on a channel with few events.
 */
const lastEarlierSql = (channel: ChannelName) => `(
    select last.* from publication last
    where last.notice_id = pub.notice_id and last.id < pub.id
    order by last.id desc limit ${channelByName[channel].events ? 100 : 40})`;

/**
 * Whether an earlier message of the notice was sent to a recipient, or will be, who has not chosen anew since. One that
 * was superseded counts, since the message that has its text is checked by this when it is leased. One that waits while
 * they choose anew, and would still go to them, counts until it is superseded: then they are sent neither.
 *
 * Plan: a lookup by the unique index of delivery for each of the last publications, for recipients out of scope alone.
 * One a channel: with the statistics of a table that had few deliveries a minute ago, a list of channels was a filter,
 * and each recipient was looked for in all deliveries of a publication.
 */
const wasNotifiedSql = (alias: RecipientAlias) =>
  `(${[
    ...recipients[alias].channels.map(({ name }) => wasNotifiedByChannelSql(alias, name)),
    ...(alias === 's' ? [wasNotifiedElsewhereSql] : []),
  ].join(' or ')})`;

const wasNotifiedByChannelSql = (alias: RecipientAlias, channel: ChannelName) =>
  `exists (${messagesSql(lastEarlierSql(channel), channel, recipients[alias].keySql)}
      and ${countsAsNotifiedSql('notified')}
      and (${alias}.chosen_at is null or coalesce(notified.sent_at, notified.created_at) >= ${alias}.chosen_at
        or notified.state in ${unsentStates} and ${isInScopeSql(alias, 'earlier')}))`;

const isOutOfScopeSql = (alias: RecipientAlias) =>
  `(not ${isInScopeSql(alias, 'pub')} and not ${wasNotifiedSql(alias)})`;

/**
 * Who confirmed after a publication is notified from the next one on. A time that is yet to come is from before the
 * clock was set back, and so from before the publication, too.
 */
const isUnconfirmedSql = (alias: RecipientAlias) => `(${alias}.confirmed_at is null
    or ${alias}.confirmed_at > pub.created_at and ${alias}.confirmed_at <= clock_timestamp())`;

/**
 * Why a subscriber is not notified; null where they are. `kinds` are the notice types that they chose. A subscriber who
 * chose components is notified of what is in the scope, of notices that never named a component, and of what follows a
 * message that they were sent.
 */
const subscriberReasonSql = `case
  when s.unsubscribed_at is not null then '${skipReasons.unsubscribed}'
  when ${isUnconfirmedSql('s')} then '${skipReasons.unconfirmed}'
  when pub.corrects is null and pub.notice_type <> all(s.kinds) then '${skipReasons.outOfScope}'
  when ${isOutOfScopeSql('s')} then '${skipReasons.outOfScope}' end`;

/** Of those with the same text, the newest ones: each has a snapshot of up to a megabyte. */
const maxStoppedCorrections = 10;

/**
 * The same correction, as it was sent before it was stopped. Plan: it names no recipient, so that the texts are
 * compared once a statement, and not for each recipient.
 */
const stoppedCorrectionsSql = `array(
  select stopped.id from pub present cross join lateral (
    select earlier.id, earlier.message_snapshot from publication earlier
    where earlier.notice_id = present.notice_id and earlier.update_id = present.update_id
      and earlier.event = 'correction' and earlier.id < present.id and earlier.stopped_at is not null
    order by earlier.id desc limit ${maxStoppedCorrections}
  ) stopped where stopped.message_snapshot ->> 'text' = present.message_snapshot ->> 'text')`;

/**
 * A correction goes to those who were sent the wrong text, or will be: on a channel whose messages have the earlier
 * updates, later messages of the notice, too. Those who were sent the same correction before it was stopped are left
 * out, and those for whom a message that was stopped still waits to be skipped.
 */
const unaffectedReasonSql = (channelSql: string, keySql: string) => `case when pub.corrects is not null and (
  not exists (
    select 1 from publication earlier join delivery wrong on wrong.publication_id = earlier.id
    where ${hasCorrectedTextSql('pub', 'earlier', channelSql)}
      and wrong.channel = ${channelSql} and wrong.recipient_key = ${keySql}
      and (wrong.state in ('sent', 'sending') or wrong.state in ${unsentStates} and earlier.stopped_at is null))
  or exists (
    select 1 from delivery done where done.publication_id = any(${stoppedCorrectionsSql})
      and done.channel = ${channelSql} and done.recipient_key = ${keySql} and done.state = 'sent')
  ) then '${skipReasons.unaffected}' end`;

/** The address of a subscriber on a channel. */
export const subscriberAddressSql = (channelSql: string) =>
  caseByChannel(channelSql, subscriberChannels, ({ addressColumn }) => `s.${addressColumn}`);

/**
 * The same of a webhook `w`. One by operators is confirmed when it is created. Visitors subscribe none on a private
 * page, and one from before it was private may be of anybody. Statuspage has no announcements.
 */
const webhookReasonSql = `case
  when w.url_hash is not null and ${isPrivatePageSql('p.visibility')} then '${skipReasons.channelOff}'
  when ${isUnconfirmedSql('w')} then '${skipReasons.unconfirmed}'
  when pub.corrects is null and pub.notice_type <> all(w.kinds) then '${skipReasons.outOfScope}'
  when w.format = 'statuspage' and pub.notice_type = 'general' then '${skipReasons.notOnChannel}'
  when ${isOutOfScopeSql('w')} then '${skipReasons.outOfScope}' end`;

interface Addressee {
  channel: string;
  address: string;
  subscriberId?: string;
  webhookId?: string;
}

const suspensionReasonSql = (addressee: Addressee) =>
  `case when ${isSuspendedSql({ pageId: 'p.id', ...addressee })} then '${skipReasons.suspended}' end`;

/**
 * Why the reminder of an update that is due must be skipped: the settings of the page are about its subscribers. An
 * update at a time that is yet to come is from before the clock was set back.
 */
const reminderReasonSql = `case
  when not ${isConfiguredSql('email', 'p.id')} then '${skipReasons.channelOff}'
  when exists (select 1 from notice updated where updated.id = pub.notice_id
    and updated.last_update_at > pub.created_at and updated.last_update_at <= clock_timestamp())
    then '${skipReasons.superseded}' end`;

/** Why an existing delivery `d` must be skipped, or null; `s` and `w` are null unless it is to one. */
export const skipReasonSql = `coalesce(
  case when pub.event = 'update_due' then ${reminderReasonSql}
    else ${channelReasonSql('d.channel', 'd.recipient_key')} end,
  case when d.subscriber_id is not null then ${subscriberReasonSql} end,
  case when d.webhook_id is not null then ${webhookReasonSql} end,
  ${suspensionReasonSql({
    channel: 'd.channel',
    subscriberId: 'd.subscriber_id',
    webhookId: 'd.webhook_id',
    address: `coalesce(${subscriberAddressSql('d.channel')}, d.address)`,
  })})`;

/** Whether the recipient of a delivery `d` is suspended, so that it would be skipped. */
export const isRecipientSuspendedSql = `exists (
  select 1 from (values (d.subscriber_id)) one (subscriber_id) left join subscriber s on s.id = one.subscriber_id
  where ${isSuspendedSql({
    pageId: 'd.page_id',
    channel: 'd.channel',
    subscriberId: 'd.subscriber_id',
    webhookId: 'd.webhook_id',
    address: `coalesce(${subscriberAddressSql('d.channel')}, d.address)`,
  })})`;

/**
 * The recipients among the subscribers in `subscriberSource`, a table aliased as s. `notified_earlier`: only an earlier
 * message is why they are notified, where they are.
 */
export const subscriberRecipientsSql = (subscriberSource: string) => `
  select pub.id as publication_id, s.id as subscriber_id, null::integer as webhook_id, s.id::text as recipient_key,
    c.channel, ${subscriberAddressSql('c.channel')} as address, not ${isInScopeSql('s', 'pub')} as notified_earlier,
    false as is_untrusted,
    coalesce(${unaffectedReasonSql('c.channel', recipients.s.keySql)},
      ${channelReasonSql('c.channel', recipients.s.keySql)}, ${subscriberReasonSql},
      ${suspensionReasonSql({
        channel: 'c.channel',
        subscriberId: 's.id',
        address: subscriberAddressSql('c.channel'),
      })}) as reason
  from pub join page p on p.id = pub.page_id
    cross join (values ${subscriberChannels.map(({ name }) => `('${name}')`).join(', ')}) c (channel)
    join ${subscriberSource} on s.page_id = p.id
  where ${subscriberAddressSql('c.channel')} is not null`;

const webhookHostSql = targetHostSql('w.target');

/** Browsers are rows of the webhooks, with a channel of their own. */
const webhookChannelSql = `case w.format when '${push.name}' then '${push.name}' else '${webhook.name}' end`;

const webhookKeySql = recipients.w.keySql;

/** The same rows for the channels of the page, which have one recipient each, named by its label, and its webhooks. */
export const pageRecipientsSql = `
  select pub.id as publication_id, null::integer as subscriber_id, null::integer as webhook_id,
    'page' as recipient_key, c.channel, c.address, false as notified_earlier, false as is_untrusted,
    coalesce(${unaffectedReasonSql('c.channel', "'page'")}, ${channelReasonSql('c.channel', "'page'")},
      ${suspensionReasonSql({ channel: 'c.channel', address: 'c.address' })}) as reason
  from pub join page p on p.id = pub.page_id
  cross join (values ${pageChannels.map(({ name, label }) => `('${name}', '${label}')`).join(', ')})
    c (channel, address)
  union all
  select pub.id, null, w.id, ${webhookKeySql}, c.channel, ${webhookHostSql}, not ${isInScopeSql('w', 'pub')},
    ${isUntrustedSql},
    coalesce(${unaffectedReasonSql('c.channel', webhookKeySql)},
      ${channelReasonSql('c.channel', webhookKeySql)}, ${webhookReasonSql},
      ${suspensionReasonSql({ channel: 'c.channel', webhookId: 'w.id', address: webhookHostSql })})
  from pub join page p on p.id = pub.page_id join webhook w on w.page_id = p.id
  cross join lateral (values (${webhookChannelSql})) c (channel)`;
