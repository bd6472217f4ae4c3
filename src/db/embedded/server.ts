import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { type Backend, EmbeddedConnection, type RequestLimits } from './connection.js';
import { interruptStatement } from './interrupt.js';
import { createReset, isInTransaction, removeRepeatedReady } from './protocol.js';
import type { FromThread, ThreadOptions, ToThread } from './thread.js';

interface Request {
  connection: EmbeddedConnection;
  messages: Uint8Array;
}

/** How long an interrupted statement may take to end. A thread that is busy for longer is terminated. */
const interruptTimeoutMs = 5_000;
const interruptIntervalMs = 100;

/**
 * PostgreSQL in a thread of this process (PGlite), so that its work does not delay pages. It has a single session,
 * which its connections share: it runs one request at a time, and during a transaction only those of its connection.
 */
export class EmbeddedServer implements Backend {
  private opening: Promise<void> | undefined;
  private thread: Worker | undefined;
  private readonly connections = new Set<EmbeddedConnection>();
  private queue: Request[] = [];
  private running: EmbeddedConnection | undefined;
  /** How many requests the thread got: the number of the last one. */
  private requests = 0;
  private inTransaction: EmbeddedConnection | undefined;
  private startedAt = 0;
  /** Interrupts the running request, or ends the thread if the interrupt has no effect. */
  private timer: NodeJS.Timeout | undefined;
  private isInterrupted = false;
  /** How much work runs whose statements may take as long as they need. */
  private unlimited = 0;
  /** Of what runs in the open transaction: see `readYielding`. */
  private transactionYieldMs: number | undefined;
  private isClosing = false;
  private wasOpen = false;

  constructor(
    private readonly options: ThreadOptions,
    /** Called when the thread ends although nobody closed the database, and when it cannot be started again. */
    private readonly onFailure: (error: Error) => void = () => {},
  ) {}

  /** Resolves when the thread has opened the database. A thread that ended is started again, unless it was closed. */
  async open(): Promise<void> {
    if (this.isClosing) throw new Error('The embedded database was closed.');
    this.opening ??= this.start();
    await this.opening;
  }

  /** Creates a connection whose requests are interrupted when they run for too long. */
  connect(limits: RequestLimits): EmbeddedConnection {
    const connection = new EmbeddedConnection(this, limits);
    this.connections.add(connection);
    return connection;
  }

  send(connection: EmbeddedConnection, messages: Uint8Array): void {
    this.queue.push({ connection, messages });
    if (this.running) this.startTimer();
    else this.runNext();
  }

  disconnect(connection: EmbeddedConnection): void {
    if (!this.connections.delete(connection)) return;
    this.queue = this.queue.filter(request => request.connection !== connection);
    if (this.running === connection) this.interrupt();
    this.send(connection, createReset(connection.statements));
  }

  /** Runs work whose statements may take as long as they need. Meanwhile those of connections that yield may not. */
  async withoutTimeLimit<Result>(work: () => Promise<Result>): Promise<Result> {
    this.unlimited += 1;
    try {
      return await work();
    } finally {
      this.unlimited -= 1;
    }
  }

  /** Runs reads in the open transaction, each interrupted after these milliseconds while a request of others waits. */
  async readYielding<Result>(yieldMs: number, read: () => Promise<Result>): Promise<Result> {
    this.transactionYieldMs = yieldMs;
    try {
      return await read();
    } finally {
      this.transactionYieldMs = undefined;
    }
  }

  async close(): Promise<void> {
    this.isClosing = true;
    await this.opening?.catch(() => {});
    if (!this.thread) return;
    const exit = once(this.thread, 'exit');
    this.thread.postMessage('close' satisfies ToThread);
    await exit;
  }

  private start(): Promise<void> {
    return new Promise((done, fail) => {
      const thread = new Worker(new URL('./thread.js', import.meta.url), {
        name: 'database',
        workerData: this.options,
      });
      let cause: unknown;
      thread.on('message', (message: FromThread) => {
        if (message !== 'open') return this.respond(message);
        this.thread = thread;
        this.wasOpen = true;
        done();
      });
      thread.on('error', error => {
        cause = error;
      });
      thread.on('exit', () => {
        fail(cause);
        const error = new Error('Connection terminated: the thread of the embedded database ended.', { cause });
        if (this.wasOpen && !this.isClosing) this.onFailure(error);
        this.reset(error);
      });
    });
  }

  private runNext(): void {
    if (this.running || !this.thread) return;
    const { inTransaction } = this;
    const request = this.queue.find(({ connection }) => !inTransaction || connection === inTransaction);
    if (!request) return;
    this.queue.splice(this.queue.indexOf(request), 1);
    this.running = request.connection;
    this.requests += 1;
    this.startedAt = performance.now();
    // A buffer of its own: a small one is a part of Node's pool of 64 kB, all of which would be copied.
    const messages = new Uint8Array(request.messages);
    const { maxMemory } = request.connection.limits;
    this.thread.postMessage({ messages, maxMemory } satisfies ToThread, [messages.buffer]);
    this.startTimer();
  }

  /** The running request has less time while another waits. */
  private startTimer(): void {
    const { limits } = this.running!;
    const { statementMs, yieldMs = this.transactionYieldMs, yieldsToSame = false } = limits;
    if (this.isInterrupted || (this.unlimited && yieldMs === undefined)) return;
    clearTimeout(this.timer);
    const isAwaited = this.queue.some(({ connection }) => yieldsToSame || connection.limits !== limits);
    const remainingMs = this.startedAt + (isAwaited ? (yieldMs ?? statementMs) : statementMs) - performance.now();
    this.timer = setTimeout(() => this.interrupt(), Math.max(remainingMs, 0));
  }

  private respond(response: Uint8Array): void {
    this.stopTimer();
    const connection = this.running!;
    this.running = undefined;
    this.inTransaction = isInTransaction(response) ? connection : undefined;
    if (this.connections.has(connection)) connection.push(removeRepeatedReady(response));
    this.runNext();
  }

  private interrupt(): void {
    this.isInterrupted = true;
    this.interruptAgain(performance.now() + interruptTimeoutMs);
  }

  /** An interrupt has no effect on a request that the thread has not begun, so it is repeated. */
  private interruptAgain(until: number): void {
    clearTimeout(this.timer);
    if (performance.now() >= until) return void this.thread?.terminate();
    interruptStatement(this.thread!, this.requests);
    this.timer = setTimeout(() => this.interruptAgain(until), interruptIntervalMs);
  }

  private stopTimer(): void {
    clearTimeout(this.timer);
    this.isInterrupted = false;
  }

  /** Forgets a thread that ended: clients connect again, which starts another. */
  private reset(error: Error): void {
    this.stopTimer();
    const connections = [...this.connections];
    this.connections.clear();
    this.queue = [];
    this.requests = 0;
    this.running = this.inTransaction = this.thread = this.opening = undefined;
    for (const connection of connections) connection.destroy(error);
  }
}
