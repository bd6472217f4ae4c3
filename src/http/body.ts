import type { Context } from 'koa';
import readRawBody from 'raw-body';
import { badRequest, Refusal } from '../core/errors.js';

const KILOBYTE = 1024;
const MEGABYTE = 1024 * KILOBYTE;

/**
 * Creates a function that reads the whole body of a request with one of the content types, up to `limit` bytes,
 * whatever the method. It returns an empty buffer when there is no such body. Parsing is left to the caller
 * (docs/decisions/request-bodies-are-parsed-here.md). After a refusal the rest of a large body is still unread: the
 * response should close the connection.
 */
export function createBodyReader(types: string[], limit: number): (ctx: Context) => Promise<Buffer> {
  return async ctx => {
    if (isEmpty(ctx)) return Buffer.alloc(0);
    refuseContentEncoding(ctx);
    if (!ctx.request.is(types)) return Buffer.alloc(0);
    try {
      return await readRawBody(ctx.req, { length: ctx.req.headers['content-length'], limit });
    } catch (error) {
      throw toRefusal(error, ctx, limit);
    }
  };
}

const isEmpty = ({ headers }: Context) =>
  headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0;

/** The names of encodings are case-insensitive (RFC 9110, 8.4.1). */
function refuseContentEncoding({ headers }: Context): void {
  if ((headers['content-encoding'] ?? 'identity').toLowerCase() !== 'identity')
    throw badRequest('A body with a content encoding is not accepted.');
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

const decoder = new TextDecoder('utf-8', { fatal: true });

export function decodeUtf8(bytes: Buffer): string {
  try {
    return decoder.decode(bytes);
  } catch {
    throw badRequest('The body contains bytes that are not UTF-8.');
  }
}
