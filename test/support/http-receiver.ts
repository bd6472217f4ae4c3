import {
  createServer as createPlain,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import { createServer as createSecure } from 'node:https';
import type { AddressInfo } from 'node:net';
import { certificate } from './certificate.js';

export interface ReceivedRequest {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
  bytes: Buffer;
}

/** A real HTTP server that records requests, and responds with what `respond` returns, or leaves the response to it. */
export async function startReceiver(
  respond: (
    request: ReceivedRequest,
    response: ServerResponse,
  ) => { status?: number; body?: unknown; headers?: Record<string, string> } | undefined = () => ({}),
  isSecure = false,
) {
  const requests: ReceivedRequest[] = [];
  const listen = (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const received = {
        method: request.method!,
        path: request.url!,
        headers: request.headers,
        body: Buffer.concat(chunks).toString(),
        bytes: Buffer.concat(chunks),
      };
      requests.push(received);
      const reply = respond(received, response);
      if (!reply) return;
      const { status = 200, body = 'ok', headers = {} } = reply;
      response.writeHead(status, headers).end(typeof body === 'string' ? body : JSON.stringify(body));
    });
  };
  const server = isSecure ? createSecure(certificate, listen) : createPlain(listen);
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `http${isSecure ? 's' : ''}://127.0.0.1:${port}`,
    requests,
    stop: () => {
      server.closeAllConnections();
      return new Promise<unknown>(done => server.close(done));
    },
  };
}
