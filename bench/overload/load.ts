import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { parentPort, Worker, workerData } from 'node:worker_threads';

/** One response: its status (0: the connection failed), when it was requested, and how long it took. */
export interface Sample {
  status: number;
  atMs: number;
  durationMs: number;
}

export interface Target {
  port: number;
  method?: string;
  /** Requested in turn. */
  paths: string[];
  headers: Record<string, string>;
  body?: string;
}

export type Load = { target: Target; seconds: number } & (
  | { perSecond: number }
  /** Each of these connections sends its next request when the last one is answered. */
  | { connections: number }
);

export interface LoadResult {
  samples: Sample[];
  /** CPU time of the client, as a share of one core. */
  cpuShare: number;
}

const timeoutMs = 60_000;

/** Sends requests, in a thread of its own, so that measurements do not wait for each other. */
export function runLoad(load: Load): Promise<LoadResult> {
  return new Promise((resolve, reject) => {
    new Worker(new URL(import.meta.url), { workerData: load }).once('message', resolve).once('error', reject);
  });
}

/** Resolves once all requests are answered. */
async function sendAll(load: Load): Promise<LoadResult> {
  const clients = new Clients(load.target);
  const startedAt = performance.now();
  const cpuBefore = process.threadCpuUsage();
  const samples = await ('connections' in load
    ? sendInTurn(clients, load.connections, load.seconds)
    : sendAtRate(clients, load.perSecond, load.seconds));
  const { user, system } = process.threadCpuUsage(cpuBefore);
  clients.close();
  return { samples, cpuShare: (user + system) / 1000 / (performance.now() - startedAt) };
}

/** However slowly they are answered, as independent clients do. */
async function sendAtRate(clients: Clients, perSecond: number, seconds: number): Promise<Sample[]> {
  const pending: Promise<Sample>[] = [];
  const startedAt = performance.now();
  const total = Math.round(perSecond * seconds);
  for (; pending.length < total; await sleep(2)) {
    const due = Math.min(total, Math.floor(((performance.now() - startedAt) / 1000) * perSecond));
    while (pending.length < due) pending.push(clients.send());
  }
  return Promise.all(pending);
}

async function sendInTurn(clients: Clients, connections: number, seconds: number): Promise<Sample[]> {
  const samples: Sample[] = [];
  const until = performance.now() + seconds * 1000;
  const sendNext = async () => {
    while (performance.now() < until) samples.push(await clients.send());
  };
  await Promise.all(Array.from({ length: connections }, sendNext));
  return samples;
}

/** Connections with one request at a time each, as many as are needed. */
class Clients {
  private readonly idle = new Set<Client>();
  private readonly requests: Buffer[];
  private readonly port: number;
  private sent = 0;

  constructor({ port, method = 'GET', paths, headers, body = '' }: Target) {
    this.port = port;
    const lines = Object.entries({ host: 'localhost', ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
    if (body) lines.push(`Content-Length: ${Buffer.byteLength(body)}\r\n`);
    this.requests = paths.map(path => Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`));
  }

  async send(): Promise<Sample> {
    const [idle] = this.idle;
    const client = idle ?? new Client(this.port, closed => this.idle.delete(closed));
    this.idle.delete(client);
    const startedAt = performance.now();
    const { status, canContinue } = await client.send(this.requests[this.sent++ % this.requests.length]!);
    if (canContinue) this.idle.add(client);
    return { status, atMs: performance.timeOrigin + startedAt, durationMs: performance.now() - startedAt };
  }

  close(): void {
    for (const client of this.idle) client.close();
  }
}

interface Outcome {
  status: number;
  /** Whether the connection is kept alive. */
  canContinue: boolean;
}

/**
 * A client that reads the status and the length of a response and no more: node:http takes several times the CPU time,
 * which the service on the same machine would lack. A response fits its Content-Length, and its headers one packet.
 */
class Client {
  private readonly socket: Socket;
  private outcome: Outcome | null = null;
  private remainingBytes = 0;
  private finish: ((outcome: Outcome) => void) | null = null;

  constructor(port: number, onClose: (client: Client) => void) {
    const buffer = Buffer.allocUnsafe(65_536);
    const callback = (count: number) => this.read(buffer, count);
    this.socket = connect({ port, host: '127.0.0.1', noDelay: true, onread: { buffer, callback } });
    this.socket.on('error', () => {});
    this.socket.on('timeout', () => this.socket.destroy());
    this.socket.on('close', () => {
      onClose(this);
      this.end({ status: 0, canContinue: false });
    });
  }

  send(request: Buffer): Promise<Outcome> {
    return new Promise(finish => {
      this.finish = finish;
      this.socket.setTimeout(timeoutMs);
      this.socket.write(request);
    });
  }

  close(): void {
    this.socket.destroy();
  }

  private read(buffer: Buffer, count: number): boolean {
    let bodyBytes = count;
    if (!this.outcome) {
      const headLength = buffer.subarray(0, count).indexOf('\r\n\r\n') + 4;
      const head = buffer.toString('latin1', 0, headLength);
      this.outcome = { status: Number(head.slice(9, 12)), canContinue: !/\r\nconnection: close/i.test(head) };
      this.remainingBytes = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0);
      bodyBytes -= headLength;
    }
    this.remainingBytes -= bodyBytes;
    if (this.remainingBytes > 0) return true;
    const outcome = this.outcome;
    this.outcome = null;
    if (!outcome.canContinue) this.socket.destroy();
    this.end(outcome);
    return true;
  }

  private end(outcome: Outcome): void {
    this.finish?.(outcome);
    this.finish = null;
  }
}

if (parentPort) parentPort.postMessage(await sendAll(workerData as Load));
