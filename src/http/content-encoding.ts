import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { LRUCache } from 'lru-cache';
import Negotiator from 'negotiator';

const encodings = ['br', 'gzip', 'identity'] as const;
export type Encoding = (typeof encodings)[number];

const runBrotli = promisify(brotliCompress);
const runGzip = promisify(gzip);

/** Compresses with a Brotli quality from 0 to 11, which gzip gets as its level. Runs in a thread of libuv. */
export async function compress(bytes: Buffer, encoding: Encoding, quality: number): Promise<Buffer> {
  if (encoding === 'identity') return bytes;
  if (encoding === 'gzip') return runGzip(bytes, { level: Math.min(quality, constants.Z_BEST_COMPRESSION) });
  const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_SIZE_HINT } = constants;
  return runBrotli(bytes, { params: { [BROTLI_PARAM_QUALITY]: quality, [BROTLI_PARAM_SIZE_HINT]: bytes.length } });
}

/**
 * The types of `negotiator` describe its previous version, which followed the client's order.
 * The server's preference decides here, since browsers list encodings in no meaningful order.
 */
interface NegotiatorWithPreference {
  encoding(available: Encoding[], options: { preferred: Encoding[] }): Encoding | undefined;
}

/** A client can send anything. */
const maxCachedHeaderLength = 200;

/** Returns a function that selects the encoding of a response. It caches by Accept-Encoding, of which few exist. */
export function createEncodingNegotiator(): (request: IncomingMessage) => Encoding {
  const cache = new LRUCache<string, Encoding>({ max: 500 });
  return request => {
    const header = String(request.headers['accept-encoding'] ?? '');
    let encoding = cache.get(header);
    if (!encoding) {
      const negotiator = new Negotiator(request) as unknown as NegotiatorWithPreference;
      encoding = negotiator.encoding([...encodings], { preferred: [...encodings] }) ?? 'identity';
      if (header.length <= maxCachedHeaderLength) cache.set(header, encoding);
    }
    return encoding;
  };
}
