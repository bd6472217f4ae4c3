import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Drawing } from '../../src/status-page/server/public-route.js';

/** Serves drawings by their path, the query left aside: what a browser needs, without a database. A second root, `/open`, leaves the policy away. */
export interface DrawingServer {
  url: string;
  show(path: string, draw: (query: Record<string, string>) => Drawing | null): string;
  close(): Promise<void>;
}

export async function serveDrawings(): Promise<DrawingServer> {
  const shown = new Map<string, (query: Record<string, string>) => Drawing | null>();
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url!, 'http://localhost');
    const isOpen = pathname.startsWith('/open/');
    const drawing = shown.get(isOpen ? pathname.slice('/open'.length) : pathname)?.(Object.fromEntries(searchParams));
    if (!drawing) return response.writeHead(404).end();
    const { 'Content-Security-Policy': policy, ...headers } = drawing.headers ?? {};
    response.writeHead(drawing.status ?? 200, {
      'Content-Type': drawing.type,
      ...headers,
      ...(policy && !isOpen && { 'Content-Security-Policy': policy }),
    });
    return response.end(drawing.body);
  });
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    show: (path, draw) => {
      shown.set(path, draw);
      return url + path;
    },
    close: () =>
      new Promise(done => {
        server.closeAllConnections();
        server.close(() => done());
      }),
  };
}
