import { ConnectionFailure, SmtpConnection, type SmtpOptions } from './smtp-connection.js';
import type { Envelope } from './envelope.js';
import { isLoopback } from './smtp-url.js';

/** Enough that a slow message does not delay the others, and few enough for every mail server. */
const maxConnections = 4;
/** As mail servers do among themselves. A server that wants fewer closes the connection earlier. */
const maxMessagesPerConnection = 1000;
/** How often a message may be lost on a connection that had delivered nothing before. */
const maxLosses = 1;

interface QueuedMessage {
  envelope: Envelope;
  queuedAt: number;
  losses: number;
}

export interface MailServerState {
  isEncrypted: boolean;
  /** It is on this machine. */
  isLocal: boolean;
}

/** Connections to the mail server: opened when messages wait, closed when none came for a while. */
export class SmtpPool {
  readonly #queue: QueuedMessage[] = [];
  /** Wakes a connection that waits for messages. */
  readonly #idle: ((hasWork: boolean) => void)[] = [];
  readonly #running = new Set<Promise<void>>();
  #connecting = 0;
  #limit = maxConnections;
  #isClosed = false;

  constructor(private readonly options: SmtpOptions) {}

  send(envelope: Envelope): void {
    this.#queue.push({ envelope, queuedAt: performance.now(), losses: 0 });
    if (this.#isClosed) this.#failAll(new ConnectionFailure('This process no longer sends e-mail.'));
    else this.#dispatch();
  }

  async verify(): Promise<MailServerState> {
    const connection = await SmtpConnection.open(this.options);
    connection.quit();
    return { isEncrypted: connection.isEncrypted, isLocal: isLoopback(this.options.server.host) };
  }

  /** Fails what waits, and ends when everything under way has its outcome. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#failAll(new ConnectionFailure('This process no longer sends e-mail.'));
    for (const wake of this.#idle.splice(0)) wake(false);
    await Promise.all(this.#running);
  }

  /** Wakes an idle connection, or opens one more, up to one for each message that waits. */
  #dispatch(): void {
    const wake = this.#idle.pop();
    if (wake) {
      wake(true);
      return;
    }
    if (this.#running.size >= this.#limit || this.#connecting >= this.#queue.length) return;
    const running = this.#run().finally(() => {
      this.#running.delete(running);
      if (!this.#running.size) this.#limit = maxConnections;
      // Messages that came back, or that came while the last connection was closing.
      if (this.#queue.length && !this.#isClosed) this.#dispatch();
    });
    this.#running.add(running);
  }

  async #run(): Promise<void> {
    const connection = await this.#connect();
    if (!connection) return;
    while (!connection.isClosed && connection.sentCount < maxMessagesPerConnection) {
      const message = this.#next();
      if (message) await this.#deliver(message, connection);
      else if (this.#isClosed || !(await this.#hasWork())) break;
    }
    connection.quit();
  }

  async #connect(): Promise<SmtpConnection | null> {
    this.#connecting += 1;
    try {
      return await SmtpConnection.open(this.options);
    } catch (error) {
      // If others are connected, or may still succeed, this one was more than the server allows.
      const others = this.#running.size - 1;
      if (others) this.#limit = others;
      else this.#failAll(error as ConnectionFailure);
      return null;
    } finally {
      this.#connecting -= 1;
    }
  }

  /** The worker has given up a message that waited long, also one that came back: it would be sent twice. */
  #next(): QueuedMessage | undefined {
    for (let message = this.#queue.shift(); message; message = this.#queue.shift()) {
      if (performance.now() - message.queuedAt <= this.options.timeouts.queueMs) return message;
      message.envelope.onOutcome({ kind: 'failed', response: 'The mail server was too slow for all messages.' });
    }
    return undefined;
  }

  async #deliver(message: QueuedMessage, connection: SmtpConnection): Promise<void> {
    const outcome = await connection.send(message.envelope).catch((error: ConnectionFailure) => error);
    if (!(outcome instanceof ConnectionFailure)) return message.envelope.onOutcome(outcome);
    if (!connection.sentCount) message.losses += 1;
    if (message.losses <= maxLosses && !this.#isClosed) this.#queue.unshift(message);
    else message.envelope.onOutcome(outcome.toOutcome());
  }

  /** False if no message came for as long as an unused connection stays open. */
  #hasWork(): Promise<boolean> {
    return new Promise(resolve => {
      const wake = (hasWork: boolean) => {
        clearTimeout(timer);
        resolve(hasWork);
      };
      const timer = setTimeout(() => {
        this.#idle.splice(this.#idle.indexOf(wake), 1);
        resolve(false);
      }, this.options.timeouts.idleMs);
      this.#idle.push(wake);
    });
  }

  #failAll(failure: ConnectionFailure): void {
    for (const { envelope } of this.#queue.splice(0)) envelope.onOutcome(failure.toOutcome());
  }
}
