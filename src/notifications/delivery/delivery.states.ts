/**
 * The life of a delivery:
 *   pending   made, not tried yet
 *   sending   a worker holds it, by a lease
 *   retrying  tried, and to be tried again at its due time
 *   sent      the other side took it
 *   dead      the other side will never take it, or did not in all the time it was given
 *   skipped   not to be sent any more, or never
 */
export const deliveryStates = ['pending', 'sending', 'sent', 'retrying', 'dead', 'skipped'] as const;
export type DeliveryState = (typeof deliveryStates)[number];

/** Not over yet. The words are our own: they may stand in a statement. */
export const openSql = (column: string) => `${column} in ('pending', 'sending', 'retrying')`;

/** Why somebody is not told. */
export const skipReasons = {
  channelOff: 'channel off',
  notOnChannel: 'not told on this channel',
  unsubscribed: 'unsubscribed',
  unconfirmed: 'unconfirmed',
  outOfScope: 'out of scope',
  superseded: 'superseded',
  noticeDeleted: 'notice deleted',
  updateDeleted: 'update deleted',
  subscriberDeleted: 'subscriber deleted',
  noAddress: 'no address',
} as const;

/** Why a delivery is dead. */
export const deathReasons = { refused: 'refused', gaveUp: 'gave up' } as const;
