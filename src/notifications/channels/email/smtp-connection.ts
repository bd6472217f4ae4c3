import { connect as connectPlain, isIP, type Socket } from 'node:net';
import { connect as connectSecure } from 'node:tls';
import type { SmtpPace } from './smtp-ack-delay.js';
import { type Reply, ReplyReader } from './smtp-reply.js';
import type { SmtpTarget } from './smtp-url.js';

/** Milliseconds. */
export interface Patience {
  connect: number;
  reply: number;
  /** How long a connection with nothing to do is kept. */
  rest: number;
  /** How long a letter may wait for its turn. */
  turn: number;
}

/** The first is the faster one, for what is ASCII. */
type Encoding = 'latin1' | 'utf8';

interface Waiting {
  /** Still to come. */
  count: number;
  replies: Reply[];
  answered(replies: Reply[]): void;
  failed(error: Error): void;
}

/** A connection to a mail server: what is written, and the replies in the order in which they were asked for. */
export class SmtpLine {
  #reader = new ReplyReader();
  #waiting: Waiting[] = [];
  #lost: Error | null = null;
  #unwritten = '';
  #encoding: Encoding = 'latin1';
  #deadline: NodeJS.Timeout;
  #saidAt = 0;
  /** Null: not since something was said. */
  #heardAt: number | null = null;

  private constructor(
    private socket: Socket,
    patience: Patience,
    readonly pace: SmtpPace,
  ) {
    this.#deadline = setTimeout(
      () => this.#waiting.length && this.drop(new Error('the mail server did not answer in time')),
      patience.reply,
    ).unref();
    this.#listen(socket);
  }

  static async open(target: SmtpTarget, patience: Patience, pace: SmtpPace): Promise<SmtpLine> {
    const socket = target.implicit
      ? connectSecure({ port: target.port, ...security(target) })
      : connectPlain({ host: target.host, port: target.port });
    await arrived(socket, target.implicit ? 'secureConnect' : 'connect', patience.connect);
    return new SmtpLine(socket, patience, pace);
  }

  get isLost(): boolean {
    return this.#lost !== null;
  }

  /** Without a promise for a reply: `replies` gives it, in the order of what was written. */
  write(text: string, encoding: Encoding = 'latin1'): void {
    if (this.#lost) return;
    if (this.#unwritten && this.#encoding !== encoding) this.#flush();
    // What is written until the next turn goes at once: the end of a message and the envelope of the next are one write.
    if (!this.#unwritten) process.nextTick(() => this.#flush());
    this.#unwritten += text;
    this.#encoding = encoding;
  }

  replies(count: number): Promise<Reply[]> {
    const replies = new Promise<Reply[]>((answered, failed) => {
      if (this.#lost) return failed(this.#lost);
      if (!this.#waiting.length) this.#deadline.refresh();
      this.#waiting.push({ count, replies: [], answered, failed });
    });
    // They are awaited later, perhaps never: a connection that is lost meanwhile must not end the process.
    replies.catch(() => {});
    return replies;
  }

  async reply(): Promise<Reply> {
    const [reply] = await this.replies(1);
    return reply!;
  }

  command(text: string): Promise<Reply> {
    this.write(`${text}\r\n`);
    return this.reply();
  }

  /** After the reply to STARTTLS. What was said before belongs to whoever is in between: nothing of it counts. */
  async secure(target: SmtpTarget, patience: Patience): Promise<void> {
    if (this.#reader.hasRest) throw new Error('the mail server spoke before the encryption began');
    this.socket.removeAllListeners('data');
    const secured = connectSecure({ socket: this.socket, ...security(target) });
    await arrived(secured, 'secureConnect', patience.connect);
    this.#reader = new ReplyReader();
    this.socket = secured;
    this.#listen(secured);
  }

  drop(reason: Error): void {
    if (this.#lost) return;
    this.#lost = reason;
    clearTimeout(this.#deadline);
    this.socket.destroy();
    for (const { failed } of this.#waiting.splice(0)) failed(reason);
  }

  /** Says good-bye, and waits for no answer. */
  end(): void {
    if (this.#lost) return;
    this.socket.end('QUIT\r\n');
    const late = setTimeout(() => this.socket.destroy(), 1_000);
    this.socket.once('close', () => clearTimeout(late));
    this.#lost = new Error('the connection was ended');
    clearTimeout(this.#deadline);
  }

  #flush(): void {
    const text = this.#unwritten;
    this.#unwritten = '';
    if (!text || this.#lost) return;
    this.#saidAt = performance.now();
    this.#heardAt = null;
    this.socket.write(text, this.#encoding);
  }

  #listen(socket: Socket): void {
    socket.setNoDelay(true);
    socket.on('data', (bytes: Buffer) => this.#take(bytes));
    socket.on('error', error => this.drop(error));
    socket.on('close', () => this.drop(new Error('the mail server closed the connection')));
  }

  #take(bytes: Buffer): void {
    const now = performance.now();
    if (this.#heardAt === null) this.pace.heardAfter(now - this.#saidAt);
    else if (this.#waiting.length) this.pace.heardAgainAfter(now - this.#heardAt);
    this.#heardAt = now;
    try {
      for (const reply of this.#reader.read(bytes)) {
        this.#deadline.refresh();
        const [waiting] = this.#waiting;
        // Nobody asked: it says that it goes.
        if (!waiting) throw new Error(`the mail server said ${reply.code} without being asked`);
        waiting.replies.push(reply);
        waiting.count -= 1;
        if (waiting.count) continue;
        this.#waiting.shift();
        waiting.answered(waiting.replies);
      }
    } catch (error) {
      this.drop(error as Error);
    }
  }
}

/** An address is no server name, but a certificate may be good for it: it is compared with `host`. */
const security = ({ host, verify }: SmtpTarget) => ({
  host,
  servername: isIP(host) ? '' : host,
  rejectUnauthorized: verify,
  minVersion: 'TLSv1.2' as const,
});

function arrived(socket: Socket, event: 'connect' | 'secureConnect', patience: number): Promise<void> {
  return new Promise((done, fail) => {
    const give = (error: Error) => {
      clearTimeout(timer);
      socket.destroy();
      fail(error);
    };
    const closed = () => give(new Error('the mail server closed the connection'));
    const timer = setTimeout(() => give(new Error('the mail server could not be reached in time')), patience);
    socket.once('error', give).once('close', closed);
    socket.once(event, () => {
      clearTimeout(timer);
      socket.off('error', give).off('close', closed);
      done();
    });
  });
}
