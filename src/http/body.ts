import type { Context } from 'koa';
import { HttpMethodEnum, koaBody } from 'koa-body';
import { badRequest, Refusal } from '../core/errors.js';

const KILOBYTE = 1024;
const MEGABYTE = 1024 * KILOBYTE;

/** Each byte becomes the character of its number, and back: koa-body's own decoding puts U+FFFD where bytes are no UTF-8. */
const bytewise = 'binary';

/**
 * How a body of one of the content types is read: whole, up to the limit in bytes; none where there is no such body. koa-body tells the types apart and bounds what is read. What the
 * bytes say is for the caller to find out: its parsers are more lenient than the contract (docs/decisions/koa-body-reads-and-does-not-parse.md). After a refusal the rest of a large
 * body is still unread: the answer should close the connection.
 */
export function bodyReader(types: string[], limit: number): (ctx: Context) => Promise<Buffer> {
  const read = koaBody({
    json: false,
    urlencoded: false,
    text: true,
    textTypes: types,
    textLimit: limit,
    encoding: bytewise,
    // of reads too, and of what X-HTTP-Method-Override makes of a POST
    parsedMethods: Object.values(HttpMethodEnum),
  });
  return async ctx => {
    if (isEmpty(ctx)) return Buffer.alloc(0);
    refuseEncoding(ctx);
    try {
      await read(ctx, async () => {});
    } catch (error) {
      throw refusalOf(error, ctx, limit);
    }
    return Buffer.from((ctx.request as { body?: string }).body ?? '', bytewise);
  };
}

const isEmpty = ({ headers }: Context) =>
  headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0;

/** koa-body would inflate it. It knows `identity` in small letters alone (RFC 9110, 8.4.1: in any). */
function refuseEncoding({ headers }: Context): void {
  if (headers['content-encoding'] === undefined) return;
  if (headers['content-encoding'].toLowerCase() !== 'identity')
    throw badRequest('A body with a content encoding is not accepted.');
  headers['content-encoding'] = 'identity';
}

function refusalOf(error: unknown, { req }: Context, limit: number): unknown {
  if (error instanceof Error && 'type' in error && error.type === 'entity.too.large') {
    return new Refusal(
      'PAYLOAD_TOO_LARGE',
      `The body is larger than ${limit < MEGABYTE ? `${limit / KILOBYTE} kB` : `${limit / MEGABYTE} MB`}.`,
    );
  }
  // the client went away, perhaps before the reading began
  if (req.destroyed || !req.complete) return badRequest('The body ended before its announced length.');
  return error;
}

export function utf8Text(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw badRequest('The body contains bytes that are not UTF-8.');
  }
}
