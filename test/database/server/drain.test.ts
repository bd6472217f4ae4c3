import { expect, test } from '@jest/globals';
import { useOwnService } from '../../support/service.js';

const service = useOwnService({ drainSeconds: 60 });

test('a service that drains is not ready, serves requests, and keeps no connection', async () => {
  const ready = await service.get('/readyz');
  expect([ready.status, ready.text, ready.headers.get('connection')]).toEqual([200, 'ready\n', 'keep-alive']);
  expect((await service.get('/healthz/pages')).status).toBe(200);
  void service.drain();
  const draining = await service.get('/readyz');
  expect([draining.status, draining.text]).toEqual([503, 'stopping\n']);
  const ofStranger = await service.get('/readyz', { headers: { 'X-Forwarded-For': '203.0.113.7' } });
  expect([ofStranger.status, ofStranger.text]).toEqual([503, 'not ready\n']);
  expect((await service.get('/healthz/pages')).status).toBe(503);
  for (const path of ['/v1/hello', '/healthz', '/nothing']) {
    const { status, headers } = await service.get(path);
    expect([status, headers.get('connection')]).toEqual([path === '/nothing' ? 404 : 200, 'close']);
  }
});
