import { answerOf } from '../http/redact.js';
import { type Greeted, greeted } from './smtp-handshake.js';
import type { Letter } from './smtp-envelope.js';
import type { Patience, SmtpLine } from './smtp-connection.js';
import { SmtpPace } from './smtp-ack-delay.js';
import { SmtpSession, type Source } from './smtp-session.js';
import type { SmtpTarget } from './smtp-url.js';

/** Less than what the worker waits for the whole of an attempt: it must not learn of a message later than it has given it up. */
const usual: Patience = { connect: 10_000, reply: 30_000, rest: 5_000, turn: 25_000 };

/** So many that a slow server does not hold up the rest, and so few that none takes us for an attack. */
const mostConnections = 4;

/** Letters of a lost connection go by another one, once; and again where it is the server's way to end a connection after some. */
const mostReturns = 1;

/** The connections to the mail server: opened when there are letters, closed when there have been none for a while. */
export class SmtpPool implements Source {
  readonly #queue: Letter[] = [];
  readonly #since = new WeakMap<Letter, number>();
  readonly #returns = new WeakMap<Letter, number>();
  readonly #resting = new Set<() => void>();
  readonly #running = new Set<Promise<void>>();
  readonly #lines = new Set<SmtpLine>();
  readonly #pace = new SmtpPace();
  #opening = 0;
  #most = mostConnections;
  #closed = false;

  constructor(
    private readonly target: SmtpTarget,
    private readonly ownName: string,
    private readonly patience: Patience = usual,
  ) {}

  send(letter: Letter): void {
    this.#queue.push(letter);
    this.#since.set(letter, performance.now());
    if (this.#closed) this.#fail('Mail is no longer sent here.');
    else this.#spread();
  }

  /** Whoever handed a letter in has given it up when it was here for long, also where it came back: it would go twice. */
  next(): Letter | undefined {
    for (let letter = this.#queue.shift(); letter; letter = this.#queue.shift()) {
      if (performance.now() - this.#since.get(letter)! <= this.patience.turn) return letter;
      letter.told({ kind: 'failed', answer: 'The mail server was too slow for all that was to be sent.' });
    }
    return undefined;
  }

  returned(letter: Letter, reason: string, wasOfUse: boolean): void {
    const times = (this.#returns.get(letter) ?? 0) + (wasOfUse ? 0 : 1);
    this.#returns.set(letter, times);
    if (times > mostReturns || this.#closed) letter.told({ kind: 'failed', answer: reason, unreachable: true });
    else this.#queue.unshift(letter);
  }

  /** What is still waiting fails; what is under way ends. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#fail('Mail is no longer sent here.');
    this.#wakeAll();
    await Promise.all(this.#running);
  }

  /** Who rests is woken; where nobody does another connection is opened, up to one for each letter that waits. */
  #spread(): void {
    const [wake] = this.#resting;
    if (wake) {
      wake();
      return;
    }
    if (this.#running.size >= this.#most || this.#opening >= this.#queue.length) return;
    const running = this.#run().finally(() => {
      this.#running.delete(running);
      // Whoever was the last leaves nothing behind: letters that came back, or came while it went.
      if (!this.#running.size) this.#most = mostConnections;
      if (this.#queue.length && !this.#closed) this.#spread();
    });
    this.#running.add(running);
  }

  async #run(): Promise<void> {
    let open: Greeted;
    this.#opening += 1;
    try {
      open = await greeted(this.target, this.ownName, this.patience, this.#pace);
      this.#opening -= 1;
    } catch (error) {
      this.#opening -= 1;
      // Where others work, or still may, it is one too many for the server: so many it is then, until all are gone.
      const others = this.#lines.size + this.#opening;
      if (others) this.#most = others;
      else this.#fail(answerOf((error as Error).message, [this.target.password]));
      return;
    }
    const { line } = open;
    this.#lines.add(line);
    const session = new SmtpSession(open, this);
    while ((await session.work()) && (await this.#rest()));
    line.end();
    this.#lines.delete(line);
  }

  /** False when nothing came for as long as one rests. */
  async #rest(): Promise<boolean> {
    if (this.#queue.length) return true;
    if (this.#closed) return false;
    return new Promise(done => {
      const stop = (isWoken: boolean) => {
        clearTimeout(timer);
        this.#resting.delete(wake);
        done(isWoken && !this.#closed);
      };
      const wake = () => stop(true);
      const timer = setTimeout(() => stop(false), this.patience.rest);
      this.#resting.add(wake);
    });
  }

  #wakeAll(): void {
    for (const wake of [...this.#resting]) wake();
  }

  #fail(reason: string): void {
    for (const letter of this.#queue.splice(0)) letter.told({ kind: 'failed', answer: reason, unreachable: true });
  }
}
