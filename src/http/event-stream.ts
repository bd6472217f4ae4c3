import type { ServerResponse } from 'node:http';

/** Proxies and load balancers close a connection on which nothing is sent for half a minute or a minute. */
const keepAliveSeconds = 15;
/** Clients that lose their connections together, as at a restart, come back over this time. */
const reconnectMs = { least: 1_000, most: 4_000 };

/** Formats a server-sent event. The data has no line breaks: JSON has them only between its tokens. */
export const formatEvent = ({ id, type, data }: { id?: string; type?: string; data: string }): string =>
  `${id === undefined ? '' : `id: ${id}\n`}${type ? `event: ${type}\n` : ''}data: ${data.replaceAll('\n', '')}\n\n`;

/** A response of server-sent events. Each event has the whole state, so a client that reads slowly may miss some. */
export class EventStream {
  private isBlocked = false;
  private waiting: string | null = null;

  constructor(private readonly response: ServerResponse) {
    response.on('drain', () => {
      this.isBlocked = false;
      const { waiting } = this;
      this.waiting = null;
      if (waiting !== null) this.send(waiting);
    });
  }

  /** Sends an event. While the client does not read, only the latest one waits for it. */
  send(event: string): void {
    if (this.isBlocked) this.waiting = event;
    else this.isBlocked = !this.response.write(event);
  }

  /** Sends a comment, which clients ignore. */
  keepAlive(): void {
    if (!this.isBlocked) this.isBlocked = !this.response.write(':\n\n');
  }

  end(event = ''): void {
    this.response.end(`${this.waiting ?? ''}${event}`);
  }
}

/** The open event streams of a process, up to a maximum, so that they leave connections for other requests. */
export class EventStreams {
  /** In groups, one of which is kept alive each second. */
  private readonly groups = Array.from({ length: keepAliveSeconds }, () => new Set<EventStream>());
  private opened = 0;
  private count = 0;
  private ticks = 0;
  private readonly timer = setInterval(() => this.keepAlive(), 1_000).unref();
  private isClosed = false;

  constructor(private readonly maximum: number) {}

  get isFull(): boolean {
    return this.isClosed || this.count >= this.maximum;
  }

  /** Begins the response. `onClose` is called when the connection closes, at either end. */
  open(response: ServerResponse, headers: Record<string, string>, onClose: () => void): EventStream {
    const stream = new EventStream(response);
    const group = this.groups[this.opened++ % this.groups.length]!;
    group.add(stream);
    this.count += 1;
    response.once('close', () => {
      group.delete(stream);
      this.count -= 1;
      onClose();
    });
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

  /** Ends all streams; their clients connect again, to another process or to the next one. */
  close(): void {
    this.isClosed = true;
    clearInterval(this.timer);
    for (const group of this.groups) for (const stream of group) stream.end();
  }

  private keepAlive(): void {
    for (const stream of this.groups[this.ticks++ % this.groups.length]!) stream.keepAlive();
  }
}
