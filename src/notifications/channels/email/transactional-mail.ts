import MailComposer from 'nodemailer/lib/mail-composer';
import type { DirectMail } from '../../../subscribers/confirmation-sender.js';
import type { Sender } from './sender.js';

/** The whole of a mail as it goes over the wire. */
export async function directMail(
  { to, about, subject, text, html, headers }: DirectMail,
  sender: Sender,
  messageId: string,
): Promise<string> {
  const composer = new MailComposer({
    from: { name: sender.name ?? about.replace(/[\p{Control}\u2028\u2029]+/gu, ' '), address: sender.address },
    subject: subject.replace(/[\p{Control}\u2028\u2029]+/gu, ' '),
    text,
    html,
    headers,
    messageId,
    encoding: 'quoted-printable',
    newline: 'win',
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const message = (await composer.compile().build()).toString('latin1');
  return `To: ${to}\r\n${message.replace(/^\./gm, '..')}${message.endsWith('\r\n') ? '' : '\r\n'}`;
}
