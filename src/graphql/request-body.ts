import type { Context as KoaContext } from 'koa';
import { type Caller, canWrite } from '../auth/access.js';
import { createBodyReader, decodeUtf8 } from '../http/body.js';
import type { BodyLimits } from '../http/body-limits.js';
import { Refusal } from '../core/errors.js';

const MEGABYTE = 1024 * 1024;
const MAX_READ = MEGABYTE;
/** The largest theme, of 10 MB, as base64, and what is around it. */
const MAX_WRITE = 14 * MEGABYTE;
const MAX_QUERY = 100 * 1024;

const readBodyOfReader = createBodyReader(['application/json'], MAX_READ);
const readBodyOfWriter = createBodyReader(['application/json'], MAX_WRITE);

/** Reads the text of the body of a POST. Its operation is unknown until then, so the limit is that of the caller. */
export async function readBodyText(ctx: KoaContext, caller: Caller, limits: BodyLimits): Promise<string> {
  if (!canWrite(caller)) return decodeUtf8(await readBodyOfReader(ctx));
  limits.countForWriters(ctx.req);
  return decodeUtf8(await readBodyOfWriter(ctx));
}

export function checkQuerySize(query: unknown): void {
  if (typeof query === 'string' && Buffer.byteLength(query) > MAX_QUERY)
    throw new Refusal('PAYLOAD_TOO_LARGE', 'The query text is larger than 100 KB.');
}
