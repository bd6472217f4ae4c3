import { connect, type Socket } from 'node:net';

/**
 * Watches a page over many connections, in a process of its own: `WATCHERS` sockets that each request the event stream at
 * `URL`. Tells its parent when all are open, and for each event when it arrived at each socket.
 */
const { hostname, port, pathname } = new URL(process.env.URL!);
const count = Number(process.env.WATCHERS);
const request = `GET ${pathname} HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n`;
/** Connections that are opened at once. */
const atOnce = 100;

const arrivals = new Map<string, number[]>();
const sockets: Socket[] = [];

function open(): Promise<void> {
  return new Promise((done, fail) => {
    const socket = connect({ host: hostname, port: Number(port) }, () => socket.write(request));
    sockets.push(socket);
    socket.on('error', fail);
    socket.on('data', chunk => {
      done();
      // The event that a stream begins with has an id and no data.
      const id = /^id: (\S+)\ndata:/m.exec(chunk.toString('latin1'))?.[1];
      if (!id) return;
      const times = arrivals.get(id) ?? [];
      arrivals.set(id, times);
      if (times.push(Date.now()) === count) process.send!({ id, times });
    });
  });
}

for (let opened = 0; opened < count; opened += atOnce)
  await Promise.all(Array.from({ length: Math.min(atOnce, count - opened) }, open));
process.send!({ isOpen: true });
process.on('disconnect', () => process.exit());
