import type { ChannelAdapter, Outcome, OutgoingMessage } from '../../src/notifications/channels/channel.js';
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

/** What became of each, in the order in which it was told. */
export async function sendAll(
  channel: ChannelAdapter,
  messages: readonly OutgoingMessage[],
): Promise<Map<string, Outcome>> {
  const told = new Map<string, Outcome>();
  await channel.send(messages, (id, outcome) => {
    if (told.has(id)) throw new Error(`${id} was told twice`);
    told.set(id, outcome);
  });
  return told;
}
