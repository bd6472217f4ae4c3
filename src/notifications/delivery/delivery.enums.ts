import { registerEnum } from '../../graphql/enum.js';
import type { DeliveryState } from './delivery.states.js';

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
