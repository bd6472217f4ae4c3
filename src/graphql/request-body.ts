import type { Context as KoaContext } from 'koa';
import { bodyReader, utf8Text } from '../http/body.js';
import { badRequest, Refusal } from '../core/errors.js';

const MAXIMUM_BODY = 1024 * 1024;
const MAXIMUM_QUERY = 100 * 1024;

const readBody = bodyReader(['application/json'], MAXIMUM_BODY);

/** The JSON of a POST. What is wrong with its members is for the server to say. */
export async function jsonBody(ctx: KoaContext): Promise<unknown> {
  const text = utf8Text(await readBody(ctx));
  try {
    return JSON.parse(text);
  } catch {
    throw badRequest('The body is not valid JSON.');
  }
}

export function checkQueryText(query: unknown): void {
  if (typeof query === 'string' && Buffer.byteLength(query) > MAXIMUM_QUERY)
    throw new Refusal('PAYLOAD_TOO_LARGE', 'The query text is larger than 100 KB.');
}
