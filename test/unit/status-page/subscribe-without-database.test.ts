import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { createFront, unavailable } from '../../../src/server/app.js';
import { KeptPages } from '../../../src/status-page/server/disk-snapshots.js';
import { People } from '../../../src/status-page/subscribe/subscribe-handler.js';
import { PageCache } from '../../../src/status-page/server/page-cache.js';
import { noSender } from '../../../src/subscribers/confirmation-sender.js';
import { wordsOf } from '../../support/rendered-page.js';
import { incident } from '../../support/sample-pages.js';
import { visit } from '../../support/visitor.js';

test('while the database is away, who wants to subscribe or leave is told so, in the look and the language of the page', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'all-clear-'));
  const kept = new KeptPages(folder);
  const { page } = incident.snapshot;
  kept.keep(page.id, { ...incident.snapshot, page: { ...page, locale: 'de', subscriptionOptions: ['email'] } });
  const cache = new PageCache(null, kept);
  const server = createFront(cache, unavailable, new People(noSender));
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done));
  try {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    for (const path of ['/subscribe', '/confirm/x', '/unsubscribe/x', '/preferences'])
      for (const method of ['GET', 'POST']) {
        const seen = await visit(url, `${page.id}.localhost`, path, {
          method,
          headers,
          body: method === 'POST' ? 'email=a@example.com' : '',
        });
        expect([path, seen.status, seen.headers['retry-after']]).toEqual([path, 503, '30']);
        expect(seen.text).toContain('<html lang="de"');
        expect(wordsOf(seen.text)).toContain(page.name);
      }
  } finally {
    await new Promise(done => server.close(done));
    await cache.close();
    rmSync(folder, { recursive: true });
  }
});
