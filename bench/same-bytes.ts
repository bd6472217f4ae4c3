import { createServer } from 'node:http';

/** The upper limit for a response from memory: node:http that sends the bytes and headers of another response. */
const source = await fetch(process.env.SOURCE!, { headers: { 'Accept-Encoding': 'identity' } });
const body = Buffer.from(await source.arrayBuffer());
const headers = [...source.headers].filter(([name]) => !['date', 'connection', 'keep-alive'].includes(name)).flat();

createServer((_, response) => {
  response.writeHead(200, headers);
  response.end(body);
}).listen(Number(process.env.PORT), '127.0.0.1');
