import { Duplex } from 'node:stream';
import { parse, readStatementName, responseTriggers, terminate, welcome } from './protocol.js';

export interface RequestLimits {
  /** Milliseconds for which a request may run. */
  statementMs: number;
  /** Milliseconds after which a request is interrupted while one of a connection with other limits waits. */
  yieldMs?: number;
  /** Whether those of connections with the same limits count as waiting, too. */
  yieldsToSame?: boolean;
  /** Bytes to which a request may let the memory of the embedded database grow; absent: its maximum. */
  maxMemory?: number;
}

/** What a connection needs of its server. */
export interface Backend {
  open(): Promise<unknown>;
  /** Runs the messages and pushes the response into the connection. */
  send(connection: EmbeddedConnection, messages: Buffer): void;
  disconnect(connection: EmbeddedConnection): void;
}

/**
 * A connection of `pg` to the embedded database, in place of a socket. The messages up to one that PostgreSQL responds
 * to are a request: those of other connections must not come between them.
 */
export class EmbeddedConnection extends Duplex {
  readonly statements = new Set<string>();
  private isStarted = false;
  private messages: Buffer[] = [];

  constructor(
    private readonly backend: Backend,
    readonly limits: RequestLimits,
  ) {
    super();
  }

  /** Called by pg, with an address that means nothing here. */
  connect(): void {
    this.backend.open().then(
      () => this.emit('connect'),
      error => this.destroy(new Error('Connection terminated: the database cannot be opened.', { cause: error })),
    );
  }

  // The other methods of a socket that pg calls.
  setNoDelay(): void {}
  setKeepAlive(): void {}
  ref(): void {}
  unref(): void {}

  override _read(): void {}

  override _write(message: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.receive(message);
    done();
  }

  override _writev(chunks: { chunk: Buffer }[], done: () => void): void {
    for (const { chunk } of chunks) this.receive(chunk);
    done();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.backend.disconnect(this);
    done(error);
  }

  /** pg writes one message at a time. */
  private receive(message: Buffer): void {
    if (!this.isStarted) {
      this.isStarted = true;
      this.push(welcome);
    } else if (message[0] === terminate) {
      // At once: the pool may open another connection, which prepares statements of the same names.
      this.backend.disconnect(this);
      this.push(null);
    } else {
      if (message[0] === parse) this.statements.add(readStatementName(message));
      this.messages.push(message);
      if (responseTriggers.has(message[0]!)) this.backend.send(this, Buffer.concat(this.messages.splice(0)));
    }
  }
}
