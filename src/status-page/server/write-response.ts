import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Encoding } from '../../http/content-encoding.js';
import { matchesEtag } from '../../http/etag.js';
import type { CompressedResponse } from './compressed-response.js';

/** `readAt` is null unless the page may be out of date: then an Age header says how old it is, as a cache would. */
export function writeCachedResponse(
  request: IncomingMessage,
  response: ServerResponse,
  { status, variants }: CompressedResponse,
  encoding: Encoding,
  readAt: string | null,
): void {
  const variant = variants[encoding];
  const age = readAt ? ['Age', String(Math.max(0, Math.round((Date.now() - Date.parse(readAt)) / 1000)))] : [];
  if (status === 200 && matchesEtag(request.headers['if-none-match'], variant.etag)) {
    const headers = variant.notModifiedHeaders;
    response.writeHead(304, age.length ? [...headers, ...age] : headers).end();
    return;
  }
  response.writeHead(status, age.length ? [...variant.headers, ...age] : variant.headers);
  if (request.method === 'HEAD') response.end();
  else response.end(variant.body);
}

/** Browsers name HTML; programs that follow a broken link get one line of text. */
export const acceptsHtml = ({ headers }: IncomingMessage): boolean => headers.accept?.includes('text/html') ?? false;

/** A response of the service itself. Its headers can name another type. */
export function writePlainText(
  response: ServerResponse,
  status: number,
  text: string,
  headers: Record<string, string> = {},
): void {
  if (response.headersSent) return void response.destroy();
  response.writeHead(status, {
    'Content-Type': 'text/plain; charset=utf-8',
    'X-Content-Type-Options': 'nosniff',
    'Access-Control-Allow-Origin': '*',
    'Cache-Control': 'no-cache',
    ...headers,
  });
  response.end(response.req.method === 'HEAD' ? undefined : text);
}

/** All request headers are allowed: the responses are public, and depend on none that a script may set. */
export function writeOptions(request: IncomingMessage, response: ServerResponse): void {
  const headers = {
    'Access-Control-Allow-Origin': '*',
    'Access-Control-Allow-Methods': 'GET, HEAD, OPTIONS',
    'Access-Control-Allow-Headers': request.headers['access-control-request-headers'] ?? 'If-None-Match',
    'Access-Control-Max-Age': '600',
  };
  response.writeHead(204, headers).end();
}
