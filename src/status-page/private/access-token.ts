import { timingSafeEqual } from 'node:crypto';
import { keyedHash } from '../../core/keyed-hash.js';

/**
 * What proves that a visitor may see a private page. It is signed, and not stored: the signature covers the version of
 * the access, which moves when all access ends.
 *   view   the cookie of a browser, for 30 days
 *   feed   the key in the address of a feed: a program cannot prove anything again, so it does not expire
 *   enter  in the redirect from the host where people sign in to that of the page, once and for a minute
 */
export type TokenPurpose = 'view' | 'feed' | 'enter';

export const lifetimeSeconds: Record<TokenPurpose, number | null> = { view: 30 * 86_400, feed: null, enter: 60 };

/** The page that a token is for, as it is now. */
interface TokenPage {
  id: string;
  version: number;
}

/** `subject` says whom it belongs to, see `identifyVisitor`. Epoch seconds. */
export function signAccessToken(
  key: Buffer,
  purpose: TokenPurpose,
  page: TokenPage,
  subject: string,
  now: number,
): string {
  const lifetime = lifetimeSeconds[purpose];
  const expiry = lifetime === null ? '' : (Math.floor(now) + lifetime).toString(36);
  const payload = `${Buffer.from(subject).toString('base64url')}.${expiry}`;
  return `${payload}.${sign(key, purpose, page, payload)}`;
}

/** The subject of a token that was signed for this purpose and page, and has not expired; else null. */
export function verifyAccessToken(
  key: Buffer,
  purpose: TokenPurpose,
  page: TokenPage,
  token: string,
  now: number,
): string | null {
  const [, payload, subject, expiry, signature] = /^(([\w-]{1,400})\.([0-9a-z]{0,10}))\.([\w-]{43})$/.exec(token) ?? [];
  if (!payload || !signature) return null;
  if (!timingSafeEqual(Buffer.from(signature), Buffer.from(sign(key, purpose, page, payload)))) return null;
  if (expiry && Number.parseInt(expiry, 36) <= now) return null;
  return Buffer.from(subject!, 'base64url').toString();
}

const sign = (key: Buffer, purpose: TokenPurpose, { id, version }: TokenPage, payload: string): string =>
  keyedHash(key, `page ${purpose}`, id, String(version), payload);
