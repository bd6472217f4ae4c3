import { registerEnum } from '../../graphql/enum.js';
import { type ChannelName, channelByName, channels } from './registry.js';

export const Channels = registerEnum(
  'Channel',
  Object.fromEntries(channels.map(({ name, label }) => [name, `${label}.`])) as Record<ChannelName, string>,
  'The channel of a message.',
  name => channelByName[name as ChannelName].enumName,
);
