import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { SubscribeHandler } from '../../../../src/status-page/subscribe/subscribe-handler.js';
import { createLogger } from '../../../../src/core/logger.js';
import { RateLimiter } from '../../../../src/http/rate-limit.js';
import { unconfiguredSender } from '../../../../src/subscribers/confirmation-sender.js';
import { createDiskSnapshots, startPageServer } from '../../../support/page-server.js';
import { visibleText } from '../../../support/rendered-page.js';
import { incident } from '../../../support/sample-pages.js';
import { createTestSettings } from '../../../support/settings.js';
import { requestPage } from '../../../support/visitor.js';

test('subscription pages answer 503 in the language of the page while the database is unavailable', async () => {
  const settings = createTestSettings();
  const directory = mkdtempSync(join(tmpdir(), 'all-clear-'));
  const diskSnapshots = createDiskSnapshots(directory);
  const { page } = incident.snapshot;
  diskSnapshots.save(page.id, {
    ...incident.snapshot,
    page: { ...page, locale: 'de', subscriptionOptions: ['email'] },
  });
  const uncachedRoutes = new SubscribeHandler({
    sender: unconfiguredSender,
    rateLimiter: new RateLimiter(settings),
    settings,
    log: createLogger('silent'),
  });
  const server = await startPageServer({ diskSnapshots, uncachedRoutes });
  try {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    for (const path of ['/subscribe', '/confirm/x', '/unsubscribe/x', '/preferences'])
      for (const method of ['GET', 'POST']) {
        const response = await requestPage(server.url, `${page.id}.localhost`, path, {
          method,
          headers,
          body: method === 'POST' ? 'email=a@example.com' : '',
        });
        expect([path, response.status, response.headers['retry-after']]).toEqual([path, 503, '30']);
        expect(response.text).toContain('<html lang="de"');
        expect(visibleText(response.text)).toContain(page.name);
      }
  } finally {
    await server.stop();
    rmSync(directory, { recursive: true });
  }
});
