import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { NetworkCounts } from './client-address.js';
import { onClosed } from './connection-limiter.js';

/** Proxies and load balancers close a connection on which nothing is sent for half a minute or a minute. */
const keepAliveSeconds = 15;
/** Clients that lose their connections together, as at a restart, come back over this time. */
const reconnectMs = { least: 1_000, most: 4_000 };

/** Formats a server-sent event. The data has no line breaks: JSON has them only between its tokens. */
export const formatEvent = ({ id, type, data }: { id?: string; type?: string; data: string }): string =>
  `${id === undefined ? '' : `id: ${id}\n`}${type ? `event: ${type}\n` : ''}data: ${data.replaceAll('\n', '')}\n\n`;

const keepAliveComment = Buffer.from(':\n\n');

/**
 * A response of server-sent events. Each event has the whole state, so a client that reads slowly may miss some. Events
 * are written to the socket: the response would wrap each in a chunk, which doubles the time. Without chunks
 * the body ends with the connection.
 */
export class EventStream {
  /** While the client does not read: the latest event. */
  private waiting: string | Uint8Array | null = null;
  private readonly socket: Socket;

  constructor(
    private readonly response: ServerResponse,
    private readonly waitingEvents: WaitingEvents,
  ) {
    this.socket = response.socket!;
  }

  /** Sends an event. While the client does not read, only the latest one waits for it. */
  send(event: string | Uint8Array): void {
    if (!this.socket.writableNeedDrain) {
      this.socket.write(event);
      return;
    }
    if (this.waiting === null) this.socket.once('drain', () => this.sendWaiting());
    this.keep(event);
  }

  private keep(event: EventStream['waiting']): void {
    this.waiting = event;
    this.waitingEvents.set(this, event?.length ?? 0);
  }

  /** Closes the connection, and forgets the event that waits. */
  destroy(): void {
    this.socket.destroy();
    this.keep(null);
  }

  /** Sends a comment, which clients ignore. */
  keepAlive(): void {
    if (!this.socket.writableNeedDrain) this.socket.write(keepAliveComment);
  }

  end(event = ''): void {
    this.sendWaiting();
    this.response.end(event);
  }

  private sendWaiting(): void {
    const event = this.waiting;
    this.keep(null);
    if (event !== null) this.socket.write(event);
  }
}

/** Of the events that wait, by client: the connections of those that wait longest are closed above `maxBytes`. */
class WaitingEvents {
  private bytes = 0;
  private readonly bytesByStream = new Map<EventStream, number>();

  constructor(private readonly maxBytes: number) {}

  /** 0: none waits for this client. */
  set(stream: EventStream, bytes: number): void {
    this.bytes += bytes - (this.bytesByStream.get(stream) ?? 0);
    if (bytes) this.bytesByStream.set(stream, bytes);
    else this.bytesByStream.delete(stream);
    for (const longest of this.bytesByStream.keys()) {
      if (this.bytes <= this.maxBytes) return;
      longest.destroy();
    }
  }
}

/** How many event streams a process has. */
interface StreamLimits {
  max: number;
  /** Of one client address, also where a proxy connects for it: one client must not take those of all others. */
  maxPerAddress: number;
  /** Null where it may stand for many clients. */
  clientAddress(request: IncomingMessage): string | null;
  /** Of events that wait for clients which do not read. Default: 64 MB. */
  maxWaitingBytes?: number;
}

const defaultMaxWaitingBytes = 64 * 1024 * 1024;

/** The open event streams of a process, up to a maximum, so that they leave connections for other requests. */
export class EventStreams {
  /** In groups, one of which is kept alive each second. */
  private readonly groups = Array.from({ length: keepAliveSeconds }, () => new Set<EventStream>());
  private opened = 0;
  private count = 0;
  private ticks = 0;
  private readonly timer = setInterval(() => this.keepAlive(), 1_000).unref();
  private isClosed = false;
  private readonly counts: NetworkCounts;
  private readonly waitingEvents: WaitingEvents;

  constructor(private readonly limits: StreamLimits) {
    this.counts = new NetworkCounts(limits.maxPerAddress);
    this.waitingEvents = new WaitingEvents(limits.maxWaitingBytes ?? defaultMaxWaitingBytes);
  }

  get openCount(): number {
    return this.count;
  }

  /** Whether the client of a request gets no stream: all have as many as there may be, or it has. */
  isFull(request: IncomingMessage): boolean {
    const address = this.limits.clientAddress(request);
    return this.isClosed || this.count >= this.limits.max || (address !== null && this.counts.isFull(address));
  }

  /**
   * Begins the response. `onClose` is called when the connection closes, at either end, or soon where it is closed
   * already: callers are authenticated before, and a client may have left meanwhile.
   */
  open(response: ServerResponse, headers: Record<string, string>, onClose: () => void): EventStream {
    const stream = new EventStream(response, this.waitingEvents);
    const group = this.groups[this.opened++ % this.groups.length]!;
    group.add(stream);
    this.count += 1;
    const address = this.limits.clientAddress(response.req);
    const uncount = address === null ? () => {} : this.counts.add(address);
    onClosed(response, () => {
      stream.destroy();
      group.delete(stream);
      this.count -= 1;
      uncount();
      onClose();
    });
    // Not chunked, see EventStream.
    response.removeHeader('Transfer-Encoding');
    response.writeHead(200, {
      'Content-Type': 'text/event-stream; charset=utf-8',
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
      // nginx buffers responses unless this header disables it.
      'X-Accel-Buffering': 'no',
      ...headers,
    });
    const { least, most } = reconnectMs;
    response.write(`retry: ${Math.round(least + Math.random() * (most - least))}\n\n`);
    return stream;
  }

  close(): void {
    this.isClosed = true;
    clearInterval(this.timer);
    for (const group of this.groups) for (const stream of group) stream.end();
  }

  private keepAlive(): void {
    for (const stream of this.groups[this.ticks++ % this.groups.length]!) stream.keepAlive();
  }
}
