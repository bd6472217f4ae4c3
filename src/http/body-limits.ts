import type { IncomingMessage, ServerResponse } from 'node:http';
import { finished } from 'node:stream';
import { onClosed } from './connection-limiter.js';

const MEGABYTE = 1024 * 1024;

export interface BodyLimitOptions {
  /** Milliseconds in which the whole body of a request has to arrive. */
  whole: number;
  /** Milliseconds between two parts of a body that may take as long as it needs. */
  pause: number;
  /** Bytes of all bodies in the memory, but for those of callers that may write. */
  maxBytes: number;
  /** The same for those of callers that may write, so that nobody else can end their requests. */
  maxBytesOfWriters: number;
}

const defaults: BodyLimitOptions = {
  whole: 30_000,
  pause: 30_000,
  maxBytes: 64 * MEGABYTE,
  maxBytesOfWriters: 128 * MEGABYTE,
};

/** What a part takes besides its bytes: in chunks of one byte a megabyte has a million buffers. */
const bytesOfPart = 200;
/** So many parts that are so short on average are refused. */
const manyParts = 10_000;
const shortPart = 16;

interface Body {
  response: ServerResponse;
  /** What was received so far takes so much. */
  bytes: number;
  counted: BodyMemory;
}

/** Bodies that share a limit of memory. */
class BodyMemory {
  private readonly bodies = new Map<IncomingMessage, Body>();
  private bytes = 0;

  constructor(private readonly maxBytes: number) {}

  hold(request: IncomingMessage, body: Body): void {
    body.counted = this;
    this.bodies.set(request, body);
    this.add(body.bytes);
  }

  add(bytes: number): void {
    this.bytes += bytes;
    if (this.bytes > this.maxBytes) this.endLargest();
  }

  has(request: IncomingMessage): boolean {
    return this.bodies.has(request);
  }

  release(request: IncomingMessage): void {
    this.bytes -= this.bodies.get(request)?.bytes ?? 0;
    this.bodies.delete(request);
  }

  /**
   * So that those who send many large bodies end theirs, and not the forms of visitors. A body that has arrived may be
   * of a write that is committed.
   */
  private endLargest(): void {
    const arriving = [...this.bodies].filter(([request]) => !request.complete);
    const [request, body] = arriving.toSorted(([, one], [, other]) => other.bytes - one.bytes)[0] ?? [];
    if (!request || !body) return;
    this.release(request);
    endWith(request, body.response, 503);
  }
}

/**
 * Limits how long the bodies of requests take, and what they hold of the memory while they arrive. Node's
 * `requestTimeout` is one for all of a server, and uploads of a gigabyte take minutes.
 */
export class BodyLimits {
  private readonly limits: BodyLimitOptions;
  private readonly timers = new WeakMap<IncomingMessage, NodeJS.Timeout>();
  /** Bodies in the memory. */
  private readonly held = new WeakMap<IncomingMessage, Body>();
  private readonly ofReaders: BodyMemory;
  private readonly ofWriters: BodyMemory;

  constructor(limits: Partial<BodyLimitOptions> = {}) {
    this.limits = { ...defaults, ...limits };
    this.ofReaders = new BodyMemory(this.limits.maxBytes);
    this.ofWriters = new BodyMemory(this.limits.maxBytesOfWriters);
  }

  /** Ends a request whose body has not arrived in time with 408, and one that takes too much memory with 503. */
  apply(request: IncomingMessage, response: ServerResponse): void {
    const { 'content-length': length = '0', 'transfer-encoding': encoding } = request.headers;
    if (length === '0' && encoding === undefined) return;
    // A request that was destroyed has no socket any more.
    const { socket } = request;
    const timer = setTimeout(() => endWith(request, response, 408), this.limits.whole);
    this.timers.set(request, timer);
    const clear = () => clearTimeout(timer);
    finished(request, clear);
    this.hold(request, response);
    // Node would not push the parts of a body that nobody reads once it is answered.
    response.once('prefinish', () => request.complete || request.resume());
    // One that was answered before its body has arrived does not end with its connection.
    onClosed(response, () => {
      this.release(request);
      // A connection has many such requests one after another.
      if (!request.complete) request.once('end', onClosed(socket, clear));
    });
  }

  /** Has a body take as long as it needs while parts of it arrive, for a file. For callers that may send so much. */
  limitPauses(request: IncomingMessage): void {
    clearTimeout(this.timers.get(request));
    this.release(request);
    // Node closes a connection on which nothing arrives for so long.
    const { socket } = request;
    socket.setTimeout(this.limits.pause);
    finished(request, () => socket.setTimeout(0));
  }

  /** Counts a body among those of callers that may write. */
  countForWriters(request: IncomingMessage): void {
    const body = this.held.get(request);
    if (!body) return;
    body.counted.release(request);
    this.ofWriters.hold(request, body);
  }

  /** No longer counts the memory of a body that is not kept. */
  release(request: IncomingMessage): void {
    this.held.get(request)?.counted.release(request);
    this.held.delete(request);
  }

  /**
   * Counts the parts of a body where Node's parser adds them to the stream: one turn of the event loop reads megabytes
   * of each of a thousand connections, so a check between two turns would be too late.
   */
  private hold(request: IncomingMessage, response: ServerResponse): void {
    const body: Body = { response, bytes: 0, counted: this.ofReaders };
    this.held.set(request, body);
    this.ofReaders.hold(request, body);
    const push = request.push.bind(request);
    let length = 0;
    let parts = 0;
    request.push = (part, encoding) => {
      if (part) {
        length += part.length;
        parts += 1;
        // Without a push, and with false, Node stops reading from the connection.
        if (parts > manyParts && length < parts * shortPart) return this.refuseParts(request, response);
      }
      if (part && body.counted.has(request)) {
        const bytes = part.length + bytesOfPart;
        body.bytes += bytes;
        body.counted.add(bytes);
      }
      return push(part, encoding);
    };
  }

  /** Each part of a body costs a call: a megabyte in chunks of one byte takes a second. */
  private refuseParts(request: IncomingMessage, response: ServerResponse): false {
    this.release(request);
    if (response.writableEnded) request.destroy();
    else endWith(request, response, 400);
    return false;
  }
}

function endWith(request: IncomingMessage, response: ServerResponse, status: 400 | 408 | 503): void {
  if (!response.headersSent)
    response.writeHead(status, { Connection: 'close', ...(status === 503 && { 'Retry-After': '1' }) });
  response.end(() => request.destroy());
}
