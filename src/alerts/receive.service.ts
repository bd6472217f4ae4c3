import type { Settings } from '../core/config.js';
import { badRequest, describeRefusal, invalid, Refusal } from '../core/errors.js';
import { parseJson } from '../http/body.js';
import { problems } from '../core/problems.js';
import { hashToken } from '../auth/token.service.js';
import type { Database } from '../db/database.js';
import type { InputFormat } from '../notices/drafts/input-format.js';
import { findMovedSource } from '../records/moved-page.js';
import { type AlertRule, decide } from './alert.rules.js';
import { type AlertFields, parseByFields } from './formats/custom.js';
import {
  type Alert,
  type AlertFormat,
  isObject,
  type JsonObject,
  maxAlerts,
  type SignedRequest,
} from './formats/format.js';
import { allFormats, findFormat, type FormatName, formatLabels, formats } from './formats/registry.js';
import { findSnsType, readSubscribeUrl, unwrapSnsMessage } from './formats/sns.js';
import { handleGroup } from './handle-group.js';
import { sourceSecretColumn } from './source-secret.js';
import { storeAlerts, storePayload } from './store-alerts.js';

/** A body with 1,000 alerts has 20,000 to 30,000. */
const maxValues = 50_000;

export interface ReceivingSource {
  id: number;
  pageId: string;
  name: string;
  hash: string;
  rules: AlertRule[];
  fields: AlertFields | null;
  secret: string | null;
}

interface Receiver {
  database: Database;
  settings: Pick<Settings, 'secretsKey'>;
  draftFormat: InputFormat;
  /** Runs what writes when the service has room for it. */
  admit<Result>(write: () => Promise<Result>): Promise<Result>;
  /** Asks for an address of Amazon SNS. Throws a refusal if it does not answer. */
  confirmSubscription(url: string): Promise<void>;
}

/** What was made of a request, for the log of its sender. */
export interface Receipt {
  alerts: number;
  ignored: number;
  drafts: number;
  published: number;
  /** Why nothing was made of it, where it has no alerts. */
  note: string | null;
}

export async function findSource(
  database: Pick<Database, 'query'>,
  token: string,
): Promise<ReceivingSource | undefined> {
  const [source] = await database.query<ReceivingSource>(
    'select id, page_id as "pageId", name, hash, rules, fields, secret from alert_source where hash = $1',
    [hashToken(token)],
  );
  return source;
}

/** The address of a source whose page has moved to another installation; null: there is none. */
export async function findMovedAddress(database: Pick<Database, 'query'>, token: string): Promise<string | null> {
  const origin = await findMovedSource(database, hashToken(token));
  return origin && `${origin}/hooks/${token}`;
}

/** A body, and how it is read. */
interface ReceivedBody {
  format: FormatName;
  parse(): Alert[];
  isTest: boolean;
  isReplayable: AlertFormat['isReplayable'];
  /** Confirms the subscription of an SNS topic. */
  subscribeUrl?: string;
  note?: string;
}

/** Reads the body of a sender: by the field paths of the source, if it has any, or by its shape. */
export function readPayload(text: string, fields: AlertFields | null = null): ReceivedBody {
  const body = parseJson(text, { maxValues, invalid: 'The body is not JSON.' });
  const snsType = isObject(body) ? findSnsType(body) : undefined;
  if (isObject(body) && snsType && snsType !== 'Notification') return readSubscription(body, snsType);
  const content = isObject(body) && snsType ? unwrapSnsMessage(body) : body;
  const shape = isObject(content) ? findFormat(content) : undefined;
  if (fields && typeof content === 'object' && content !== null) {
    // The test of a known sender is one whatever the paths read.
    const isTest = isObject(content) && shape !== undefined && (formats[shape].isTest?.(content) ?? false);
    return { format: 'custom', parse: () => parseByFields(fields, content), isTest, isReplayable: undefined };
  }
  if (!isObject(content)) throw badRequest('The body must be a JSON object.');
  const format = shape;
  if (!format)
    throw new Refusal(
      'INVALID',
      `The body is in none of the known formats: ${formatLabels}. Field paths of the source read any other JSON.`,
    );
  const { parse, isTest, isReplayable }: AlertFormat = formats[format];
  return { format, parse: () => parse(content), isTest: isTest?.(content) ?? false, isReplayable };
}

