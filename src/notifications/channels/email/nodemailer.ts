/**
 * Every import of `nodemailer/lib` stands here. nodemailer exports these paths, but documents only some of them:
 * its version is pinned exactly, and the two functions below rely on what it does not promise at all.
 */
import type { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import DKIM from 'nodemailer/lib/dkim';
import MailComposer from 'nodemailer/lib/mail-composer';
import SMTPConnection from 'nodemailer/lib/smtp-connection';
import XOAuth2 from 'nodemailer/lib/xoauth2';

export { DKIM, MailComposer, SMTPConnection, XOAuth2 };

/** What `SMTPConnection` fails with. */
export interface SmtpError extends Error {
  code?: string;
  /** The command that failed; CONN for the connection itself. */
  command?: string;
  /** The response of the server, with all its lines. */
  response?: string;
  responseCode?: number;
  timeoutType?: string;
}

/**
 * A message for `connection.send`, which calls `pipe` exactly when the server has accepted the envelope. The content
 * has CRLF line ends, and leaves with its final dot in one write: nodemailer's stream, which checks every byte and
 * writes twice, takes a third of the processor time of a message.
 */
export const toMessage = (connection: SMTPConnection, content: string, onAccepted: () => void) =>
  ({
    pipe(stream: Readable) {
      onAccepted();
      stream.unpipe();
      // A line that starts with a dot would end the message (RFC 5321, section 4.5.2).
      const stuffed = content.includes('\n.') || content.startsWith('.') ? content.replace(/^\./gm, '..') : content;
      (connection._socket as Socket).write(`${stuffed}.\r\n`);
    },
  }) as unknown as Readable;

/** The extensions that the server offered. The public `ehlo` is only known after the first message. */
export const supportsSmtpUtf8 = (connection: SMTPConnection): boolean =>
  (connection as unknown as { _supportedExtensions: string[] })._supportedExtensions.includes('SMTPUTF8');
