import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Logger } from '../core/logger.js';

type ClientRequest = Pick<IncomingMessage, 'errored'> & { socket: Pick<Socket, 'errored'> };

/**
 * A connection can have two: the one that ended it, such as EPIPE, and that of Node's parser, which comes later. Those
 * of a parser are also those of a request that the service sends, where the connection of the client is unbroken.
 */
export function isConnectionError(error: NodeJS.ErrnoException, request: ClientRequest | undefined): boolean {
  if (!request) return false;
  const isBroken = Boolean(request.socket.errored ?? request.errored);
  return request.socket.errored === error || (isBroken && error.code?.startsWith('HPE_') === true);
}

const logIntervalMs = 1_000;

/**
 * Logs what clients cause as often as they like: the first one at once, and then at most one line per second, so that
 * no client can fill the disk. A line has the last one, and how many there were.
 */
export class LinePerSecond<Fields extends object> {
  private unlogged = 0;
  private last: Fields | undefined;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly write: (line: Fields & { count: number }) => void) {}

  add(fields: Fields): void {
    this.last = fields;
    this.unlogged += 1;
    if (!this.timer) this.flush();
  }

  close(): void {
    clearTimeout(this.timer);
    this.writeLine();
  }

  private flush(): void {
    this.timer = this.writeLine() ? setTimeout(() => this.flush(), logIntervalMs).unref() : undefined;
  }

  private writeLine(): boolean {
    if (!this.last) return false;
    this.write({ ...this.last, count: this.unlogged });
    this.last = undefined;
    this.unlogged = 0;
    return true;
  }
}

/** Logs the errors that clients cause, such as malformed requests and broken connections, at debug. */
export class ClientErrors {
  private readonly lines: LinePerSecond<{ type: string; code: string | undefined; message: string }>;

  constructor(log: Pick<Logger, 'debug'>) {
    this.lines = new LinePerSecond(line => log.debug(line, 'connections of clients failed'));
  }

  report({ name: type, code, message }: NodeJS.ErrnoException): void {
    // Not the error itself, whose `rawPacket` is the request with its token.
    this.lines.add({ type, code, message });
  }

  close(): void {
    this.lines.close();
  }
}
