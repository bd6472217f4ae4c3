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
