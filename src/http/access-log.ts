import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Caller } from '../auth/access.js';
import type { Logger } from '../core/logger.js';
import { onClosed } from './connection-limiter.js';
import { getRequestId } from './request-id.js';

const maxPathLength = 300;

/** Logs one line for each request at level debug: its path, its caller and its cost. Addresses are not logged. */
export class AccessLog {
  private readonly callers = new WeakMap<IncomingMessage, Caller>();
  /** What was written to a connection until its last response was complete. */
  private readonly writtenBytes = new WeakMap<Socket, number>();

  constructor(private readonly log: Logger) {}

  setCaller(request: IncomingMessage, caller: Caller): void {
    this.callers.set(request, caller);
  }

  /** Logs the request when its response is complete, or when the client is gone. */
  add(request: IncomingMessage, response: ServerResponse): void {
    if (!this.log.isLevelEnabled('debug')) return;
    const startedAt = performance.now();
    const { socket, method, url = '' } = request;
    onClosed(response, () => {
      const bytes = socket.bytesWritten - (this.writtenBytes.get(socket) ?? 0);
      this.writtenBytes.set(socket, socket.bytesWritten);
      this.log.debug(
        {
          requestId: getRequestId(request),
          method,
          path: maskPath(url),
          status: response.headersSent ? response.statusCode : undefined,
          ms: Math.round((performance.now() - startedAt) * 10) / 10,
          bytes,
          caller: describeCaller(this.callers.get(request)),
          isAborted: response.writableFinished ? undefined : true,
        },
        'request',
      );
    });
  }
}

/** Without the query, without signed links, and without the tokens of sources of alerts. */
const maskPath = (url: string): string =>
  url
    .replace(/[?#].*/s, '')
    .replace(/(confirm|unsubscribe|preferences|webhook|sign-in|hooks)\/.+/i, '$1/[…]')
    .slice(0, maxPathLength);

/** Undefined where nobody has to identify themselves, and for a token that is not valid. */
function describeCaller(caller: Caller | undefined): string | undefined {
  if (caller?.kind === 'person') return caller.key;
  if (caller?.kind !== 'token') return caller?.kind;
  return caller.key === 'bootstrap' ? 'bootstrap token' : `token ${caller.key}`;
}
