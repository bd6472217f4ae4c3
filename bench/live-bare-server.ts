import { createServer, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

const sockets: Socket[] = [];
let sent = 0;

const open = (response: ServerResponse) => {
  response.removeHeader('Transfer-Encoding');
  response.writeHead(200, { 'Content-Type': 'text/event-stream; charset=utf-8', 'Cache-Control': 'no-store' });
  response.write('retry: 1000\n\n');
  sockets.push(response.socket!);
};

/**
 * The upper limit for a server on node:http: it keeps the streams of GET /events open, and POST /events writes the same
 * bytes to all of their sockets. It checks no request.
 */
createServer((request, response) => {
  if (request.method === 'GET' && request.url === '/events') return open(response);
  const sentAt = Date.now();
  if (request.method === 'POST') {
    const event = Buffer.from(`id: ${++sent}\ndata: {}\n\n`);
    for (const socket of sockets) socket.write(event);
  }
  response.end(JSON.stringify({ sentAt }));
}).listen(Number(process.env.PORT), '127.0.0.1');
