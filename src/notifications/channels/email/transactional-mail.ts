import type { TransactionalMail } from '../../../subscribers/confirmation-sender.js';
import { MailComposer } from './nodemailer.js';
import type { Sender } from './sender.js';

/** Returns the whole message, with CRLF line ends. */
export async function composeTransactionalMail(
  { to, pageName, subject, text, html, headers }: TransactionalMail,
  sender: Sender,
  messageId: string,
): Promise<string> {
  const composer = new MailComposer({
    from: { name: sender.name ?? withoutLineEnds(pageName), address: sender.address },
    subject: withoutLineEnds(subject),
    text,
    html,
    headers: { ...sender.headers, ...headers },
    messageId,
    encoding: 'quoted-printable',
    newline: 'win',
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const message = (await composer.compile().build()).toString('latin1');
  return `To: ${to}\r\n${message}${message.endsWith('\r\n') ? '' : '\r\n'}`;
}

const withoutLineEnds = (text: string) => text.replace(/[\p{Control}\u2028\u2029]+/gu, ' ');
