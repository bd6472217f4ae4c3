import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Drawing } from './public-route.js';

export const encodings = ['br', 'gzip', 'identity'] as const;
export type Encoding = (typeof encodings)[number];

/** A drawing as it goes over the wire, in each encoding: nothing is left to do at a request. */
export interface Packed {
  status: number;
  /** Bytes held, of all encodings. */
  size: number;
  forms: Record<Encoding, Form>;
}

export interface Form {
  etag: string;
  /** Names and values in turn, as node writes them without looking at each. */
  headers: string[];
  notModified: string[];
  body: Buffer;
}

const compressible = /^(text\/|image\/svg|application\/(.*\+)?(json|xml|javascript))/;

const compressBrotli = promisify(brotliCompress);
const compressGzip = promisify(gzip);

/** The page as a whole is fresh for a quarter of a minute; a cache may go on showing it for a day when we are away. */
const cacheControl = 'public, max-age=15, stale-while-revalidate=60, stale-if-error=86400';

export async function pack(
  { type, body, status = 200, headers = {} }: Drawing,
  common: Record<string, string> = {},
): Promise<Packed> {
  const bytes = Buffer.isBuffer(body) ? body : Buffer.from(body);
  const isText = compressible.test(type);
  // Quality 6 is within a twentieth of the best and takes a twentieth of its time: pages are drawn while visitors wait for a change.
  const brotli = () =>
    compressBrotli(bytes, {
      params: { [constants.BROTLI_PARAM_QUALITY]: 6, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
    });
  const [br, zipped] = isText ? await Promise.all([brotli(), compressGzip(bytes)]) : [bytes, bytes];
  const hash = createHash('sha256').update(bytes).update(JSON.stringify(headers)).digest('base64url').slice(0, 22);
  const form = (encoding: Encoding, content: Buffer): Form => {
    const packed = isText && encoding !== 'identity';
    const etag = `"${hash}${packed ? `-${encoding}` : ''}"`;
    const lasting: Record<string, string> = {
      'Cache-Control': cacheControl,
      ETag: etag,
      ...(isText && { Vary: 'Accept-Encoding' }),
      'X-Content-Type-Options': 'nosniff',
      'Access-Control-Allow-Origin': '*',
      ...common,
      ...headers,
    };
    const whole = {
      'Content-Type': type,
      'Content-Length': String(content.length),
      ...(packed && { 'Content-Encoding': encoding }),
      ...lasting,
    };
    return { etag, headers: Object.entries(whole).flat(), notModified: Object.entries(lasting).flat(), body: content };
  };
  const forms = { br: form('br', br), gzip: form('gzip', zipped), identity: form('identity', bytes) };
  return { status, size: [...new Set([bytes, br, zipped])].reduce((sum, { length }) => sum + length, 2_000), forms };
}
