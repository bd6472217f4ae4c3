import type { IncomingMessage, ServerResponse } from 'node:http';
import { finished } from 'node:stream';
import type { Context } from 'koa';
import { HttpMethodEnum, koaBody } from 'koa-body';
import readRawBody from 'raw-body';
import { badRequest, Refusal } from '../core/errors.js';
import { onClosed } from './connection-limiter.js';

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

export interface BodyLimitOptions {
  /** Milliseconds in which the whole body of a request has to arrive. */
  whole: number;
  /** Milliseconds between two parts of a body that may take as long as it needs. */
  pause: number;
  /** Bytes of all bodies in the memory, but for those of callers that may write. */
  maxBytes: number;
}

const defaults: BodyLimitOptions = { whole: 30_000, pause: 30_000, maxBytes: 64 * 1024 * 1024 };

interface Body {
  response: ServerResponse;
  /** The bytes received so far. */
  bytes: number;
}

/**
 * Limits how long the bodies of requests take, and what they hold of the memory while they arrive. Node's
 * `requestTimeout` is one for all of a server, and uploads of a gigabyte take minutes.
 */
export class BodyLimits {
  private readonly limits: BodyLimitOptions;
  private readonly timers = new WeakMap<IncomingMessage, NodeJS.Timeout>();
  /** Bodies in the memory. */
  private readonly held = new Map<IncomingMessage, Body>();
  private heldBytes = 0;

  constructor(limits: Partial<BodyLimitOptions> = {}) {
    this.limits = { ...defaults, ...limits };
  }

  /** Ends a request whose body has not arrived in time with 408, and one that takes too much memory with 503. */
  apply(request: IncomingMessage, response: ServerResponse): void {
    const { 'content-length': length = '0', 'transfer-encoding': encoding } = request.headers;
    if (length === '0' && encoding === undefined) return;
    const timer = setTimeout(() => endWith(request, response, 408), this.limits.whole);
    this.timers.set(request, timer);
    const clear = () => clearTimeout(timer);
    finished(request, clear);
    this.hold(request, response);
    // One that was answered before its body has arrived does not end with its connection.
    onClosed(response, () => {
      this.release(request);
      if (!request.complete) onClosed(request.socket, clear);
    });
  }

  /** Has a body take as long as it needs while parts of it arrive, for a file. For callers that may send so much. */
  limitPauses(request: IncomingMessage): void {
    clearTimeout(this.timers.get(request));
    this.release(request);
    // Node closes a connection on which nothing arrives for so long.
    request.setTimeout(this.limits.pause);
    finished(request, () => request.setTimeout(0));
  }

  /** No longer counts the memory of a body. For callers that may write: nobody else can end their requests. */
  release(request: IncomingMessage): void {
    this.heldBytes -= this.held.get(request)?.bytes ?? 0;
    this.held.delete(request);
  }

  /**
   * Counts the parts of a body where Node's parser adds them to the stream: one turn of the event loop reads megabytes
   * of each of a thousand connections, so a check between two turns would be too late.
   */
  private hold(request: IncomingMessage, response: ServerResponse): void {
    const body = { response, bytes: 0 };
    this.held.set(request, body);
    const push = request.push.bind(request);
    request.push = (part, encoding) => {
      if (part && this.held.has(request)) {
        body.bytes += part.length;
        this.heldBytes += part.length;
        if (this.heldBytes > this.limits.maxBytes) this.endLargest();
      }
      return push(part, encoding);
    };
  }

  /**
   * So that those who send many large bodies end theirs, and not the forms of visitors. A body that has arrived may be
   * of a write that is committed.
   */
  private endLargest(): void {
    const arriving = [...this.held].filter(([request]) => !request.complete);
    const [request, body] = arriving.reduce((one, other) => (other[1].bytes > one[1].bytes ? other : one));
    this.release(request);
    endWith(request, body.response, 503);
  }
}

function endWith(request: IncomingMessage, response: ServerResponse, status: 408 | 503): void {
  if (!response.headersSent)
    response.writeHead(status, { Connection: 'close', ...(status === 503 && { 'Retry-After': '1' }) });
  response.end(() => request.destroy());
}
