/**
 * Every import of `nodemailer/lib` stands here. nodemailer exports these paths, but documents only some of them; and
 * `supportsSmtpUtf8` and `boundResponses` use private fields: so its version is pinned exactly.
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

interface Responses {
  _onData(part: Buffer): void;
  _onResponseTooLarge(): void;
}

/**
 * Ends a connection on which the server sends more than `maxBytes` between two commands. nodemailer bounds a response,
 * but not how many there are: for empty lines without end it has one step of the event loop each. Returns what begins
 * the count anew.
 */
export function boundResponses(connection: SMTPConnection, maxBytes: number): () => void {
  const responses = connection as unknown as Responses;
  const read = responses._onData.bind(connection);
  let bytes = 0;
  responses._onData = part => {
    bytes += part.length;
    if (bytes > maxBytes) responses._onResponseTooLarge();
    else read(part);
  };
  return () => {
    bytes = 0;
  };
}
