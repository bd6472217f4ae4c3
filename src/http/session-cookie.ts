import type { IncomingMessage } from 'node:http';
import { sessionLifetimeSeconds } from '../auth/session.service.js';

/** Browsers accept the prefix `__Host-` on https only: no other host can set the cookie, and it has no Domain. */
const cookieName = (name: string, isSecure: boolean): string => (isSecure ? `__Host-${name}` : name);

/** SameSite=Lax, since a strict cookie would be missing after a link from a mail, or from an identity provider. */
export const createCookie = (name: string, value: string, isSecure: boolean, maxAgeSeconds: number): string =>
  `${cookieName(name, isSecure)}=${value}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${maxAgeSeconds}${
    isSecure ? '; Secure' : ''
  }`;

export const createSessionCookie = (secret: string, isSecure: boolean): string =>
  createCookie('session', secret, isSecure, sessionLifetimeSeconds);

/** The value of a cookie. Of several cookies with the name one was planted, so none counts. */
export function readCookieValue({ headers }: IncomingMessage, name: string, isSecure: boolean): string | undefined {
  const prefix = `${cookieName(name, isSecure)}=`;
  const values = (headers.cookie ?? '')
    .split(';')
    .map(pair => pair.trim())
    .filter(pair => pair.startsWith(prefix))
    .map(pair => pair.slice(prefix.length));
  return values.length === 1 ? values[0] : undefined;
}

/** The secret of 256 bits in a cookie. */
export function readCookie(request: IncomingMessage, name: string, isSecure: boolean): string | undefined {
  const secret = readCookieValue(request, name, isSecure);
  return secret !== undefined && /^[\w-]{43}$/.test(secret) ? secret : undefined;
}

export const readSessionCookie = (request: IncomingMessage, isSecure: boolean): string | undefined =>
  readCookie(request, 'session', isSecure);

/**
 * Whether a page of this origin made a request: browsers send cookies with requests that other sites make them send,
 * too. SameSite and the type alone would not do, since a page on a subdomain is the same site. No form can send these
 * types.
 */
export function isFromSameOrigin({ method, headers }: IncomingMessage, origin: string): boolean {
  if (method !== 'POST' || !/^application\/(json|octet-stream)\b/i.test(headers['content-type'] ?? '')) return false;
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin') return false;
  return headers.origin === undefined ? site === 'same-origin' : headers.origin === origin;
}

/**
 * Whether a page of another origin made a browser send a form, with the cookies of ours where both are of one site.
 * Browsers say it over https and to localhost. The origin would not do: it is null in forms of pages without referrers.
 */
export function isFromOtherOrigin({ headers }: IncomingMessage): boolean {
  const site = headers['sec-fetch-site'];
  return site === 'same-site' || site === 'cross-site';
}

/**
 * Whether a page of another origin loads something as a part of it: it could measure an image, and tell a refusal from
 * what a visitor sees. Links and frames are navigations, of which it can read nothing; `object` and `embed` are, too,
 * and take the size of an image.
 */
export function isLoadedByOtherOrigin(request: IncomingMessage): boolean {
  const { 'sec-fetch-mode': mode, 'sec-fetch-dest': destination } = request.headers;
  const hasNoSize = mode === 'navigate' && destination !== 'object' && destination !== 'embed';
  return isFromOtherOrigin(request) && !hasNoSize;
}
