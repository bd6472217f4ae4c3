import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from '@jest/globals';
import { UpstreamReader } from '../../../../src/components/upstream/read-upstream.js';

test('a host that does not answer is asked for one format, in the time that all formats have together', async () => {
  let requests = 0;
  const server = createServer(() => {
    requests += 1;
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const reader = new UpstreamReader({ allowPrivate: true, timeoutMs: 1_000 });
  expect(await reader.detect(url, null)).toEqual({ reason: 'No response within 1 s.' });
  expect(requests).toBe(1);
  server.closeAllConnections();
  await new Promise(done => server.close(done));
});
