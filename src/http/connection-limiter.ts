import type { RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { NetworkCounts } from './client-address.js';

/**
 * Calls back once a response or a connection is closed, or soon where it is closed already: a client may leave at any
 * time, and a listener for `close` that is added later is never called. What is counted for it is given back here.
 * `finished` of node:stream adds two listeners for each `close`, more than Node allows without a warning. Returns what
 * removes the listener.
 */
export function onClosed(stream: ServerResponse | Socket, callback: () => void): () => void {
  if (stream.closed) setImmediate(callback);
  else stream.once('close', callback);
  return () => stream.off('close', callback);
}

/** What clients can make one process hold. */
export interface ConnectionLimits {
  maxConnections: number;
  /** Of one client address (IPv6: a /64 network, and four times as many of a /48). */
  maxConnectionsPerAddress: number;
  /** A proxy connects for many clients, so only the first limit applies to it. */
  isProxy(address: string): boolean;
  /**
   * Requests that wait for the response to an earlier one on their connection (HTTP pipelining), of up to 30 kB each.
   * Beyond it the connection is closed on which they wait longest: some wait for an event stream, which never ends.
   */
  maxWaiting?: number;
  maxWaitingPerConnection?: number;
  /**
   * Requests in one read of a connection, which has up to 64 kB: Node creates the objects of all of them before it
   * handles one, and so for all connections that are read in an iteration of the event loop. Beyond it the connection
   * is closed before they are parsed.
   */
  maxRequestsPerRead?: number;
  /** A connection is closed when its client takes no byte of a response for this long, or a little longer. */
  unreadTimeoutMs?: number;
  /** Of responses that were written and not taken yet, on all connections together. */
  maxUnreadBytes?: number;
}

const defaultLimits = {
  maxWaiting: 1_000,
  maxWaitingPerConnection: 100,
  maxRequestsPerRead: 32,
  // 15 seconds from the last request: until then many clients can fill the buffers of the system, which takes a while.
  unreadTimeoutMs: 11_000,
  maxUnreadBytes: 64 * 1024 * 1024,
};
const checkIntervalMs = 1_000;

interface Connection {
  /** Takes back the count of its address. */
  uncount(): void;
  waiting: number;
  /** Since when one or more requests wait. */
  waitingSince: number;
  /** Since when they wait for the same response. */
  answeringSince: number;
  /** Since when the client has not taken all that was written to it; null if it has. */
  unreadSince: number | null;
}

/** Bounds the connections of a server: in all, of an address, and what those cost whose clients do not read. */
export class ConnectionLimiter {
  private readonly open = new Map<Socket, Connection>();
  private readonly counts: NetworkCounts;
  private readonly limits: Required<ConnectionLimits>;
  private waiting = 0;

  constructor(limits: ConnectionLimits) {
    this.limits = { ...defaultLimits, ...limits };
    this.counts = new NetworkCounts(limits.maxConnectionsPerAddress);
  }

  get count(): number {
    return this.open.size;
  }

  attach(server: Server): void {
    server.maxConnections = this.limits.maxConnections;
    server.on('connection', socket => this.add(socket));
    const timer = setInterval(() => this.checkUnread(), checkIntervalMs).unref();
    server.on('close', () => clearInterval(timer));
  }

  /** Handles the requests of a connection one after another, so that a client holds one response at a time. */
  handleInOrder(handle: RequestListener): RequestListener {
    return (request, response) => {
      // Node gives the socket to one response at a time. A look-up of the connection would take longer than all else
      // here.
      if (response.socket) return void handle(request, response);
      const { socket } = request;
      const connection = this.open.get(socket);
      // Pausing ends the reading, but the parser creates all requests of the 64 kB that were read.
      if (!connection) return void socket.destroy();
      const { maxWaiting, maxWaitingPerConnection } = this.limits;
      if (connection.waiting >= maxWaitingPerConnection) return void socket.destroy();
      if (this.waiting >= maxWaiting) this.closeLongestWaiting();
      if (socket.destroyed) return;
      this.waiting += 1;
      if (connection.waiting++ === 0) connection.waitingSince = connection.answeringSince = performance.now();
      socket.pause();
      response.once('socket', () => {
        if (socket.destroyed) return;
        this.waiting -= 1;
        connection.waiting -= 1;
        connection.answeringSince = performance.now();
        resume(socket, connection);
        // Node flushes the response after this event, and would end one twice that is complete by then.
        process.nextTick(handle, request, response);
      });
    };
  }

  private closeLongestWaiting(): void {
    let longest: [Socket, Connection] | undefined;
    for (const [socket, connection] of this.open)
      if (connection.waiting && !(longest && longest[1].answeringSince <= connection.answeringSince))
        longest = [socket, connection];
    if (!longest) return;
    const [socket, connection] = longest;
    socket.destroy();
    this.waiting -= connection.waiting;
    connection.waiting = 0;
  }

  private add(socket: Socket): void {
    const address = socket.remoteAddress ?? '';
    if (this.counts.isFull(address) && !this.limits.isProxy(address)) return void socket.destroy();
    const uncount = this.counts.add(address);
    this.open.set(socket, { uncount, waiting: 0, waitingSince: 0, answeringSince: 0, unreadSince: null });
    onClosed(socket, () => this.remove(socket));
    limitReads(socket, this.limits.maxRequestsPerRead);
  }

  private remove(socket: Socket): void {
    const { uncount, waiting } = this.open.get(socket)!;
    this.open.delete(socket);
    this.waiting -= waiting;
    uncount();
  }

  /** Checks all connections at once, which costs less than listeners and a timer for each response. */
  private checkUnread(): void {
    const unread: { socket: Socket; since: number }[] = [];
    const now = performance.now();
    let bytes = 0;
    for (const [socket, connection] of this.open) {
      if (socket.writableLength > 0) {
        // The system takes many small responses for a client that reads none of them.
        if (connection.waiting && now - connection.waitingSince > this.limits.unreadTimeoutMs) socket.destroy();
        connection.unreadSince ??= this.startTimeout(socket);
        unread.push({ socket, since: connection.unreadSince });
        bytes += socket.writableLength;
      } else if (connection.unreadSince !== null) {
        connection.unreadSince = null;
        // After a finished response Node has replaced the timeout by that of an idle connection.
        if (socket.timeout === this.limits.unreadTimeoutMs) socket.setTimeout(0);
        resume(socket, connection);
      }
    }
    if (bytes <= this.limits.maxUnreadBytes) return;
    for (const { socket } of unread.sort((one, other) => one.since - other.since)) {
      bytes -= socket.writableLength;
      socket.destroy();
      if (bytes <= this.limits.maxUnreadBytes) return;
    }
  }

  /** The timeout restarts with each byte that the client takes, and would with those that it sends: none is read. */
  private startTimeout(socket: Socket): number {
    socket.pause();
    socket.setTimeout(this.limits.unreadTimeoutMs);
    return performance.now();
  }
}

/** Closes a connection when it reads more than `max` requests at once. */
function limitReads(socket: Socket, max: number): void {
  const push = socket.push.bind(socket);
  socket.push = (read: Buffer | null, encoding) => {
    if (!read || countRequestLines(read, max + 1) <= max) return push(read, encoding);
    socket.destroy();
    return false;
  };
  // With a listener Node's parser gets what is pushed, and does not read from the system by itself.
  socket.on('data', () => {});
}

const lineEnd = Buffer.from('\r\n');
const [dot] = Buffer.from('.');
/** Node's parser accepts other versions than 1.1, and other protocols. Before it may be the end of a body. */
const requestLine = /[A-Z] \S+ (?:HTTP|RTSP|ICE)\/\d\.\d$/;

/** The first lines of requests, up to `max`. Bodies of JSON and forms have no line ends in their texts. */
function countRequestLines(read: Buffer, max: number): number {
  let count = 0;
  let from = 0;
  for (let to = read.indexOf(lineEnd); to !== -1 && count < max; to = read.indexOf(lineEnd, from)) {
    if (read[to - 2] === dot && requestLine.test(read.toString('latin1', from, to))) count += 1;
    from = to + lineEnd.length;
  }
  return count;
}

function resume(socket: Socket, { waiting, unreadSince }: Connection): void {
  if (!waiting && unreadSince === null) socket.resume();
}
