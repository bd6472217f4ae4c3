import type { Settings } from '../core/config.js';
import { badRequest, describeRefusal, invalid, Refusal } from '../core/errors.js';
import { problems } from '../core/problems.js';
import { hashToken } from '../auth/token.service.js';
import type { Database } from '../db/database.js';
import type { InputFormat } from '../notices/drafts/input-format.js';
import { findMovedSource } from '../records/moved-page.js';
import { type AlertRule, decide } from './alert.rules.js';
import { type Alert, isObject, type JsonObject, type SignedRequest } from './formats/format.js';
import { findFormat, type FormatName, formatLabels, formats } from './formats/registry.js';
import { handleGroup } from './handle-group.js';
import { openSecret } from './source-secret.js';
import { storeAlerts, storePayload } from './store-alerts.js';

export interface ReceivingSource {
  id: number;
  pageId: string;
  name: string;
  hash: string;
  rules: AlertRule[];
  secret: string | null;
}

interface Receiver {
  database: Database;
  settings: Pick<Settings, 'secretsKey'>;
  draftFormat: InputFormat;
}

/** What was made of a request, for the log of its sender. */
export interface Receipt {
  alerts: number;
  ignored: number;
  drafts: number;
  published: number;
  /** Whether it is what the button *Test* of the sender sends. */
  isTest: boolean;
}

const maximumAlerts = 1_000;

export async function findSource(
  database: Pick<Database, 'query'>,
  token: string,
): Promise<ReceivingSource | undefined> {
  const [source] = await database.query<ReceivingSource>(
    'select id, page_id as "pageId", name, hash, rules, secret from alert_source where hash = $1',
    [hashToken(token)],
  );
  return source;
}

/** The address of a source whose page has moved to another installation; null: there is none. */
export async function findMovedAddress(database: Pick<Database, 'query'>, token: string): Promise<string | null> {
  const origin = await findMovedSource(database, hashToken(token));
  return origin && `${origin}/hooks/${token}`;
}

/** Reads the body of a sender. Throws a refusal that says what was expected. */
export function readPayload(text: string): { format: FormatName; body: JsonObject } {
  const body = parseJson(text);
  if (!isObject(body)) throw badRequest('The body must be a JSON object.');
  const format = findFormat(body);
  if (!format)
    throw new Refusal('INVALID', `The body has not the shape of a format that is known here: ${formatLabels}.`);
  return { format, body };
}

export function parseAlerts({ format, body }: ReturnType<typeof readPayload>): Alert[] {
  const alerts = formats[format].parse(body);
  const index = alerts.findIndex(({ fingerprint, group }) => !fingerprint || !group);
  if (index >= 0) throw invalid({ [`alert ${index + 1}`]: [problems.invalid('must have an id')] });
  return alerts;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw badRequest('The body is no JSON.');
  }
}

/** Stores the alerts of a request, and makes of them what the rules of the source say. */
export async function receiveAlerts(
  receiver: Receiver,
  source: ReceivingSource,
  request: SignedRequest,
  text: string,
): Promise<Receipt> {
  const { database, settings } = receiver;
  const { id, secret } = source;
  const refused = async (error: unknown, format: FormatName | null): Promise<never> => {
    if (error instanceof Refusal)
      await storePayload(database.query, {
        ...{ sourceId: id, format, alertCount: 0, body: text },
        error: describeRefusal(error),
      });
    throw error;
  };
  let payload: ReturnType<typeof readPayload>;
  try {
    payload = readPayload(text);
  } catch (error) {
    // What may come from anybody is not stored where requests are signed: it would push out what the sender has sent.
    if (secret !== null) throw error;
    return refused(error, null);
  }
  const { format } = payload;
  checkSignature(settings, source, request, format);
  let alerts: Alert[];
  try {
    alerts = parseAlerts(payload);
  } catch (error) {
    return refused(error, format);
  }
  const read = alerts.slice(0, maximumAlerts);
  const heeded = read.filter(alert => decide(source.rules, alert).action !== 'IGNORE');
  const stored = { sourceId: id, format, alertCount: alerts.length, body: text, error: null };
  const isTest = formats[format].isTest?.(payload.body) ?? false;
  const countsOnce = secret !== null && (formats[format].isReplayable?.(request) ?? false);
  const receipt = { alerts: alerts.length, ignored: read.length - heeded.length, drafts: 0, published: 0, isTest };
  if (isTest) {
    await storePayload(database.query, stored);
    return receipt;
  }
  for (const group of await storeAlerts(database, { ...stored, countsOnce }, heeded)) {
    const result = await handleGroup(receiver, source, group);
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
  const format = formats[name];
  if (!format.isSigned(request, openSecret(settings, hash, secret)))
    throw new Refusal(
      'UNAUTHENTICATED',
      `The request is not signed by the secret of this source. ${format.label} has to send ${format.signature}.`,
    );
}
