import { registerEnum } from '../../graphql/enum.js';
import type { DeliveryReason, DeliveryState, SkipReason } from './delivery.states.js';

export const DeliveryStates = registerEnum(
  'DeliveryState',
  {
    pending: 'Waiting for its first attempt.',
    sending: 'Being sent by a worker.',
    sent: 'Accepted by the recipient server or provider.',
    retrying: 'Failed, and due to be retried.',
    dead: 'Refused for good, or still failing when retries ended. It can be resent.',
    skipped: 'Not sent; `reason` says why.',
  } satisfies Record<DeliveryState, string>,
  'The state of a delivery.',
);

const skipDescriptions: Record<SkipReason, string> = {
  'channel off': 'The channel is switched off on the page, or not configured.',
  'not sent on this channel': 'The event is not sent on this channel.',
  unsubscribed: 'The subscriber has unsubscribed.',
  unconfirmed: 'The subscriber had not confirmed the subscription.',
  'out of scope': 'The subscriber did not choose the type of the notice, or none of its components.',
  suspended: 'The recipient is suspended, since it did not accept earlier messages.',
  unaffected: 'The recipient was not sent the text that is corrected.',
  superseded: 'A later message about the notice replaced it.',
  stopped: 'The publication was stopped before the message was sent.',
  'notice deleted': 'The notice was deleted.',
  'update deleted': 'The update was deleted.',
  'subscriber deleted': 'The subscriber was deleted.',
  'webhook deleted': 'The webhook was deleted.',
  'no address': 'The subscriber has no address for the channel any more.',
};

export const SkipReasons = registerEnum('SkipReason', skipDescriptions, 'Why a recipient is not notified.');

export const DeliveryReasons = registerEnum(
  'DeliveryReason',
  {
    ...skipDescriptions,
    refused: 'Dead: the recipient server or the provider refused the message for good.',
    'channel failed':
      'Dead: the mail server accepted it, and it bounced with the same answer as those of many others, which is not ' +
      'about the recipient.',
    'gave up': 'Dead: it still failed when retries ended.',
  } satisfies Record<DeliveryReason, string>,
  'Why a delivery was skipped, or is dead.',
);
