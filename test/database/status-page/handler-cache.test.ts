import type { IncomingMessage, ServerResponse } from 'node:http';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { servePages } from '../../../src/status-page/server/handler.js';
import { PageCache } from '../../../src/status-page/server/page-cache.js';
import { startTestService, type TestService } from '../../support/service.js';

let service: TestService;
let cache: PageCache;
beforeAll(async () => {
  service = await startTestService();
  cache = new PageCache(service.database, null);
  await cache.open(service.database);
});
afterAll(async () => {
  await cache.close();
  await service.stop();
});

test('Of the addresses that visitors make up no more is remembered than is kept of their answers', async () => {
  const page = (await service.post('/v1/pages', { name: 'Acme' })).json.response.id;
  const host = `${page}.localhost`;
  const answer = servePages(cache, () => {});
  const ask = (url: string) =>
    new Promise<number>(done => {
      const request = { method: 'GET', url, headers: { host }, rawHeaders: ['Host', host] };
      let status = 0;
      const response = {
        req: request,
        writeHead(code: number) {
          status = code;
          return this;
        },
        end: () => done(status),
      };
      answer(request as unknown as IncomingMessage, response as unknown as ServerResponse);
    });
  const statuses = new Set<number>();
  for (let index = 0; index < 20_100; index++) statuses.add(await ask(`/?made-up=${index}`));
  expect([...statuses]).toEqual([200]);
  const { words } = (await cache.site(page))!;
  expect(words.size).toBeGreaterThan(1_000);
  expect(words.size).toBeLessThanOrEqual(20_000);
  expect(words).toContain(`${host} /?made-up=20099`);
});
