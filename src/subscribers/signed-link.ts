import { createHmac, timingSafeEqual } from 'node:crypto';

/**
 * Addresses that let their bearer act for one subscriber, without a login. What a link is good for, the page and the subscriber are all signed, so that none
 * can be made of another; when it ends is written in it and signed too.
 *   confirm      7 days, and once: it carries the subscriber's link version, which moves when it is used
 *   unsubscribe  for ever: who wants to leave must not be told to ask again
 *   request      for ever: shows nothing but a button, by which a link of 1 hour goes to the address
 *   preferences  1 hour, since it lets change what is received
 */
export const linkPurposes = ['confirm', 'unsubscribe', 'request', 'preferences'] as const;
export type LinkPurpose = (typeof linkPurposes)[number];

export interface Link {
  purpose: LinkPurpose;
  pageId: string;
  subscriberId: number;
  /** Seconds of the epoch, by the database's clock; absent: never. */
  expiresAt?: number;
  /** The subscriber's link version, where the link is to work once. */
  version?: number;
}

/** Short, for SMS: `<subscriber>.<expiry>.<version>.<128 bits>`, numbers to the base 36, empty where there is none. */
export function signed(key: Buffer, link: Link): string {
  const readable = [link.subscriberId, link.expiresAt, link.version]
    .map(number => number?.toString(36) ?? '')
    .join('.');
  return `${readable}.${signatureOf(key, link, readable).toString('base64url')}`;
}

const expires: ReadonlySet<LinkPurpose> = new Set(['confirm', 'preferences']);

/** What a token says, if it was signed for this purpose and page; else null. Whether it has expired is for the database's clock to say. */
export function verified(key: Buffer, purpose: LinkPurpose, pageId: string, token: string): Link | null {
  const match = /^(([0-9a-z]{1,7})\.([0-9a-z]{0,10})\.([0-9a-z]{0,7}))\.([A-Za-z0-9_-]{22})$/.exec(token);
  if (!match) return null;
  const [, readable, subscriber, expiry, version, signature] = match as unknown as [
    string,
    string,
    string,
    string,
    string,
    string,
  ];
  const link: Link = { purpose, pageId, subscriberId: Number.parseInt(subscriber, 36) };
  if (expiry) link.expiresAt = Number.parseInt(expiry, 36);
  if (version) link.version = Number.parseInt(version, 36);
  if ((purpose === 'confirm' && !version) || (expires.has(purpose) && !expiry)) return null;
  const given = Buffer.from(signature, 'base64url');
  // The last of 22 characters has bits that mean nothing: one token, one writing.
  if (given.toString('base64url') !== signature) return null;
  return timingSafeEqual(given, signatureOf(key, link, readable)) ? link : null;
}

function signatureOf(key: Buffer, { purpose, pageId }: Link, readable: string): Buffer {
  return createHmac('sha256', key).update(`${purpose} ${pageId} ${readable}`).digest().subarray(0, 16);
}

/** A page as links need it: its public address has no slash at its end. */
export interface LinkedPage {
  id: string;
  address: string;
}

/** For every message: its reader leaves with it, today or in ten years. */
export function unsubscribeLink(key: Buffer, page: LinkedPage, subscriberId: number): string {
  return addressOf(key, page, { purpose: 'unsubscribe', pageId: page.id, subscriberId });
}

/** For every message: leads to a button by which the subscriber is sent a link that lets them change what they receive. */
export function preferencesLink(key: Buffer, page: LinkedPage, subscriberId: number): string {
  return addressOf(key, page, { purpose: 'request', pageId: page.id, subscriberId });
}

/** Of which page of the page each kind of link is. */
const paths: Record<LinkPurpose, string> = {
  confirm: 'confirm',
  unsubscribe: 'unsubscribe',
  request: 'preferences/request',
  preferences: 'preferences',
};

/** The whole address of a signed link. */
export function addressOf(key: Buffer, { address }: LinkedPage, link: Link): string {
  return `${address}/${linkPath(key, link)}`;
}

/** The same below the place of its page. */
export const linkPath = (key: Buffer, link: Link): string => `${paths[link.purpose]}/${signed(key, link)}`;

/** A keyed hash of something that must not be guessed back from what is kept of it. */
export function keyedHash(key: Buffer, purpose: string, ...values: string[]): string {
  return createHmac('sha256', key)
    .update(JSON.stringify([purpose, ...values]))
    .digest('base64url');
}
