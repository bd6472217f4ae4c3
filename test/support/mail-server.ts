import type { AddressInfo } from 'node:net';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { certificate } from './certificate.js';

export interface ReceivedMail {
  from: string;
  to: string[];
  /** As received, without dot-stuffing. */
  raw: string;
  secure: boolean;
}

export interface MailServer {
  port: number;
  /** For SMTP_URL. */
  url: string;
  mails: ReceivedMail[];
  connections: number;
  stop(): Promise<void>;
}

/**
 * A real SMTP server that records mails. `refuse` returns the code with which a recipient is refused, or the whole answer;
 * `refuseContent` the answer to the content.
 */
export async function startMailServer({
  refuse,
  refuseContent,
  ...options
}: SMTPServerOptions & {
  refuse?: (to: string) => number | string | undefined;
  refuseContent?: () => string | undefined;
} = {}): Promise<MailServer> {
  const received: MailServer = { port: 0, url: '', mails: [], connections: 0, stop: async () => {} };
  const failure = (answer: number | string) => {
    const [, code, text] = /^(\d{3}) ?(.*)$/.exec(String(answer))!;
    return Object.assign(new Error(text || 'not for this one'), { responseCode: Number(code) });
  };
  const server = new SMTPServer({
    ...certificate,
    disabledCommands: ['STARTTLS', 'AUTH'],
    authOptional: !options.onAuth,
    disableReverseLookup: true,
    onConnect: (_session, done) => {
      received.connections += 1;
      done();
    },
    onRcptTo: ({ address }, _session, done) => {
      const answer = refuse?.(address);
      done(answer ? failure(answer) : undefined);
    },
    onData: (stream, { envelope, secure }, done) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const answer = refuseContent?.();
        if (answer) return void done(failure(answer));
        const from = envelope.mailFrom ? envelope.mailFrom.address : '';
        received.mails.push({
          from,
          to: envelope.rcptTo.map(({ address }) => address),
          raw: Buffer.concat(chunks).toString('utf8'),
          secure,
        });
        done(null, 'taken');
      });
    },
    ...options,
  });
  // Clients may drop connections at any time.
  server.on('error', () => {});
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done));
  received.port = (server.server.address() as AddressInfo).port;
  received.url = `smtp${options.secure ? 's' : ''}://127.0.0.1:${received.port}`;
  received.stop = () => new Promise(done => server.close(done));
  return received;
}
