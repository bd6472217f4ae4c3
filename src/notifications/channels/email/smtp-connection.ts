import { isIP } from 'node:net';
import { Readable } from 'node:stream';
import type { Deferral, Outcome } from '../channel.js';
import { toRefusal } from '../outcome.js';
import { redact } from '../redact.js';
import { classifySmtpAnswer } from '../refusals.js';
import type { Envelope } from './envelope.js';
import { boundResponses, SMTPConnection, type SmtpError, supportsSmtpUtf8, type XOAuth2 } from './nodemailer.js';
import type { SmtpServer } from './smtp-url.js';

export interface Timeouts {
  /** From the first packet to the end of STARTTLS. */
  connectMs: number;
  /** For the response to a command, and for the handshake as a whole. */
  replyMs: number;
  /** How long an unused connection stays open. */
  idleMs: number;
  /** How long a message may wait for a connection. */
  queueMs: number;
}

export interface SmtpOptions {
  server: SmtpServer;
  /** The client's name in EHLO. */
  clientName: string;
  timeouts: Timeouts;
  /** Provides the access token in place of the password. */
  oauth?: XOAuth2;
  /** Adds the DKIM signature. */
  sign?(content: string): Promise<string>;
}

/** A connection that could not be opened, or that ended before a message was sent. */
export class ConnectionFailure extends Error {
  /** Present if the server said why it accepts nothing. */
  readonly deferral?: Deferral;

  constructor(message: string, { response, command }: Partial<SmtpError> = {}) {
    super(message);
    if (!response || command === 'STARTTLS') return;
    const kind = classifySmtpAnswer('connection', toLine(response));
    if (kind === 'sender' || kind === 'rate') this.deferral = kind;
  }

  toOutcome(): Outcome {
    const { message, deferral } = this;
    return { kind: 'failed', response: message, unreachable: true, ...(deferral && { deferral }) };
  }
}

/** Of the responses to a message, or to a sign-in. */
const maxResponseBytes = 64_000;

/** A connection of nodemailer that is signed in: its callbacks and events as promises, its errors as outcomes. */
export class SmtpConnection {
  #client: SMTPConnection;
  #mustReset = false;
  /** Settles the pending operation: nodemailer drops its callback in some of the ways in which a connection ends. */
  #abort: (error: Error) => void = () => {};
  #deadline: NodeJS.Timeout;
  #countAnew: () => void;
  /** Messages that the server has answered. */
  sentCount = 0;

