import type { Outcome } from '../channel.js';
import { answerOf } from '../http/redact.js';
import type { Greeted } from './smtp-handshake.js';
import type { Letter } from './smtp-envelope.js';
import { isForGood, isGood, type Reply, written } from './smtp-reply.js';

/** The replies to an envelope: to MAIL, RCPT and DATA, and to RSET before them where that had to be said. */
type Asked = Promise<Reply[]>;

/** Where letters come from, and go back to when the connection was lost before their content was under way. */
export interface Source {
  next(): Letter | undefined;
  /** `wasOfUse`: the connection had brought others before. */
  returned(letter: Letter, reason: string, wasOfUse: boolean): void;
}

/** As mail servers among themselves do it. One that wants fewer ends the connection after those it wants, and the others go by the next. */
const lettersAConnection = 1000;

/**
 * Brings letters over one connection until there are none, or until the connection has brought enough. With PIPELINING (RFC 2920) the end of a message and the
 * envelope of the next go together, so that a message costs one round trip; else every command waits for its reply,
 * and so to a server that is slower when it is told several things at once.
 */
export class SmtpSession {
  #brought = 0;
  #isOfUse = false;
  #mustReset = false;

  constructor(
    private readonly greeted: Greeted,
    private readonly source: Source,
  ) {}

  get #isPipelined(): boolean {
    return this.greeted.pipelining && !this.greeted.line.pace.isHalting;
  }

  get isSpent(): boolean {
    return this.#brought >= lettersAConnection || this.greeted.line.isLost;
  }

  /** True while the connection can be used again. */
  async work(): Promise<boolean> {
    let letter = this.#take();
    let asked = letter && this.#ask(letter);
    while (letter) {
      let following: Letter | undefined;
      let followingAsked: Asked | undefined;
      let isUnderWay = false;
      try {
        const refusal = await this.#judge(asked!);
        if (refusal) {
          letter.told(refusal);
          following = this.#take();
          followingAsked = following && this.#ask(following);
        } else {
          isUnderWay = true;
          const end = this.#bring(letter);
          following = this.#isPipelined ? this.#take() : undefined;
          followingAsked = following && this.#ask(following);
          letter.told(outcomeOf((await end)[0]!));
          this.#isOfUse = true;
          following ??= this.#take();
          followingAsked ??= following && this.#ask(following);
        }
      } catch (error) {
        const reason = answerOf((error as Error).message);
        this.greeted.line.drop(error as Error);
        // Whether the server has it is not known: it goes again, with the same Message-ID.
        if (isUnderWay)
          letter.told({
            kind: 'failed',
            answer: answerOf(`${reason}, before it said whether it took the message`),
            unreachable: true,
          });
        else this.source.returned(letter, reason, this.#isOfUse);
        if (following) this.source.returned(following, reason, this.#isOfUse);
        return false;
      }
      letter = following;
      asked = followingAsked;
    }
    return !this.isSpent;
  }

  #take(): Letter | undefined {
    while (!this.isSpent) {
      const letter = this.source.next();
      if (!letter) return undefined;
      if (!letter.needsAnyAlphabet || this.greeted.anyAlphabet) {
        this.#brought += 1;
        return letter;
      }
      letter.told({
        kind: 'refused',
        answer: 'The mail server takes no addresses with letters beyond ASCII (SMTPUTF8).',
      });
    }
    return undefined;
  }

  #ask({ from, to, needsAnyAlphabet }: Letter): Asked {
    const { line } = this.greeted;
    const encoding = needsAnyAlphabet ? 'utf8' : 'latin1';
    // A transaction that was broken off is still open.
    const reset = this.#mustReset ? 'RSET\r\n' : '';
    this.#mustReset = false;
    const commands = [
      `${reset}MAIL FROM:<${from}>${needsAnyAlphabet ? ' SMTPUTF8' : ''}\r\n`,
      `RCPT TO:<${to}>\r\n`,
      'DATA\r\n',
    ];
    if (!this.#isPipelined) return this.#askOneByOne(commands, encoding, reset !== '');
    line.write(commands.join(''), encoding);
    return line.replies(reset ? 4 : 3);
  }

  /** What follows a refusal is not said, and has that very reply. */
  async #askOneByOne(commands: readonly string[], encoding: 'latin1' | 'utf8', hasReset: boolean): Asked {
    const { line } = this.greeted;
    const replies: Reply[] = [];
    for (const [place, command] of commands.entries()) {
      const before = replies.at(-1);
      if (before && !isGood(before)) replies.push(before);
      else {
        line.write(command, encoding);
        replies.push(...(await line.replies(place === 0 && hasReset ? 2 : 1)));
      }
    }
    return replies;
  }

  /** Null where the content may come. Only what the server says of the recipient is for good: all else may be repaired on our side. */
  async #judge(asked: Asked): Promise<Outcome | null> {
    const [mail, recipient, data] = (await asked).slice(-3) as [Reply, Reply, Reply];
    for (const reply of [mail, recipient, data])
      if (reply.code === 421) throw new Error(`the mail server ends the connection: ${written(reply)}`);
    if (isGood(mail) && isGood(recipient) && data.code === 354) return null;
    // It wants a message that nobody is to get: an empty one (RFC 2920, 3.1).
    if (data.code === 354) await this.greeted.line.command('.');
    else this.#mustReset = isGood(mail);
    if (!isGood(mail)) return { kind: 'failed', answer: answerOf(written(mail)) };
    if (!isGood(recipient))
      return {
        kind: isAboutUs(recipient) || !isForGood(recipient) ? 'failed' : 'refused',
        answer: answerOf(written(recipient)),
      };
    return { kind: 'failed', answer: answerOf(written(data)) };
  }

  #bring(letter: Letter): Promise<Reply[]> {
    const { line } = this.greeted;
    line.write(`${letter.content()}.\r\n`, letter.needsAnyAlphabet ? 'utf8' : 'latin1');
    return line.replies(1);
  }
}

/** Encryption or a password is wanted, or the order of commands is not as the server knows it. */
const isAboutUs = ({ code }: Reply) => [500, 502, 503, 530, 535, 538].includes(code);

function outcomeOf(reply: Reply): Outcome {
  const answer = answerOf(written(reply));
  if (isGood(reply)) return { kind: 'sent', answer };
  return { kind: isForGood(reply) && !isAboutUs(reply) ? 'refused' : 'failed', answer };
}
