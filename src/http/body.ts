import type { Context } from 'koa';
import { HttpMethodEnum, koaBody } from 'koa-body';
import readRawBody from 'raw-body';
import { badRequest, Refusal } from '../core/errors.js';

const KILOBYTE = 1024;
const MEGABYTE = 1024 * KILOBYTE;

/**
 * Creates a function that reads the whole body of a request with one of the content types, or any or none, up to
 * `limit` bytes, whatever the method. It returns an empty buffer when there is no such body. Parsing is left to the
 * caller (docs/decisions/request-bodies-are-parsed-here.md). After a refusal the rest of a large body is still unread:
 * the response should close the connection.
 */
export function createBodyReader(types: string[] | 'any', limit: number): (ctx: Context) => Promise<Buffer> {
  const read = types === 'any' ? (ctx: Context) => readRawBody(ctx.req, { limit }) : readWithKoaBody(types, limit);
  return async ctx => {
    if (isEmpty(ctx)) return Buffer.alloc(0);
    refuseContentEncoding(ctx);
    if (types !== 'any' && !ctx.request.is(types)) return Buffer.alloc(0);
    try {
      return await read(ctx);
    } catch (error) {
      throw toRefusal(error, ctx, limit);
    }
  };
}

/** Its parsers are off. Without an encoding, what it reads as text is the buffer of what was sent. */
function readWithKoaBody(textTypes: string[], textLimit: number): (ctx: Context) => Promise<Buffer> {
  const read = koaBody({
    json: false,
    urlencoded: false,
    multipart: false,
    text: true,
    textTypes,
    textLimit,
    encoding: '',
    parsedMethods: Object.values(HttpMethodEnum),
  });
  return async ctx => {
    await read(ctx, async () => {});
    return ctx.request.body as unknown as Buffer;
  };
}

const isEmpty = ({ headers }: Context) =>
  headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0;

/** The names of encodings are case-insensitive (RFC 9110, 8.4.1). */
function refuseContentEncoding({ headers }: Context): void {
  if ((headers['content-encoding'] ?? 'identity').toLowerCase() !== 'identity')
    throw badRequest('A body with a content encoding is not accepted.');
  // koa-body knows it in lower case alone.
  delete headers['content-encoding'];
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

/** Elements of lists and members of objects, at all levels, of what a request may contain. */
export const maxJsonValues = 20_000;

interface ParseOptions {
  maxValues?: number;
  reviver?(name: string, value: unknown): unknown;
  /** The refusal of what is not JSON. */
  invalid?: string;
}

/**
 * Parses JSON that somebody has sent. JSON.parse takes a second for 14 MB of brackets, and what reads the values takes
 * longer, in which nobody is answered: so their number is bounded first.
 */
export function parseJson(text: string, options: ParseOptions = {}): unknown {
  const { maxValues = maxJsonValues, reviver, invalid = 'The body is not valid JSON.' } = options;
  const excess = findExcess(text, maxValues);
  if (excess) throw new Refusal('PAYLOAD_TOO_LARGE', `The JSON has more than ${excess}.`);
  try {
    return JSON.parse(text, reviver);
  } catch {
    throw badRequest(invalid);
  }
}

const [comma, bracket, brace, quote, backslash] = [...',[{"\\'].map(character => character.charCodeAt(0));

/** Characters outside strings, blanks too, and quotation marks in strings: each takes a step. */
const maxSteps = MEGABYTE;

/** Counts what begins a value, outside strings. Returns what there is too much of; null: nothing. */
function findExcess(text: string, maxValues: number): string | null {
  // Each has a character of its own.
  if (text.length <= maxValues) return null;
  let values = 0;
  let steps = 0;
  for (let index = 0; index < text.length; index++) {
    if (++steps > maxSteps) return `${maxSteps.toLocaleString('en')} characters outside strings`;
    const code = text.charCodeAt(index);
    if (code === quote)
      do {
        index = text.indexOf('"', index + 1);
        if (index < 0) return null;
      } while (isEscaped(text, index) && ++steps <= maxSteps);
    else if ((code === comma || code === bracket || code === brace) && ++values > maxValues)
      return `${maxValues.toLocaleString('en')} values`;
  }
  return null;
}

/** Whether the number of backslashes before a character is odd. */
function isEscaped(text: string, index: number): boolean {
  let start = index;
  while (text.charCodeAt(start - 1) === backslash) start -= 1;
  return (index - start) % 2 === 1;
}
