/**
 * Every import of `nodemailer/lib` stands here. nodemailer exports these paths, but documents only some of them; and
 * `supportsSmtpUtf8` reads a private field: so its version is pinned exactly.
 */
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

/** The extensions that the server offered. The public `ehlo` is only known after the first message. */
export const supportsSmtpUtf8 = (connection: SMTPConnection): boolean =>
  (connection as unknown as { _supportedExtensions: string[] })._supportedExtensions.includes('SMTPUTF8');
