import type { IncomingMessage } from 'node:http';
import type { Context } from 'koa';
import { compress, type Encoding } from './content-encoding.js';
import { createEtag, matchesEtag } from './etag.js';

/** A smaller body fits into one or two packets without compression, too. */
const minCompressedBytes = 2 * 1024;
/** Half of the time of the public pages' quality, and 10 % more bytes: an API response is compressed for one client. */
const quality = 3;

interface SendOptions {
  negotiateEncoding: (request: IncomingMessage) => Encoding;
  /** Whether the body gets an ETag, and is left out (304) where the client has it already. */
  canBeRevalidated: boolean;
  /** Keeps the response in memory, for which its body is made also where the client has it already. */
  keep?: (body: Buffer) => void;
}

/**
 * Sends a response, compressed if that is worth it. Compressing reveals no secret by its length (BREACH):
 * no cookie authorizes a request, so another site cannot make a browser send one that has access.
 */
export async function sendBody(
  ctx: Context,
  json: string,
  { negotiateEncoding, canBeRevalidated, keep }: SendOptions,
): Promise<void> {
  // Node would concatenate a string with the headers, which copies all of it once more.
  const body = Buffer.from(json);
  ctx.vary('Accept-Encoding');
  const etag = canBeRevalidated ? createEtag(body) : undefined;
  if (etag) ctx.set('ETag', etag);
  const isUnchanged = etag !== undefined && matchesEtag(ctx.get('If-None-Match'), etag);
  if (!isUnchanged || keep) {
    const encoding = body.length > minCompressedBytes ? negotiateEncoding(ctx.req) : 'identity';
    if (encoding !== 'identity') ctx.set('Content-Encoding', encoding);
    const encoded = await compress(body, encoding, quality);
    ctx.body = encoded;
    keep?.(encoded);
  }
  if (isUnchanged) {
    ctx.remove('Content-Encoding');
    ctx.status = 304;
  }
}
