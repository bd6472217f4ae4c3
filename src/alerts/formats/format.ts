import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { invalid } from '../../core/errors.js';
import { problems } from '../../core/problems.js';

export type AlertStatus = 'firing' | 'resolved';

/** One alert, whatever sent it. */
export interface Alert {
  /** Equal for the same trouble, also when it is sent again. */
  fingerprint: string;
  /** What the sender puts together: one draft is made of each group. */
  group: string;
  status: AlertStatus;
  /** Not blank. */
  title: string;
  text: string;
  labels: Readonly<Record<string, string>>;
  /** What the alert is about, as the sender calls it; empty where it does not say. */
  service: string;
  /** Null: the sender does not say. */
  startsAt: Date | null;
}

export type JsonObject = Readonly<Record<string, unknown>>;

export interface SignedRequest {
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** What one kind of sender posts. */
export interface AlertFormat {
  label: string;
  description: string;
  /** Whether a body has the shape. The shapes exclude each other, but for that of our own, which comes last. */
  matches(body: JsonObject): boolean;
  /** The alerts of a body; none for an event that is about no trouble. */
  parse(body: JsonObject): Alert[];
  /** Whether a body is what the button *Test* of the sender sends. */
  isTest?(body: JsonObject): boolean;
  /** Whether the request proves that its sender has the secret of the source. */
  isSigned(request: SignedRequest, secret: string): boolean;
  /** Whether the proof holds forever, since it covers no time: then a body counts once. */
  isReplayable?(request: SignedRequest): boolean;
  /** How to sign, for an error. */
  signature: string;
}

const maxLengths = { title: 255, text: 10_000, label: 255 };
const maxLabels = 50;

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const toObject = (value: unknown): JsonObject => (isObject(value) ? value : {});

/** Of a request. Of further ones none is stored. */
export const maxAlerts = 1_000;

/** A text or a number as a text of one line that can be stored; empty for anything else. */
export const toLine = (value: unknown, maxLength = maxLengths.label): string =>
  toStorableText(value, maxLength).replaceAll(/\s+/g, ' ').trim();

/**
 * A text or a number that identifies something: what is longer is hashed, since keys of many senders differ at their
 * end.
 */
export function toKey(value: unknown, maxLength = maxLengths.label): string {
  const key = toLine(value, Number.MAX_SAFE_INTEGER);
  return key.length > maxLength ? createHash('sha256').update(key).digest('hex') : key;
}

export const toText = (value: unknown): string => toStorableText(value, maxLengths.text).trim();

export const toTitle = (...values: unknown[]): string =>
  readFirst(values, value => toLine(value, maxLengths.title)) || 'Alert without a title';

/** A line for each, within the maximum of one text. */
export function joinTexts(values: readonly unknown[]): string {
  let text = '';
  for (const value of values) {
    if (text.length >= maxLengths.text) break;
    text += `${text && '\n'}${toText(value)}`;
  }
  return toText(text);
}

/** The first text that is not empty. */
export const findText = (...values: unknown[]): string => readFirst(values, toText);

/** Those after the first one are not read: each takes time. */
function readFirst(values: readonly unknown[], read: (value: unknown) => string): string {
  for (const value of values) {
    const text = read(value);
    if (text) return text;
  }
  return '';
}

function toStorableText(value: unknown, maxLength: number): string {
  if (typeof value !== 'string' && typeof value !== 'number') return '';
  const text = String(value).toWellFormed().replaceAll('\0', '');
  // A text that is taken apart needs 20 times its memory.
  return text.length > maxLength ? [...text.slice(0, 2 * maxLength)].slice(0, maxLength).join('') : text;
}

/** Null for what is not a time, and for the zero time of Go. */
export function toTime(value: unknown): Date | null {
  const time = new Date(typeof value === 'string' ? value : Number.NaN);
  const year = time.getUTCFullYear();
  return year > 1970 && year < 10_000 ? time : null;
}

export const toLabels = (value: unknown): Record<string, string> =>
  Object.fromEntries(
    Object.entries(toObject(value))
      .slice(0, maxLabels)
      .map(([name, label]) => [toLine(name), toLine(label)]),
  );

/** The fingerprint of an alert without one. */
export const hashLabels = (...values: unknown[]): string =>
  createHash('sha256').update(JSON.stringify(values)).digest('hex').slice(0, 16);

/** The objects of a list: at most one more than are stored, which says that there are more. */
export function readList(body: JsonObject, field: string): JsonObject[] {
  const list = body[field];
  if (!Array.isArray(list)) throw invalid({ [field]: [problems.invalid('must be a list')] });
  const index = list.findIndex(item => !isObject(item));
  if (index >= 0) throw invalid({ [`${field}.${index}`]: [problems.invalid('must be an object')] });
  return list.slice(0, maxAlerts + 1);
}
