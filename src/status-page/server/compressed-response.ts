import { createHash } from 'node:crypto';
import { compress, type Encoding } from '../../http/content-encoding.js';
import type { RenderedResponse } from '../routing/public-route.js';

/** A response in every encoding, headers included, so that a cache hit only writes bytes. */
export interface CompressedResponse {
  status: number;
  /** Memory used by all variants, for the size limit of the caches. */
  sizeBytes: number;
  variants: Record<Encoding, ResponseVariant>;
}

interface ResponseVariant {
  etag: string;
  /** Flat array of names and values: Node writes this form without validating each header again. */
  headers: string[];
  notModifiedHeaders: string[];
  body: Buffer;
}

const compressibleTypes = /^(text\/|image\/svg|application\/(.*\+)?(json|xml|javascript))/;

/** Within 5 % of Brotli's quality 11 in 5 % of the time: visitors wait for changed pages to render. */
const quality = 6;

/** A larger body takes a core for half a second, and its variants more than the cache has room for. */
const maxCompressedBytes = 8 * 1024 * 1024;

/** Fresh for 15 seconds; a shared cache may serve it for a day while this service does not respond. */
const cacheControl = 'public, max-age=15, stale-while-revalidate=60, stale-if-error=86400';

/** Of everything that a private page answers: no cache but that of the browser's memory may have it. */
export const privateCacheControl = 'private, no-store';

/** Estimated memory of the headers of one response. */
const headerSizeBytes = 2_000;

export async function compressResponse(
  { type, body, status = 200, headers = {} }: RenderedResponse,
  commonHeaders: Record<string, string> = {},
  isPrivate = false,
): Promise<CompressedResponse> {
  const bytes = Buffer.isBuffer(body) ? body : Buffer.from(body);
  const isCompressible = compressibleTypes.test(type) && bytes.length <= maxCompressedBytes;
  const [brotliBytes, gzipBytes] = isCompressible
    ? await Promise.all([compress(bytes, 'br', quality), compress(bytes, 'gzip', quality)])
    : [bytes, bytes];
  const hash = createHash('sha256').update(bytes).update(JSON.stringify(headers)).digest('base64url').slice(0, 22);
  const createVariant = (encoding: Encoding, content: Buffer): ResponseVariant => {
    const isCompressed = isCompressible && encoding !== 'identity';
    const etag = `"${hash}${isCompressed ? `-${encoding}` : ''}"`;
    const notModifiedHeaders: Record<string, string> = {
      'Cache-Control': cacheControl,
      ETag: etag,
      ...(isCompressible && { Vary: 'Accept-Encoding' }),
      'X-Content-Type-Options': 'nosniff',
      'Access-Control-Allow-Origin': '*',
      ...commonHeaders,
      ...headers,
      // Also in place of what a route says: an image that never changes is private, too.
      ...(isPrivate && { 'Cache-Control': privateCacheControl }),
    };
    const allHeaders = {
      'Content-Type': type,
      'Content-Length': String(content.length),
      ...(isCompressed && { 'Content-Encoding': encoding }),
      ...notModifiedHeaders,
    };
    return {
      etag,
      headers: Object.entries(allHeaders).flat(),
      notModifiedHeaders: Object.entries(notModifiedHeaders).flat(),
      body: content,
    };
  };
  const variants = {
    br: createVariant('br', brotliBytes),
    gzip: createVariant('gzip', gzipBytes),
    identity: createVariant('identity', bytes),
  };
  // A Set, since an incompressible body is one buffer in all three variants.
  const buffers = [...new Set([bytes, brotliBytes, gzipBytes])];
  return { status, sizeBytes: buffers.reduce((sum, { length }) => sum + length, headerSizeBytes), variants };
}
