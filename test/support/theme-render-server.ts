import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { RenderedResponse } from '../../src/status-page/routing/public-route.js';

/** Serves rendered responses to a browser, without a database. Below `/open`, without their Content-Security-Policy. */
export interface RenderServer {
  url: string;
  serve(path: string, render: (query: Record<string, string>) => RenderedResponse | null): string;
  close(): Promise<void>;
}

export async function startRenderServer(): Promise<RenderServer> {
  const routes = new Map<string, (query: Record<string, string>) => RenderedResponse | null>();
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url!, 'http://localhost');
    const isOpen = pathname.startsWith('/open/');
    const rendered = routes.get(isOpen ? pathname.slice('/open'.length) : pathname)?.(Object.fromEntries(searchParams));
    if (!rendered) return response.writeHead(404).end();
    const { 'Content-Security-Policy': policy, ...headers } = rendered.headers ?? {};
    response.writeHead(rendered.status ?? 200, {
      'Content-Type': rendered.type,
      ...headers,
      ...(policy && !isOpen && { 'Content-Security-Policy': policy }),
    });
    return response.end(rendered.body);
  });
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    serve: (path, render) => {
      routes.set(path, render);
      return url + path;
    },
    close: () =>
      new Promise(done => {
        server.closeAllConnections();
        server.close(() => done());
      }),
  };
}
