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

/** What was read last: one for all, since each read is handled before the next. */
const buffer = Buffer.alloc(64 * 1024);
const [newline, d] = Buffer.from('\nd');

/** Reads without streams: a stream takes longer to read an event than the service to send it. */
function open(): Promise<void> {
  return new Promise((done, fail) => {
    const onread = {
      buffer,
      callback: (length: number) => {
        done();
        // The event that a stream begins with has an id and no data.
        const start = buffer.subarray(0, length).lastIndexOf('id: ');
        const end = buffer.indexOf(newline!, start);
        if (start < 0 || end + 1 >= length || buffer[end + 1] !== d) return true;
        const id = buffer.toString('latin1', start + 4, end);
        const times = arrivals.get(id) ?? [];
        arrivals.set(id, times);
        if (times.push(Date.now()) === count) process.send!({ id, times });
        return true;
      },
    };
    const socket = connect({ host: hostname, port: Number(port), onread }, () => socket.write(request));
    sockets.push(socket);
    socket.on('error', fail);
  });
}

for (let opened = 0; opened < count; opened += atOnce)
  await Promise.all(Array.from({ length: Math.min(atOnce, count - opened) }, open));
process.send!({ isOpen: true });
process.on('disconnect', () => process.exit());
