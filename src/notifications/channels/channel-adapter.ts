import type { Outcome, OutgoingMessage } from './channel.js';
import type { ChannelName } from './registry.js';

/** An open channel, with its connections. Retries and the timeout of an attempt are the worker's. */
export interface ChannelAdapter {
  name: ChannelName;
  /** Reports each outcome as soon as it is known. Never throws for an error of the recipient server. */
  send(messages: readonly OutgoingMessage[], onOutcome: (deliveryId: string, outcome: Outcome) => void): Promise<void>;
  /** Connects and signs in as for a message, and sends none. Throws the reason why that does not work. */
  verify?(): Promise<unknown>;
  close(): Promise<void>;
}