const readSubscription = (body: JsonObject, type: 'SubscriptionConfirmation' | 'UnsubscribeConfirmation') => ({
  format: 'sns' as const,
  parse: () => [],
  isTest: false,
  isReplayable: undefined,
  ...(type === 'SubscriptionConfirmation'
    ? { subscribeUrl: readSubscribeUrl(body), note: 'The subscription is confirmed.' }
    : { note: 'The subscription has ended: nothing was made of it.' }),
});

export function parseAlerts({ parse }: Pick<ReceivedBody, 'parse'>): Alert[] {
  const alerts = parse();
  const index = alerts.findIndex(({ fingerprint, group }) => !fingerprint || !group);
  if (index >= 0) throw invalid({ [`alert ${index + 1}`]: [problems.invalid('must have an id')] });
  return alerts;
}

/** Stores a request that is refused, unless it may come from anybody: it would push out what the sender has sent. */
export async function storeRefused(
  { query }: Pick<Database, 'query'>,
  { id, secret }: Pick<ReceivingSource, 'id' | 'secret'>,
  error: unknown,
  text: string,
  format: FormatName | null = null,
): Promise<void> {
  if (!(error instanceof Refusal) || (secret !== null && !format)) return;
  await storePayload(query, {
    sourceId: id,
    format,
    alertCount: 0,
    body: text.toWellFormed().replaceAll('\0', ''),
    error: describeRefusal(error),
  });
}

/** Stores the alerts of a request, and makes of them what the rules of the source say. */
export async function receiveAlerts(
  receiver: Receiver,
  source: ReceivingSource,
  request: SignedRequest,
  text: string,
): Promise<Receipt> {
  const { database, settings, admit } = receiver;
  let format: FormatName | null = null;
  let received: Received;
  try {
    const payload = readPayload(text, source.fields);
    checkSignature(settings, source, request, payload.format);
    format = payload.format;
    received = { text, payload, alerts: parseAlerts(payload) };
    if (payload.subscribeUrl) await receiver.confirmSubscription(payload.subscribeUrl);
  } catch (error) {
    await admit(() => storeRefused(database, source, error, text, format));
    throw error;
  }
  return storeReceived(receiver, source, request, received);
}

interface Received {
  text: string;
  payload: ReceivedBody;
  alerts: readonly Alert[];
}

async function storeReceived(
  receiver: Receiver,
  source: ReceivingSource,
  request: SignedRequest,
  { text, payload, alerts }: Received,
): Promise<Receipt> {
  const { database, admit } = receiver;
  const { format, isTest, isReplayable } = payload;
  const read = alerts.slice(0, maxAlerts);
  const effective = read.filter(alert => decide(source.rules, alert).action !== 'IGNORE');
  const stored = { sourceId: source.id, format, alertCount: alerts.length, body: text, error: null };
  const countsOnce = source.secret !== null && (isReplayable?.(request) ?? false);
  const note = payload.note ?? (isTest ? 'A test: nothing was made of it.' : null);
  const receipt = { alerts: alerts.length, ignored: read.length - effective.length, drafts: 0, published: 0, note };
  if (note) {
    await admit(() => storePayload(database.query, stored));
    return receipt;
  }
  // A notice may name a thousand components: others have their turn between two. What is refused is handled when the
  // sender tries again.
  for (const group of await admit(() => storeAlerts(database, { ...stored, countsOnce }, effective))) {
    const result = await admit(() => handleGroup(receiver, source, group));
    if (result) receipt[result] += 1;
  }
  return receipt;
}

function checkSignature(
  settings: Pick<Settings, 'secretsKey'>,
  { hash, secret }: ReceivingSource,
  request: SignedRequest,
  name: FormatName,
): void {
  if (secret === null) return;
  const format: Pick<AlertFormat, 'label' | 'isSigned' | 'signature'> = allFormats[name];
  if (!format.isSigned(request, sourceSecretColumn.open(settings, { hash }, secret)))
    throw new Refusal(
      'UNAUTHENTICATED',
      `The request is not signed by the secret of this source. ${format.label} has to send ${format.signature}.`,
    );
}
