/**
 * Whether If-None-Match names this ETag, by weak comparison (RFC 9110, 13.1.2).
 * Koa's `fresh` does not do: it sends the body again to `Cache-Control: no-cache`, which browsers add on a reload.
 */
export function matchesEtag(ifNoneMatch: string | undefined, etag: string): boolean {
  if (!ifNoneMatch) return false;
  if (ifNoneMatch === etag || ifNoneMatch.trim() === '*') return true;
  const opaqueTag = withoutWeakMark(etag);
  return ifNoneMatch.split(',').some(tag => withoutWeakMark(tag.trim()) === opaqueTag);
}

const withoutWeakMark = (tag: string): string => (tag.startsWith('W/') ? tag.slice(2) : tag);
