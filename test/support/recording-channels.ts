import { type Channel, channels } from '../../src/notifications/page-channels/channel-names.js';
import type { ChannelAdapter, Outcome, Outgoing } from '../../src/notifications/channels/channel.js';

export interface RecordingChannels {
  adapters: Map<Channel, ChannelAdapter>;
  /** All that was handed over, in that order. */
  sent: (Outgoing & { channel: Channel })[];
  /** What the other side says; it takes everything unless a test says otherwise. */
  answer: (message: Outgoing, channel: Channel) => Outcome | Promise<Outcome>;
}

/** Channels whose other side is the test. */
export function recordingChannels(): RecordingChannels {
  const recording: RecordingChannels = {
    adapters: new Map(),
    sent: [],
    answer: () => ({ kind: 'sent', answer: '250 OK' }),
  };
  for (const name of channels) {
    const send: ChannelAdapter['send'] = async (messages, told) => {
      await Promise.all(
        messages.map(async message => {
          recording.sent.push({ ...message, channel: name });
          told(message.deliveryId, await recording.answer(message, name));
        }),
      );
    };
    recording.adapters.set(name, { name, send, close: async () => {} });
  }
  return recording;
}
