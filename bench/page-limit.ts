import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';

/** What no server on node:http can beat: the same bytes and headers from memory, whatever is asked. It looks at one header, for the 304. */
const { status, headers, notModified, etag } = JSON.parse(readFileSync(process.env.ANSWER!, 'utf8')) as {
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
