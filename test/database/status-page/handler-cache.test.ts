import type { IncomingMessage, ServerResponse } from 'node:http';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { ChangeFeed } from '../../../src/db/change-feed.js';
import { createPageHandler } from '../../../src/status-page/server/handler.js';
import type { PageLoader } from '../../../src/status-page/server/page-loader.js';
import { createPageOptions } from '../../support/page-server.js';
import { createPage } from '../../support/factories.js';
import { startTestService, type TestService } from '../../support/service.js';

const options = createPageOptions();
let service: TestService;
let pages: PageLoader;
let feed: ChangeFeed;
beforeAll(async () => {
  service = await startTestService();
  pages = options.pages;
  feed = await ChangeFeed.open(service.database);
  await pages.open(service.database, feed);
});
afterAll(async () => {
  await feed.close();
  await pages.close();
  await service.stop();
});

test('the handler cache stays bounded when clients request made-up URLs', async () => {
  const page = (await createPage(service)).id;
  const host = `${page}.localhost`;
  const handle = createPageHandler({ ...options, next: () => {} });
  const request = (url: string) =>
    new Promise<number>(done => {
      const message = {
        method: 'GET',
        url,
        headers: { host },
        rawHeaders: ['Host', host],
        socket: { remoteAddress: '127.0.0.1' },
      };
      let status = 0;
      const response = {
        req: message,
        writeHead(code: number) {
          status = code;
          return this;
        },
        end: () => done(status),
      };
      handle(message as unknown as IncomingMessage, response as unknown as ServerResponse);
    });
  const statuses = new Set<number>();
  for (let index = 0; index < 20_100; index++) statuses.add(await request(`/?made-up=${index}`));
  expect([...statuses]).toEqual([200]);
  const isCached = (index: number) => pages.store.findRequest(`${host} /?made-up=${index}`) !== undefined;
  const cachedCount = Array.from({ length: 20_100 }, (_, index) => isCached(index)).filter(Boolean).length;
  expect(cachedCount).toBeGreaterThan(500);
  expect(cachedCount).toBeLessThanOrEqual(20_000);
  expect(isCached(20_099)).toBe(true);
});
