import { enumeration } from '../../graphql/enum.js';
import type { Channel } from '../page-channels/channel-names.js';
import type { DeliveryState } from './delivery.states.js';

export const Channels = enumeration(
  'Channel',
  { email: 'E-mail.', sms: 'SMS.', chatA: 'Slack.', chatB: 'Microsoft Teams.', social: 'Mastodon.' } satisfies Record<
    Channel,
    string
  >,
  'By what people are told.',
);

export const DeliveryStates = enumeration(
  'DeliveryState',
  {
    pending: 'Waits for its first attempt.',
    sending: 'A worker is at it.',
    sent: 'The other side took it.',
    retrying: 'An attempt failed, and another one follows.',
    dead: 'It was refused for good, or failed for as long as it was tried; it can be sent again.',
    skipped: 'It is not sent, for a reason of ours.',
  } satisfies Record<DeliveryState, string>,
  'How a delivery stands.',
);
