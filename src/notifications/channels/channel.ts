import type { SessionVariables } from '../../db/session-variables.js';
import type { MessageSnapshot, PublicationEvent } from '../messages/message-snapshot.js';
import type { SuspensionRule } from './suspension-rule.js';
import type { WebhookFormat } from './webhook-formats.js';

/**
 * All that differs between channels. The GraphQL enum, the audience, the preview, the slots of a worker and the
 * adapters are derived from it. A definition opens no connection, so that features may import it: see `ChannelAdapter`.
 */
interface Definition<Name extends string, EnumName extends string, Preview extends TextPreview | null> {
  /** The value in the database; `chatA` is chat_a in /v1. */
  name: Name;
  enumName: EnumName;
  /** For operators; also the address in deliveries to a channel of a page. */
  label: string;
  /** Whether pages of /v1 have no switch for it: clients of /v1 know the switches that its reference names. */
  isOutsideV1?: true;
  /** Seconds until the next attempt, after the first, the second, ..., until it fails for good. Default: a backoff. */
  retryDelays?: readonly number[];
  /** Default: three messages in a row that the recipient refused as gone. */
  suspension?: SuspensionRule;
  /** How many of 32 deliveries in flight may be of this channel, so that a slow one does not block the others. */
  concurrency: number;
  /** The events that it is sent for. Default: all. */
  events?: readonly PublicationEvent[];
  /**
   * SQL: a condition by which the publication `pub` is sent although `events` lacks its event, to those to whom this
   * channel sent the publication `earlier` of its notice, or will. Default: never.
   */
  isFollowUpSql?: string;
  /** Whether a message has the earlier updates of its notice, too. Default: no. */
  showsEarlierUpdates?: boolean;
  /** The message in a publication preview. Null: it is more than a text, and has a field of its own there. */
  preview: Preview;
}

interface TextPreview {
  description: string;
  render(snapshot: MessageSnapshot): string;
}

/** Configured by the settings, for the whole service; sent to the address of each subscriber. */
export interface SubscriberChannelDefinition<
  Name extends string = string,
  EnumName extends string = string,
  Preview extends TextPreview | null = TextPreview,
> extends Definition<Name, EnumName, Preview> {
  recipients: 'subscribers';
  settings: readonly string[];
  configuredVariable: Extract<keyof SessionVariables, `is${string}Configured`>;
  /** The column of the subscriber. */
  addressColumn: 'email' | 'phone_number';
  /** Null if the text is not an address. */
  parseAddress(text: string): string | null;
}

/** Configured by each page, and sent to the one target of the page. */
export interface PageChannelDefinition<Name extends string = string, EnumName extends string = string>
  extends Definition<Name, EnumName, TextPreview> {
  recipients: 'page';
  /** The secret URL of a webhook, or the URL of a server with an access token for it. */
  credentials: 'webhook' | 'server and token';
  /** Where an owner finds the URL, as a sentence. */
  urlHint: string;
  send: SendToTarget;
}

/** Sent to the webhooks of a page, of which it has any number. */
export interface WebhookChannelDefinition<Name extends string = string, EnumName extends string = string>
  extends Definition<Name, EnumName, TextPreview> {
  recipients: 'webhooks';
  /** Whether a recipient that refuses as gone is deleted. Default: its message counts for a suspension. */
  endsWhenGone?: true;
  /** How one of its recipients is tested, and sent to again while suspended, as the rest of a sentence. */
  ofOne: { test: string; resume: string };
  send: SendToTarget;
}

/** Sends one message. May throw; the adapter redacts the credentials from errors and responses. */
export type SendToTarget = (message: OutgoingMessage, target: Target, post: PostJson) => Promise<Outcome>;

export type ChannelDefinition =
  | SubscriberChannelDefinition<string, string, TextPreview | null>
  | PageChannelDefinition
  | WebhookChannelDefinition;

/** The credentials of a channel of a page, or of a webhook. */
export interface Target {
  url: string;
  /** For a server; absent for a webhook. */
  token?: string;
  /** Of one of the webhooks of a page. */
  webhook?: WebhookTarget;
  /** Of a browser that a visitor subscribed. */
  push?: PushTarget;
}

/** How the requests to a webhook are written and signed. */
export interface WebhookTarget {
  format: WebhookFormat;
  /** `whsec_...`, the newest first; during a rotation there are two. */
  secrets: string[];
  /** Of the page: Ed25519, PKCS #8, PEM. */
  privateKey: string;
}

/** By which a message to a browser is encrypted and signed; all are base64url. */
export interface PushTarget {
  keys: { p256dh: string; auth: string };
  publicKey: string;
  privateKey: string;
}

/** A buffer is sent as it is. */
export type PostJson = (url: string, value: unknown, headers?: Record<string, string>) => Promise<HttpResponse>;

export interface HttpResponse {
  status: number;
  /** The first 64 KB. */
  body: string;
  retryAfter: string | null;
  contentType?: string | null;
}

/** One message to one recipient. */
export interface OutgoingMessage {
  deliveryId: string;
  /** `<...@...>`, the same at every attempt, so that the recipient server can recognize a duplicate. */
  messageId: string;
  snapshot: MessageSnapshot;
  recipient: Recipient;
}

interface Recipient {
  /** An e-mail address or a phone number; for a channel of the page its label, never its secret. */
  address: string;
  /** Null if the recipient is a channel of the page. */
  subscriberId: number | null;
  /** Signed links for this recipient; null for a channel of the page. */
  unsubscribe: string | null;
  preferences: string | null;
  /** The provider's id of the first message about this notice on this channel; null for the first message. */
  thread: string | null;
  /** The credentials of a channel of the page, never logged; null for a subscriber. */
  target: Target | null;
}

/** Why a server accepts nothing for now: our account or configuration, or too many messages at once. */
export type Deferral = 'sender' | 'rate';

export type Outcome = {
  /** The response of the recipient server, for the operator: 500 characters at most, with secrets redacted. */
  response: string;
} & (
  | { kind: 'sent'; thread?: string }
  /**
   * May succeed another time; `afterSeconds` if the server named one. `unreachable` if there was no response at all, so
   * that other messages will fail too: a response about one recipient says nothing about the next. With a `deferral`
   * the attempt does not count, and the channel pauses.
   */
  | { kind: 'failed'; afterSeconds?: number; unreachable?: boolean; deferral?: Deferral }
  /** Permanent: it is not tried again. `isGone` if there is nobody at the address: several in a row suspend it. */
  | { kind: 'refused'; isGone?: boolean }
);
