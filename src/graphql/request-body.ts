import type { Context as KoaContext } from 'koa';
import { type Caller, canWrite } from '../auth/access.js';
import { createBodyReader, decodeUtf8 } from '../http/body.js';
import { Refusal } from '../core/errors.js';
import type { ApiDependencies } from './context.js';

const MEGABYTE = 1024 * 1024;
const MAX_READ = MEGABYTE;
/** The largest theme, of 10 MB, as base64, and what is around it. */
const MAX_WRITE = 14 * MEGABYTE;
const MAX_QUERY = 100 * 1024;

const readBody = createBodyReader(['application/json'], MAX_READ);
const readBodyWithFile = createBodyReader(['application/json'], MAX_WRITE);

/**
 * Reads the text of the body of a POST, which may be parsed at once. Its operation is unknown until then, so the limit
 * is that of the caller: nothing that a DRAFTER sends has a file.
 */
export async function readBodyText(
  ctx: KoaContext,
  caller: Caller,
  {
    bodyLimits,
    admission,
  }: { bodyLimits: Pick<ApiDependencies['bodyLimits'], 'countForWriters'> } & {
    admission: Pick<ApiDependencies['admission'], 'beginParsing'>;
  },
): Promise<string> {
  const isWriter = canWrite(caller);
  if (isWriter) bodyLimits.countForWriters(ctx.req);
  const bytes = await (canWrite(caller, 'publisher') ? readBodyWithFile : readBody)(ctx);
  // What an operator writes waits for nobody, but for a file.
  if (!isWriter || bytes.length > MAX_READ) await admission.beginParsing(bytes.length);
  return decodeUtf8(bytes);
}

export function checkQuerySize(query: unknown): void {
  if (typeof query === 'string' && Buffer.byteLength(query) > MAX_QUERY)
    throw new Refusal('PAYLOAD_TOO_LARGE', 'The query text is larger than 100 KB.');
}
