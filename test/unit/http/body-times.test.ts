import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { expect, test } from '@jest/globals';
import { BodyTimes } from '../../../src/http/body.js';
import { waitUntil } from '../../support/wait-until-equal.js';

const countTimers = () => process.getActiveResourcesInfo().filter(name => name === 'Timeout').length;

test.each([true, false])(
  'no timer outlives a client that left within its body (answered before: %s)',
  async isAnswered => {
    const bodyTimes = new BodyTimes({ whole: 60_000, pause: 60_000 });
    const server = createServer((request, response) => {
      bodyTimes.limit(request, response);
      if (isAnswered) response.writeHead(401).end();
      else response.writeProcessing();
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const before = countTimers();
    const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
    client.write('POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{');
    await once(client, 'data');
    expect(countTimers()).toBe(before + 1);
    client.destroy();
    await waitUntil(countTimers, count => count <= before);
    await new Promise(done => server.close(done));
  },
);
