import type { Context } from 'koa';
import { HttpMethodEnum, koaBody } from 'koa-body';
import { badRequest, Refusal } from '../core/errors.js';

const KILOBYTE = 1024;
const MEGABYTE = 1024 * KILOBYTE;

/** Maps each byte to the character of its code and back. koa-body's own decoding replaces invalid UTF-8 by U+FFFD. */
const byteEncoding = 'binary';

/**
 * Creates a function that reads the whole body of a request with one of the content types, up to `limit` bytes.
 * It returns an empty buffer when there is no such body. koa-body matches the types and enforces the limit; parsing is
 * left to the caller, since koa-body's parsers are more lenient than docs/rest-api.md
 * (docs/decisions/request-bodies-are-parsed-here.md).
 * After a refusal the rest of a large body is still unread: the response should close the connection.
 */
export function createBodyReader(types: string[], limit: number): (ctx: Context) => Promise<Buffer> {
  const read = koaBody({
    json: false,
    urlencoded: false,
    text: true,
    textTypes: types,
    textLimit: limit,
    encoding: byteEncoding,
    // Includes GET and HEAD, and the methods that X-HTTP-Method-Override makes of a POST.
    parsedMethods: Object.values(HttpMethodEnum),
  });
  return async ctx => {
    if (isEmpty(ctx)) return Buffer.alloc(0);
    refuseContentEncoding(ctx);
    try {
      await read(ctx, async () => {});
    } catch (error) {
      throw toRefusal(error, ctx, limit);
    }
    return Buffer.from((ctx.request as { body?: string }).body ?? '', byteEncoding);
  };
}

const isEmpty = ({ headers }: Context) =>
  headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0;

/** koa-body would inflate the body. It accepts `identity` in lower case only (RFC 9110, 8.4.1: in any case). */
function refuseContentEncoding({ headers }: Context): void {
  if (headers['content-encoding'] === undefined) return;
  if (headers['content-encoding'].toLowerCase() !== 'identity')
    throw badRequest('A body with a content encoding is not accepted.');
  headers['content-encoding'] = 'identity';
}

function toRefusal(error: unknown, { req }: Context, limit: number): unknown {
  if (error instanceof Error && 'type' in error && error.type === 'entity.too.large') {
    return new Refusal(
      'PAYLOAD_TOO_LARGE',
      `The body is larger than ${limit < MEGABYTE ? `${limit / KILOBYTE} kB` : `${limit / MEGABYTE} MB`}.`,
    );
  }
  // The client disconnected, perhaps before reading began.
  if (req.destroyed || !req.complete) return badRequest('The body ended before its announced length.');
  return error;
}

export function decodeUtf8(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw badRequest('The body contains bytes that are not UTF-8.');
  }
}
