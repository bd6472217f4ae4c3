import { createServer, type Server, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';

export interface AcceptedMail {
  to: string;
  messageId: string;
  subject: string;
  at: number;
}

/** How the server responds to the n-th attempt for a recipient. Undefined: 250 at once. */
export type Behaviour = (
  to: string,
  attempt: number,
) => { reject?: 'recipient' | 'content'; delayMs?: number } | undefined;

/** An SMTP server with pipelining that records every mail that it accepts. It rejects with 451, so temporarily. */
export class SmtpReceiver {
  readonly accepted: AcceptedMail[] = [];
  /** How often it answered with 451. */
  refused = 0;
  behaviour: Behaviour = () => undefined;
  private readonly attempts = new Map<string, number>();
  private readonly sockets = new Set<Socket>();
  private server!: Server;

  async listen(): Promise<string> {
    this.server = createServer({ noDelay: true }, socket => this.handleConnection(socket));
    await new Promise<void>(done => this.server.listen(0, '127.0.0.1', done));
    return `smtp://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  close(): void {
    for (const socket of this.sockets) socket.destroy();
    this.server.close();
  }

  private handleConnection(socket: Socket): void {
    this.sockets.add(socket);
    socket.on('close', () => this.sockets.delete(socket)).on('error', () => {});
    let buffer = '';
    let content: string[] | null = null;
    let to = '';
    let behaviour: ReturnType<Behaviour>;
    // Replies are sent in the order of the commands, however long each is delayed.
    let lastReply: Promise<unknown> = Promise.resolve();
    const reply = (text: string, delayMs = 0) => {
      lastReply = lastReply.then(async () => {
        if (delayMs) await new Promise(done => setTimeout(done, delayMs));
        if (socket.writable) socket.write(`${text}\r\n`);
      });
    };
    const handleCommand = (line: string) => {
      const command = line.slice(0, 4).toUpperCase();
      if (command === 'EHLO') reply('250-receiver\r\n250-PIPELINING\r\n250-8BITMIME\r\n250 SMTPUTF8');
      else if (command === 'RCPT') {
        to = /<([^>]*)>/.exec(line)![1]!;
        const attempt = (this.attempts.get(to) ?? 0) + 1;
        this.attempts.set(to, attempt);
        behaviour = this.behaviour(to, attempt);
        const isRejected = behaviour?.reject === 'recipient';
        if (isRejected) {
          to = '';
          this.refused += 1;
        }
        reply(isRejected ? '451 4.7.1 Try again later' : '250 OK', isRejected ? behaviour?.delayMs : 0);
      } else if (command === 'DATA') {
        if (to) content = [];
        reply(to ? '354 Go on' : '503 No recipient');
      } else if (command === 'QUIT') {
        reply('221 Bye');
        lastReply = lastReply.then(() => socket.end());
      } else reply('250 OK');
    };
    const handleContent = () => {
      const recipient = to;
      const lines = content!;
      const requested = behaviour;
      content = null;
      to = '';
      const isRejected = requested?.reject === 'content';
      lastReply = lastReply.then(async () => {
        if (requested?.delayMs) await new Promise(done => setTimeout(done, requested.delayMs));
        if (socket.destroyed) return;
        // A mail counts as accepted when the reply is sent, whether or not the client is still there to read it.
        if (isRejected) this.refused += 1;
        else {
          const [messageId, subject] = [findHeader(lines, 'message-id'), findHeader(lines, 'subject')];
          this.accepted.push({ to: recipient, messageId, subject, at: performance.now() });
        }
        socket.write(isRejected ? '451 4.3.0 Try again later\r\n' : '250 Accepted\r\n');
      });
    };
    socket.on('data', chunk => {
      buffer += chunk.toString('latin1');
      const lines = buffer.split('\r\n');
      buffer = lines.pop()!;
      for (const line of lines) {
        if (!content) handleCommand(line);
        else if (line === '.') handleContent();
        else content.push(line);
      }
    });
    reply('220 receiver ESMTP');
  }
}

/** Of a header of one line, without its encoding. */
const findHeader = (lines: string[], name: string) =>
  lines
    .find(line => line.toLowerCase().startsWith(`${name}:`))
    ?.slice(name.length + 1)
    .trim() ?? '';
