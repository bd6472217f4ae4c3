import { answerOf } from '../http/redact.js';
import { type Patience, SmtpLine } from './smtp-connection.js';
import { isGood, type Reply, written } from './smtp-reply.js';
import type { SmtpPace } from './smtp-ack-delay.js';
import type { SmtpTarget } from './smtp-url.js';

export interface Greeted {
  line: SmtpLine;
  pipelining: boolean;
  /** Whether letters of any alphabet may stand in addresses. */
  anyAlphabet: boolean;
}

/** Connects, says who we are, encrypts and logs in; throws in a sentence for the operator where any of it fails. */
export async function greeted(
  target: SmtpTarget,
  ownName: string,
  patience: Patience,
  pace: SmtpPace,
): Promise<Greeted> {
  const line = await SmtpLine.open(target, patience, pace);
  try {
    demand(await line.reply(), 'greeting');
    let offers = await introduce(line, ownName);
    if (!target.implicit && target.starttls !== 'never') {
      if (offers.has('STARTTLS')) {
        demand(await line.command('STARTTLS'), 'STARTTLS');
        await line.secure(target, patience);
        offers = await introduce(line, ownName);
      } else if (target.starttls === 'required') {
        throw new Error(
          'the mail server offers no encryption (STARTTLS), without which no password is sent; "?tls=never" in SMTP_URL allows it',
        );
      }
    }
    if (target.user !== null) await logIn(line, offers.get('AUTH') ?? '', target);
    return { line, pipelining: offers.has('PIPELINING'), anyAlphabet: offers.has('SMTPUTF8') };
  } catch (error) {
    line.drop(error as Error);
    throw error;
  }
}

/** The extensions by name, with what stands behind it. A server of old knows HELO only, and no extension. */
async function introduce(line: SmtpLine, ownName: string): Promise<Map<string, string>> {
  const reply = await line.command(`EHLO ${ownName}`);
  if (isGood(reply)) {
    return new Map(
      reply.lines.slice(1).map(text => [text.split(/[ =]/)[0]!.toUpperCase(), text.slice(text.search(/[ =]|$/) + 1)]),
    );
  }
  demand(await line.command(`HELO ${ownName}`), 'HELO');
  return new Map();
}

async function logIn(line: SmtpLine, offered: string, { user, password }: SmtpTarget): Promise<void> {
  const base64 = (text: string) => Buffer.from(text).toString('base64');
  const ways = offered.toUpperCase().split(/\s+/);
  const say = async (text: string, going: boolean): Promise<void> => {
    const reply = await line.command(text);
    if (going ? reply.code !== 334 : !isGood(reply)) {
      throw new Error(
        answerOf(`the mail server does not let us in: ${written(reply)}`, [password, base64(`\0${user}\0${password}`)]),
      );
    }
  };
  if (ways.includes('PLAIN') || !ways.includes('LOGIN'))
    return say(`AUTH PLAIN ${base64(`\0${user}\0${password}`)}`, false);
  await say('AUTH LOGIN', true);
  await say(base64(user!), true);
  await say(base64(password!), false);
}

function demand(reply: Reply, what: string): void {
  if (!isGood(reply)) throw new Error(`the mail server refused us (${what}): ${written(reply)}`);
}
