import type { IncomingMessage, ServerResponse } from 'node:http';
import { finished } from 'node:stream';
import { onClosed } from './connection-limiter.js';

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
  /** That have arrived. */
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
    const timer = setTimeout(() => end(request, response, 408), this.limits.whole);
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
    end(request, body.response, 503);
  }
}

function end(request: IncomingMessage, response: ServerResponse, status: 408 | 503): void {
  if (!response.headersSent)
    response.writeHead(status, { Connection: 'close', ...(status === 503 && { 'Retry-After': '1' }) });
  response.end(() => request.destroy());
}
