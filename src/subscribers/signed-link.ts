import { createHmac, timingSafeEqual } from 'node:crypto';
import { keyedHash } from '../core/keyed-hash.js';

/**
 * Links that let their holder act for one subscriber without a login. The signature covers the purpose, the page, the
 * subscriber and the expiry, so that no link can be turned into another.
 *   confirm      valid for 7 days, and once: it has the link version of the subscriber, which changes when it is used
 *   unsubscribe  never expires: unsubscribing must always work
 *   preferences  shows and changes the choices. In a message it never expires, like unsubscribing; it is valid for
 *                1 hour if a visitor has requested it with an address
 *   request      the preferences link of messages of earlier versions
 *   confirm-webhook, webhook: as `confirm` and `preferences`, for a webhook that a visitor subscribed
 */
export const linkPurposes = ['confirm', 'unsubscribe', 'request', 'preferences', 'confirm-webhook', 'webhook'] as const;
type LinkPurpose = (typeof linkPurposes)[number];

export interface Link {
  purpose: LinkPurpose;
  pageId: string;
  /** Of the subscriber, or of the webhook. */
  subscriberId: number;
  /** Epoch seconds, by the clock of the database; absent if it never expires. */
  expiresAt?: number;
  /** The link version of the subscriber, if the link works once. */
  version?: number;
  /** Of the address that a message went to (`hashAddress`): the link ends when the subscriber gets another. */
  address?: number;
  /** The subscriber whose address changes, and the hash of the old one: confirming ends that subscription. */
  replaces?: { id: number; address: number };
}

/** Short, for SMS: it is compared with the addresses of one subscriber, and the signature covers it. */
export const hashAddress = (key: Buffer, address: string): number =>
  Buffer.from(keyedHash(key, 'address of a link', address.toLowerCase()), 'base64url').readUIntBE(0, 3);

/**
 * Short, for SMS: `<subscriber>.<expiry>.<version or address>[.<replaced>.<its address>].<128 bits>`, numbers in base
 * 36, absent ones empty. Links that confirm have a version, others an address; those of earlier messages have none.
 */
export function signLink(key: Buffer, link: Link): string {
  const numbers = [
    link.subscriberId,
    link.expiresAt,
    link.version ?? link.address,
    ...(link.replaces ? [link.replaces.id, link.replaces.address] : []),
  ];
  const payload = numbers.map(number => number?.toString(36) ?? '').join('.');
  return `${payload}.${createSignature(key, link, payload).toString('base64url')}`;
}

const fieldsPattern = /(?<subscriber>[0-9a-z]{1,7})\.(?<expiry>[0-9a-z]{0,10})\.(?<bound>[0-9a-z]{0,7})/.source;
const replacedPattern = /(?:\.(?<replaced>[0-9a-z]{1,7})\.(?<oldAddress>[0-9a-z]{1,7}))?/.source;
const tokenPattern = new RegExp(`^(?<payload>${fieldsPattern}${replacedPattern})\\.(?<signature>[A-Za-z0-9_-]{22})$`);

/** The link of a token that was signed for this purpose and page, else null. The database checks the expiry. */
export function verifyLink(key: Buffer, purpose: LinkPurpose, pageId: string, token: string): Link | null {
  const groups = tokenPattern.exec(token)?.groups;
  if (!groups) return null;
  const { payload, subscriber, expiry, bound, replaced, oldAddress, signature } = groups as Record<string, string>;
  const link: Link = { purpose, pageId, subscriberId: Number.parseInt(subscriber!, 36) };
  if (expiry) link.expiresAt = Number.parseInt(expiry, 36);
  const isConfirmation = purpose.startsWith('confirm');
  if (bound) link[isConfirmation ? 'version' : 'address'] = Number.parseInt(bound, 36);
  if (replaced) link.replaces = { id: Number.parseInt(replaced, 36), address: Number.parseInt(oldAddress!, 36) };
  if (isConfirmation && !(bound && expiry)) return null;
  const bytes = Buffer.from(signature!, 'base64url');
  // The last of 22 characters has unused bits: refuse other spellings of the same signature.
  if (bytes.toString('base64url') !== signature) return null;
  return timingSafeEqual(bytes, createSignature(key, link, payload!)) ? link : null;
}

function createSignature(key: Buffer, { purpose, pageId }: Link, payload: string): Buffer {
  return createHmac('sha256', key).update(`${purpose} ${pageId} ${payload}`).digest().subarray(0, 16);
}

interface LinkedPage {
  id: string;
  /** The public URL, without a slash at the end. */
  address: string;
}

/** For every message to an address. Has no expiry time, but ends when the subscriber gets another address. */
export const buildUnsubscribeUrl = (key: Buffer, page: LinkedPage, subscriberId: number, address?: string): string =>
  buildLinkUrl(key, page, createMessageLink(key, 'unsubscribe', page.id, subscriberId, address));

/** Like `buildUnsubscribeUrl`, for the page on which the subscriber changes their choices. */
export const buildPreferencesUrl = (key: Buffer, page: LinkedPage, subscriberId: number, address?: string): string =>
  buildLinkUrl(key, page, createMessageLink(key, 'preferences', page.id, subscriberId, address));

/** A link to the choices ends when the subscriber gets another address than the one that it was given to. */
export const bindToAddress = (key: Buffer, link: Link, address: string): Link =>
  link.purpose === 'preferences' ? { ...link, address: hashAddress(key, address) } : link;

/** Without an address: as in messages of earlier versions. */
export const createMessageLink = (
  key: Buffer,
  purpose: 'unsubscribe' | 'preferences',
  pageId: string,
  subscriberId: number,
  address?: string,
): Link => ({ purpose, pageId, subscriberId, ...(address && { address: hashAddress(key, address) }) });

/** The path of each kind of link, below the page. */
export const linkPaths: Record<LinkPurpose, string> = {
  confirm: 'confirm',
  unsubscribe: 'unsubscribe',
  request: 'preferences/request',
  preferences: 'preferences',
  'confirm-webhook': 'webhook/confirm',
  webhook: 'webhook',
};

export function buildLinkUrl(key: Buffer, { address }: LinkedPage, link: Link): string {
  return `${address}/${buildLinkPath(key, link)}`;
}

/** Relative to the mount of the page. */
export const buildLinkPath = (key: Buffer, link: Link): string => `${linkPaths[link.purpose]}/${signLink(key, link)}`;
