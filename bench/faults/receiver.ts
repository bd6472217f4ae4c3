import { createServer, type Server, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';

export interface Taken {
  to: string;
  messageId: string;
  at: number;
}

/** What the receiver says to a recipient at the so-maniest time, and after how long; nothing is 250 at once. */
export type Manners = (to: string, times: number) => { refuse?: 'recipient' | 'content'; after?: number } | undefined;

/** The other side of mail: speaks SMTP with pipelining, and remembers everything that it took. What it refuses it refuses for now, by 451. */
export class Receiver {
  readonly taken: Taken[] = [];
  manners: Manners = () => undefined;
  private readonly times = new Map<string, number>();
  private readonly sockets = new Set<Socket>();
  private server!: Server;

  async listen(): Promise<string> {
    this.server = createServer({ noDelay: true }, socket => this.converse(socket));
    await new Promise<void>(done => this.server.listen(0, '127.0.0.1', done));
    return `smtp://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  close(): void {
    for (const socket of this.sockets) socket.destroy();
    this.server.close();
  }

  forget(): void {
    this.taken.length = 0;
    this.times.clear();
  }

  private converse(socket: Socket): void {
    this.sockets.add(socket);
    socket.on('close', () => this.sockets.delete(socket)).on('error', () => {});
    let waiting = '';
    let content: string[] | null = null;
    let to = '';
    let manner: ReturnType<Manners>;
    // Answers go out in the order of the commands, whatever each waits for.
    let last: Promise<unknown> = Promise.resolve();
    const say = (text: string, after = 0) => {
      last = last.then(async () => {
        if (after) await new Promise(done => setTimeout(done, after));
        if (socket.writable) socket.write(`${text}\r\n`);
      });
    };
    const command = (line: string) => {
      const verb = line.slice(0, 4).toUpperCase();
      if (verb === 'EHLO') say('250-receiver\r\n250-PIPELINING\r\n250-8BITMIME\r\n250 SMTPUTF8');
      else if (verb === 'RCPT') {
        to = /<([^>]*)>/.exec(line)![1]!;
        const times = (this.times.get(to) ?? 0) + 1;
        this.times.set(to, times);
        manner = this.manners(to, times);
        const refused = manner?.refuse === 'recipient';
        if (refused) to = '';
        say(refused ? '451 4.7.1 Try again later' : '250 OK', refused ? manner?.after : 0);
      } else if (verb === 'DATA') {
        if (to) content = [];
        say(to ? '354 Go on' : '503 No recipient');
      } else if (verb === 'QUIT') {
        say('221 Bye');
        last = last.then(() => socket.end());
      } else say('250 OK');
    };
    const ended = () => {
      const [recipient, lines, asked] = [to, content!, manner];
      content = null;
      to = '';
      const refused = asked?.refuse === 'content';
      last = last.then(async () => {
        if (asked?.after) await new Promise(done => setTimeout(done, asked.after));
        if (socket.destroyed) return;
        // What is taken is taken once the answer is on its way, whether or not somebody is there to hear it.
        if (!refused) this.taken.push({ to: recipient, messageId: messageIdOf(lines), at: performance.now() });
        socket.write(refused ? '451 4.3.0 Try again later\r\n' : '250 Taken\r\n');
      });
    };
    socket.on('data', chunk => {
      waiting += chunk.toString('latin1');
      const lines = waiting.split('\r\n');
      waiting = lines.pop()!;
      for (const line of lines) {
        if (!content) command(line);
        else if (line === '.') ended();
        else content.push(line);
      }
    });
    say('220 receiver ESMTP');
  }
}

const messageIdOf = (lines: string[]) =>
  lines.find(line => /^message-id:/i.test(line))?.replace(/^message-id:\s*/i, '') ?? '';
