import { registerEnum } from '../../graphql/enum.js';
import type { Outcome } from './channel.js';

export const ChannelTestOutcome = registerEnum(
  'ChannelTestOutcome',
  {
    sent: 'The provider accepted the message.',
    failed: 'Failed for now; another attempt may succeed.',
    refused: 'Refused: the channel is not configured correctly.',
  } satisfies Record<Outcome['kind'], string>,
  'The outcome of a channel test.',
);
