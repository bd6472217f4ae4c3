import type { Context as KoaContext } from 'koa';
import { type Caller, canWrite } from '../auth/access.js';
import type { Admission } from '../http/admission.js';
import { createBodyReader, decodeUtf8 } from '../http/body.js';
import type { BodyLimits } from '../http/body-limits.js';
import { Refusal } from '../core/errors.js';

const MEGABYTE = 1024 * 1024;
const MAX_QUERY = 100 * 1024;

const maxBytesWithoutFile = MEGABYTE;
const readBody = createBodyReader(['application/json'], maxBytesWithoutFile);
/** The largest image for an update, of 2 MB, as base64, and what is around it. */
const readBodyOfDrafter = createBodyReader(['application/json'], 3 * MEGABYTE);
/** The largest theme, of 10 MB, the same way. */
const readBodyOfPublisher = createBodyReader(['application/json'], 14 * MEGABYTE);

interface Dependencies {
  bodyLimits: Pick<BodyLimits, 'countForWriters'>;
  admission: Pick<Admission, 'beginParsing'>;
}

/**
 * Reads the text of the body of a POST, which may be parsed at once. Its operation is unknown until then, so the limit
 * is that of the caller.
 */
export async function readBodyText(
  ctx: KoaContext,
  caller: Caller,
  { bodyLimits, admission }: Dependencies,
): Promise<string> {
  const isWriter = canWrite(caller);
  if (isWriter) bodyLimits.countForWriters(ctx.req);
  const read = canWrite(caller, 'publisher') ? readBodyOfPublisher : isWriter ? readBodyOfDrafter : readBody;
  const bytes = await read(ctx);
  // What an operator writes waits for nobody, but for a file.
  if (!isWriter || bytes.length > maxBytesWithoutFile) await admission.beginParsing(bytes.length);
  return decodeUtf8(bytes);
}

export function checkQuerySize(query: unknown): void {
  if (typeof query === 'string' && Buffer.byteLength(query) > MAX_QUERY)
    throw new Refusal('PAYLOAD_TOO_LARGE', 'The query text is larger than 100 KB.');
}
