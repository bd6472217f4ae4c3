import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, test } from '@jest/globals';
import { createPage } from '../../support/factories.js';
import { startTestService } from '../../support/service.js';

test('a service has no more connections than MAX_CONNECTIONS, and answers pipelined requests in order', async () => {
  const service = await startTestService({ maxConnections: 5 });
  const page = await createPage(service);
  const port = Number(new URL(service.url).port);
  const request = (path: string) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`;
  const clients = [];
  try {
    const client = connect(port, '127.0.0.1');
    clients.push(client);
    let received = '';
    client.on('data', data => (received += data));
    client.write(request('/v1/pages') + request(`/status/${page.id}/`) + request('/nope'));
    while (!received.includes('Not found.')) await once(client, 'data');
    expect(received.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 401', 'HTTP/1.1 200', 'HTTP/1.1 404']);

    // Connections of `fetch` may be open besides.
    let isRefused = false;
    for (let count = 0; count < 5; count += 1) {
      const other = connect(port, '127.0.0.1');
      clients.push(other);
      other.on('error', () => {}).on('close', () => (isRefused = true));
      other.resume();
      await once(other, 'connect');
    }
    for (let tries = 0; !isRefused && tries < 1_000; tries += 1) await new Promise(done => setTimeout(done, 10));
    expect(isRefused).toBe(true);
    expect(client.destroyed).toBe(false);
  } finally {
    for (const client of clients) client.destroy();
    await service.stop();
  }
});
