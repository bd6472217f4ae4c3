import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { LRUCache } from 'lru-cache';
import Negotiator from 'negotiator';
import type { RenderedResponse } from './public-route.js';

export const encodings = ['br', 'gzip', 'identity'] as const;
export type Encoding = (typeof encodings)[number];

/** A response in every encoding, headers included, so that a cache hit only writes bytes. */
export interface CompressedResponse {
  status: number;
  /** Memory used by all variants, for the size limit of the caches. */
  sizeBytes: number;
  variants: Record<Encoding, ResponseVariant>;
}

export interface ResponseVariant {
  etag: string;
  /** Flat array of names and values: Node writes this form without validating each header again. */
  headers: string[];
  notModifiedHeaders: string[];
  body: Buffer;
}

const compressibleTypes = /^(text\/|image\/svg|application\/(.*\+)?(json|xml|javascript))/;

const compressBrotli = promisify(brotliCompress);
const compressGzip = promisify(gzip);

/** Fresh for 15 seconds; a shared cache may serve it for a day while this service does not respond. */
const cacheControl = 'public, max-age=15, stale-while-revalidate=60, stale-if-error=86400';

/** Estimated memory of the headers of one response. */
const headerSizeBytes = 2_000;

export async function compressResponse(
  { type, body, status = 200, headers = {} }: RenderedResponse,
  commonHeaders: Record<string, string> = {},
): Promise<CompressedResponse> {
  const bytes = Buffer.isBuffer(body) ? body : Buffer.from(body);
  const isCompressible = compressibleTypes.test(type);
  // Quality 6 compresses within 5 % of quality 11 in 5 % of the time. Visitors wait for changed pages to render.
  const brotli = () =>
    compressBrotli(bytes, {
      params: { [constants.BROTLI_PARAM_QUALITY]: 6, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
    });
  const [brotliBytes, gzipBytes] = isCompressible ? await Promise.all([brotli(), compressGzip(bytes)]) : [bytes, bytes];
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

/**
 * The types of `negotiator` describe its previous version, which followed the client's order.
 * The server's preference decides here, since browsers list encodings in no meaningful order.
 */
interface NegotiatorWithPreference {
  encoding(available: Encoding[], options: { preferred: Encoding[] }): Encoding | undefined;
}

/** Returns a function that selects the encoding of a response. It caches by Accept-Encoding, of which few exist. */
export function createEncodingNegotiator(): (request: IncomingMessage) => Encoding {
  const cache = new LRUCache<string, Encoding>({ max: 500 });
  return request => {
    const header = String(request.headers['accept-encoding'] ?? '');
    let encoding = cache.get(header);
    if (!encoding) {
      const negotiator = new Negotiator(request) as unknown as NegotiatorWithPreference;
      encoding = negotiator.encoding([...encodings], { preferred: [...encodings] }) ?? 'identity';
      cache.set(header, encoding);
    }
    return encoding;
  };
}
