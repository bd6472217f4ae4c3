import { registerEnum } from '../../graphql/enum.js';
import { type ChannelName, channels } from './registry.js';

export const Channels = registerEnum(
  'Channel',
  Object.fromEntries(channels.map(({ name, label }) => [name, `${label}.`])) as Record<ChannelName, string>,
  'The channel of a message.',
);
