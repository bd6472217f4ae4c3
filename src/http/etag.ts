import { hash } from 'node:crypto';

/** Weak, since the encodings of a body share it. */
export const createEtag = (body: Buffer): string => `W/"${hash('sha256', body, 'base64url').slice(0, 22)}"`;

/**
 * Whether If-None-Match names this ETag, by weak comparison (RFC 9110, 13.1.2).
 * Koa's `fresh` does not do: it sends the body again to `Cache-Control: no-cache`, which browsers add on a reload.
 */
export function matchesEtag(ifNoneMatch: string | undefined, etag: string | undefined): boolean {
  if (!ifNoneMatch || !etag) return false;
  if (ifNoneMatch === etag || ifNoneMatch.trim() === '*') return true;
  const opaqueTag = withoutWeakMark(etag);
  return ifNoneMatch.split(',').some(tag => withoutWeakMark(tag.trim()) === opaqueTag);
}

const withoutWeakMark = (tag: string): string => (tag.startsWith('W/') ? tag.slice(2) : tag);
