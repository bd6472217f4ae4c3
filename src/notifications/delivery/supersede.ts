import { channels } from '../channels/registry.js';

const channelsWithEarlier = channels
  .flatMap(channel => ('showsEarlierUpdates' in channel && channel.showsEarlierUpdates ? [`'${channel.name}'`] : []))
  .join(', ');

/** SQL: whether a message about the publication `earlier` on a channel has the text that `correction` is about. */
export const hasCorrectedTextSql = (correction: string, earlier: string, channelSql: string): string =>
  `(${earlier}.id = any(${correction}.corrects)
    and (${earlier}.update_id = ${correction}.update_id or ${channelSql} in (${channelsWithEarlier})))`;

/**
 * SQL: whether a later publication of the same notice has the news of an earlier one, to recipients of both on a
 * channel. Where messages have no earlier updates, the correction of one update does not have the news of another.
 */
export const supersedesSql = (names: { later: string; earlier: string; channelSql: string }): string => {
  const { later, earlier, channelSql } = names;
  return `case when ${later}.corrects is null then ${earlier}.corrects is null
    else ${hasCorrectedTextSql(later, earlier, channelSql)} end`;
};

/**
 * SQL: whether a delivery `d` of the publication `pub` is a `begun` of what is over: it is skipped also for recipients
 * who do not get the end. Not while the end can be stopped, nor if it is not sent.
 */
export const isMaintenanceOverSql = `(pub.event = 'begun' and exists (
  select 1 from publication later
  where later.notice_id = d.notice_id and later.id > d.publication_id and later.event in ('completed', 'cancelled')
    and later.stopped_at is null and coalesce(later.held_until <= clock_timestamp(), true)
    and (later.update_id is null or exists (select 1 from notice_update u where u.id = later.update_id))))`;

/** Corrections that may have taken the place of a message, of thousands of publications of the notice. */
const maxCorrections = 10;

/** SQL: whether the recipient of a message about `earlier` was sent a correction in its place, or will be. */
export const isCorrectedSql = (channel: string, keySql: string): string => `exists (
  select 1 from (
    select later.id from publication later
    where later.notice_id = pub.notice_id and later.id > earlier.id and later.id < pub.id
      and later.event = 'correction' order by later.id desc limit ${maxCorrections}
  ) correction join delivery said on said.publication_id = correction.id
    and said.channel = '${channel}' and said.recipient_key = ${keySql}
  where said.state not in ('skipped', 'dead'))`;
