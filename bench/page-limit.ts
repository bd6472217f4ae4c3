import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';

/**
 * The upper limit for a server on node:http: it sends the same bytes and headers from memory for every request. It
 * reads one header, for the 304.
 */
const { status, headers, notModified, etag } = JSON.parse(readFileSync(process.env.RESPONSE!, 'utf8')) as {
  status: number;
  headers: string[];
  notModified: string[];
  etag: string;
};
const body = readFileSync(process.env.BODY!);

createServer((request, response) => {
  if (request.headers['if-none-match'] === etag) response.writeHead(304, notModified).end();
  else response.writeHead(status, headers).end(body);
}).listen(Number(process.env.PORT), '127.0.0.1');