  private constructor(private readonly options: SmtpOptions) {
    const { server, clientName, timeouts } = options;
    const { host, port, isImplicitTls, starttls, verifiesCertificate } = server;
    this.#client = new SMTPConnection({
      host,
      port,
      secure: isImplicitTls,
      requireTLS: !isImplicitTls && starttls === 'required',
      ignoreTLS: starttls === 'never',
      // An IP address cannot be a server name (SNI), but a certificate may be valid for it.
      tls: { servername: isIP(host) ? '' : host, rejectUnauthorized: verifiesCertificate, minVersion: 'TLSv1.2' },
      name: clientName,
      connectionTimeout: timeouts.connectMs,
      greetingTimeout: timeouts.connectMs,
      socketCloseTimeout: 1_000,
      maxResponseSize: maxResponseBytes,
    });
    this.#countAnew = boundResponses(this.#client, maxResponseBytes);
    // nodemailer's own timeout of a socket starts again with every byte, so that a slow server could hold it forever.
    this.#deadline = setTimeout(() => this.#fail(new Error(noResponse)), timeouts.replyMs).unref();
    this.#client.on('error', error => this.#fail(error));
    // After 421, nodemailer reports the end before it calls back with the response.
    this.#client.on('end', () =>
      process.nextTick(() => this.#fail(new Error('The mail server closed the connection.'))),
    );
  }

  static async open(options: SmtpOptions): Promise<SmtpConnection> {
    const connection = new SmtpConnection(options);
    const { server, oauth } = options;
    try {
      await connection.#call(done => connection.#client.connect(done));
      if (server.user !== null)
        await connection.#call(done =>
          connection.#client.login({ user: server.user!, pass: server.password!, oauth2: oauth }, done),
        );
      return connection;
    } catch (error) {
      connection.close();
      // A token that was refused must not be used again until it expires.
      if ((error as SmtpError).code === 'EAUTH') oauth?.updateToken('');
      const { clientSecret, refreshToken } = oauth?.options ?? {};
      const secrets = [server.password, `\0${server.user}\0${server.password}`, clientSecret, refreshToken];
      throw new ConnectionFailure(redact(describeFailure(error as SmtpError), secrets), error as SmtpError);
    }
  }

  get isEncrypted(): boolean {
    return this.#client.secure;
  }

  get isClosed(): boolean {
    return this.#client.destroyed;
  }

  /** Throws if the connection ended before the content was sent: then the message can go over another one. */
  async send({ from, to, needsSmtpUtf8, content }: Envelope): Promise<Outcome> {
    if (needsSmtpUtf8 && !supportsSmtpUtf8(this.#client))
      return { kind: 'refused', response: 'The mail server accepts only ASCII addresses (no SMTPUTF8).' };
    let message: string;
    try {
      message = await content();
    } catch (error) {
      const reason = (error as Error).message;
      return { kind: 'failed', response: redact(`The e-mail could not be composed: ${reason}`) };
    }
    if (this.options.sign) message = await this.options.sign(message);
    let isContentSent = false;
    try {
      if (this.#mustReset) await this.#call(done => this.#client.reset(done));
      this.#mustReset = false;
      const body = createBody(message, () => {
        isContentSent = true;
        this.#deadline.refresh();
      });
      const info = await this.#call<{ response: string }>(done => this.#client.send({ from, to }, body, done));
      this.sentCount += 1;
      return { kind: 'sent', response: redact(toLine(info!.response)) };
    } catch (error) {
      const failure = error as SmtpError;
      if (isResponse(failure)) {
        // The server keeps a transaction open whose recipient or content it refused.
        this.#mustReset = !isContentSent;
        if (isContentSent) this.sentCount += 1;
        return toOutcome(failure);
      }
      this.close();
      const reason = redact(describeFailure(failure));
      if (!isContentSent) throw new ConnectionFailure(reason, failure);
      // Nobody knows whether the server accepted the message. It is sent again, with the same Message-ID.
      return {
        kind: 'failed',
        response: redact(`The connection was lost before the mail server confirmed the message: ${reason}`),
        unreachable: true,
      };
    }
  }

  /** Sends QUIT, and does not wait for the response. */
  quit(): void {
    if (!this.isClosed) this.#client.quit();
    this.close();
  }

  close(): void {
    clearTimeout(this.#deadline);
    this.#client.close();
  }

  #fail(error: Error): void {
    this.#abort(error);
    this.close();
  }

  #call<Result>(start: (done: (error?: Error | null, result?: Result) => void) => void): Promise<Result | undefined> {
    return new Promise((resolve, reject) => {
      this.#abort = reject;
      this.#deadline.refresh();
      this.#countAnew();
      start((error, result) => (error ? reject(error) : resolve(result)));
    });
  }
}

/** nodemailer reads the stream when the server has accepted the envelope. */
const createBody = (content: string, onRead: () => void): Readable =>
  new Readable({
    read() {
      onRead();
      this.push(content);
      this.push(null);
    },
  });

const noResponse = 'The mail server did not answer in time.';

/** Whether the server answered the envelope or the content. 421 before the content ends the connection instead. */
const isResponse = ({ command = '', code, responseCode }: SmtpError) =>
  ['MAIL FROM', 'RCPT TO', 'DATA'].includes(command) && (responseCode !== 421 || code === 'EMESSAGE');

function toOutcome({ command, code, response = '' }: SmtpError): Outcome {
  const line = toLine(response);
  // DATA that is refused before the content is about the envelope.
  const stage = code === 'EMESSAGE' ? 'DATA' : command === 'MAIL FROM' || command === 'RCPT TO' ? command : 'envelope';
  return toRefusal(classifySmtpAnswer(stage, line), redact(line));
}

function describeFailure({ command, response, message, code, timeoutType }: SmtpError): string {
  if (response && command === 'STARTTLS')
    return `The mail server refused STARTTLS: ${toLine(response)} (?tls=never in SMTP_URL sends without encryption.)`;
  if (response)
    return `The mail server refused ${command === 'CONN' ? 'the connection' : command}: ${toLine(response)}`;
  if (timeoutType === 'UPGRADE_TIMEOUT') return 'STARTTLS failed: the TLS handshake did not finish in time.';
  if (timeoutType === 'CONNECT_TIMEOUT') return 'The mail server could not be reached in time.';
  if (code === 'ETIMEDOUT') return noResponse;
  if (/:SSL routines:.*:wrong version number:/.test(message))
    return 'The mail server does not begin with TLS at this port: use smtp://, which upgrades to TLS, in SMTP_URL.';
  return command === 'AUTH XOAUTH2' ? `SMTP_OAUTH_TOKEN_URL gave no access token: ${message}` : message;
}

/** A response of several lines on one, with its code once. */
const toLine = (response: string) => response.replace(/^(\d{3})-/, '$1 ').replace(/\r?\n(?:\d{3}[ -]?)?/g, ' ');
