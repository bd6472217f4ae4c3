import { type AddressInfo, createServer, type Socket } from 'node:net';

/** A mail server that answers line by line as a test says, right or wrong. What it is told after DATA comes as one `content`. */
export async function startScriptedServer(
  answer: (line: string, connection: { number: number; socket: Socket }) => string | null,
) {
  let connections = 0;
  const lines: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer(socket => {
    connections += 1;
    const connection = { number: connections, socket };
    sockets.add(socket);
    socket.on('error', () => {}).on('close', () => sockets.delete(socket));
    let pending = '';
    let inContent = false;
    const say = (line: string) => {
      lines.push(line);
      const said = answer(line, connection);
      if (line === 'DATA' && /^354[^\n]*$/m.test(said ?? '354')) inContent = true;
      if (said !== null && !socket.destroyed) socket.write(`${said}\r\n`);
    };
    socket.on('data', bytes => {
      pending += bytes.toString();
      for (;;) {
        const end = inContent
          ? pending.startsWith('.\r\n')
            ? 0
            : pending.indexOf('\r\n.\r\n') + 2
          : pending.indexOf('\r\n');
        if (end < (inContent && !pending.startsWith('.\r\n') ? 2 : 0)) return;
        const line = inContent ? 'content' : pending.slice(0, end);
        pending = pending.slice(end + (inContent ? 3 : 2));
        inContent = false;
        say(line);
        if (socket.destroyed) return;
      }
    });
    say('hello');
  });
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done));
  return {
    url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    lines,
    get connections() {
      return connections;
    },
    stop: () => {
      for (const socket of sockets) socket.destroy();
      return new Promise<unknown>(done => server.close(done));
    },
  };
}

/** What a server says that has nothing to say against anything. */
export function defaultReply(line: string, offers: string[] = ['PIPELINING']): string {
  if (line === 'hello') return '220 here';
  if (line.startsWith('EHLO'))
    return ['here', ...offers].map((text, index) => `250${index < offers.length ? '-' : ' '}${text}`).join('\r\n');
  if (line === 'DATA') return '354 go on';
  if (line === 'QUIT') return '221 bye';
  return '250 fine';
}
