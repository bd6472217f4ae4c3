/**
 * The states of a delivery:
 *   pending   created, not tried yet
 *   sending   held by a worker, by a lease
 *   retrying  failed, and due again later
 *   sent      accepted by the recipient server or provider
 *   dead      refused permanently, or still failing when the retries ended
 *   skipped   will not be sent
 */
const deliveryStates = ['pending', 'sending', 'sent', 'retrying', 'dead', 'skipped'] as const;
export type DeliveryState = (typeof deliveryStates)[number];

export const skipReasons = {
  channelOff: 'channel off',
  notOnChannel: 'not sent on this channel',
  unsubscribed: 'unsubscribed',
  unconfirmed: 'unconfirmed',
  outOfScope: 'out of scope',
  suspended: 'suspended',
  unaffected: 'unaffected',
  superseded: 'superseded',
  stopped: 'stopped',
  noticeDeleted: 'notice deleted',
  updateDeleted: 'update deleted',
  subscriberDeleted: 'subscriber deleted',
  webhookDeleted: 'webhook deleted',
  noAddress: 'no address',
} as const;

export const deathReasons = { refused: 'refused', channelFailed: 'channel failed', gaveUp: 'gave up' } as const;

export type SkipReason = (typeof skipReasons)[keyof typeof skipReasons];
export type DeliveryReason = SkipReason | (typeof deathReasons)[keyof typeof deathReasons];
