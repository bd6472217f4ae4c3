import type { Channel as ChannelName } from '../page-channels/channel-names.js';
import type { MessageSnapshot } from '../message-snapshot.js';

/** One message to one recipient. */
export interface OutgoingMessage {
  deliveryId: string;
  /** `<...@...>`, the same at every attempt, so that the recipient server can recognize a duplicate. */
  messageId: string;
  snapshot: MessageSnapshot;
  recipient: Recipient;
}

export interface Recipient {
  /** An e-mail address or a phone number; for a channel of the page its name, never its secret. */
  address: string;
  /** Null if the recipient is a channel of the page. */
  subscriberId: number | null;
  /** Signed links for this recipient; null for a channel of the page. */
  unsubscribe: string | null;
  preferences: string | null;
  /** The provider's id of the first message about this notice on this channel; null for the first message. */
  thread: string | null;
  /** The credentials of a channel of the page, never logged; null for a subscriber. */
  target: Record<string, string> | null;
}

/** The outcome of one attempt. */
export type Outcome = {
  /** The response of the recipient server, for the operator: 500 characters at most, with secrets redacted. */
  response: string;
} & (
  | { kind: 'sent'; thread?: string }
  /**
   * May succeed another time; `afterSeconds` if the server named one. `unreachable` if there was no response at all, so
   * that other messages will fail too: a response about one recipient says nothing about the next.
   */
  | { kind: 'failed'; afterSeconds?: number; unreachable?: boolean }
  /** Permanent: it is not tried again. */
  | { kind: 'refused' }
);

/** Sends messages over one channel. Retries and the timeout of an attempt are the worker's. */
export interface ChannelAdapter {
  name: ChannelName;
  /** Reports each outcome as soon as it is known. Never throws for an error of the recipient server. */
  send(messages: readonly OutgoingMessage[], onOutcome: (deliveryId: string, outcome: Outcome) => void): Promise<void>;
  close(): Promise<void>;
}
