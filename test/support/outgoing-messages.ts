import type { ChannelAdapter } from '../../src/notifications/channels/channel-adapter.js';
import type { Outcome, OutgoingMessage } from '../../src/notifications/channels/channel.js';
import { createSnapshot } from './message-snapshots.js';

const snapshot = createSnapshot();

export function createMessage(
  deliveryId: string,
  address: string,
  other: Partial<Omit<OutgoingMessage, 'recipient'>> & { recipient?: Partial<OutgoingMessage['recipient']> } = {},
): OutgoingMessage {
  return {
    deliveryId,
    messageId: `<${deliveryId}@status.example.com>`,
    snapshot,
    ...other,
    recipient: {
      address,
      subscriberId: 1,
      unsubscribe: null,
      preferences: null,
      thread: null,
      target: null,
      ...other.recipient,
    },
  };
}

/** Returns the outcome of each message, and throws if one has two. */
export async function sendAll(
  channel: ChannelAdapter,
  messages: readonly OutgoingMessage[],
): Promise<Map<string, Outcome>> {
  const outcomes = new Map<string, Outcome>();
  await channel.send(messages, (id, outcome) => {
    if (outcomes.has(id)) throw new Error(`${id} has two outcomes`);
    outcomes.set(id, outcome);
  });
  return outcomes;
}
