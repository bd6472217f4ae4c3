import { type ChannelName, channelNames } from '../../src/notifications/channels/registry.js';
import type { ChannelAdapter } from '../../src/notifications/channels/channel-adapter.js';
import type { Outcome, OutgoingMessage } from '../../src/notifications/channels/channel.js';

export interface RecordingChannels {
  adapters: Map<ChannelName, ChannelAdapter>;
  /** All messages, in the order in which they were sent. */
  sent: (OutgoingMessage & { channel: ChannelName })[];
  /** The outcome of a message; `sent` unless a test replaces it. */
  respond: (message: OutgoingMessage, channel: ChannelName) => Outcome | Promise<Outcome>;
}

/** Channels that send nothing: a test decides the outcome of each message. */
export function createRecordingChannels(): RecordingChannels {
  const recording: RecordingChannels = {
    adapters: new Map(),
    sent: [],
    respond: () => ({ kind: 'sent', response: '250 OK' }),
  };
  for (const name of channelNames) {
    const send: ChannelAdapter['send'] = async (messages, report) => {
      await Promise.all(
        messages.map(async message => {
          recording.sent.push({ ...message, channel: name });
          report(message.deliveryId, await recording.respond(message, name));
        }),
      );
    };
    recording.adapters.set(name, { name, send, close: async () => {} });
  }
  return recording;
}
