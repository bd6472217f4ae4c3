import { type AddressInfo, createServer, type Socket } from 'node:net';

/**
 * A mail server whose replies are chosen by the test, line by line. `reply` also gets `hello` for a new connection, and
 * `content` for everything after DATA; null sends nothing.
 */
export async function startScriptedServer(
  reply: (line: string, connection: { number: number; socket: Socket }) => string | null,
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
    const handleLine = (line: string) => {
      lines.push(line);
      const text = reply(line, connection);
      if (line === 'DATA' && /^354[^\n]*$/m.test(text ?? '354')) inContent = true;
      if (text !== null && !socket.destroyed) socket.write(`${text}\r\n`);
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
        handleLine(line);
        if (socket.destroyed) return;
      }
    });
    handleLine('hello');
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

/** The replies of a server that accepts everything. */
export function defaultReply(line: string, offers: string[] = ['PIPELINING']): string {
  if (line === 'hello') return '220 here';
  if (line.startsWith('EHLO'))
    return ['here', ...offers].map((text, index) => `250${index < offers.length ? '-' : ' '}${text}`).join('\r\n');
  if (line === 'DATA') return '354 go on';
  if (line === 'QUIT') return '221 bye';
  return '250 fine';
}
