import type { Channel as ChannelName } from '../page-channels/channel-names.js';
import type { MessageSnapshot } from '../message-snapshot.js';

/** One message to one recipient. */
export interface Outgoing {
  deliveryId: string;
  /** `<...@...>`, the same at every attempt of the delivery: a receiver that got it twice can tell. */
  messageId: string;
  snapshot: MessageSnapshot;
  recipient: Recipient;
}

export interface Recipient {
  /** An e-mail address or a phone number; of a webhook or an account the page's own name for it, never its secret. */
  address: string;
  /** Null where the recipient is a channel of the page and no person. */
  subscriberId: number | null;
  /** Signed addresses for this recipient; null where there is none. */
  unsubscribe: string | null;
  preferences: string | null;
  /** What the other side called the first message of this notice on this channel; null when this is it. */
  thread: string | null;
  /** Of a channel of the page, what it needs to be reached: a secret, never logged. */
  target: Record<string, string> | null;
}

/** The outcome of one attempt. */
export type Outcome = {
  /** The response of the recipient server, for the operator: 500 characters at most, with secrets redacted. */
  answer: string;
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

/** One small file a channel: a message becomes a request. Timeouts of a whole, retries and giving up live in the worker, once. */
export interface ChannelAdapter {
  name: ChannelName;
  /** Tells of each as soon as it is known; one that is never told counts as failed. Never throws for what the other side does. */
  send(messages: readonly Outgoing[], told: (deliveryId: string, outcome: Outcome) => void): Promise<void>;
  close(): Promise<void>;
}
