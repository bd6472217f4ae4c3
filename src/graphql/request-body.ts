import type { Context as KoaContext } from 'koa';
import { createBodyReader, decodeUtf8 } from '../http/body.js';
import { badRequest, Refusal } from '../core/errors.js';

const MAXIMUM_BODY = 1024 * 1024;
const MAXIMUM_QUERY = 100 * 1024;

const readBody = createBodyReader(['application/json'], MAXIMUM_BODY);

/** Reads the text of the body of a POST. */
export const readBodyText = async (ctx: KoaContext): Promise<string> => decodeUtf8(await readBody(ctx));

/** Parses the body of a POST; Apollo validates its members. */
export function parseJsonBody(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw badRequest('The body is not valid JSON.');
  }
}

export function checkQuerySize(query: unknown): void {
  if (typeof query === 'string' && Buffer.byteLength(query) > MAXIMUM_QUERY)
    throw new Refusal('PAYLOAD_TOO_LARGE', 'The query text is larger than 100 KB.');
}
