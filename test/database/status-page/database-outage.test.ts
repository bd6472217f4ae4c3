import { mkdtempSync, rmSync } from 'node:fs';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createFront, unavailable } from '../../../src/server/app.js';
import { settings } from '../../../src/core/config.js';
import { type Database, openDatabase } from '../../../src/db/connection.js';
import { watchChanges } from '../../../src/db/change-feed/watch-changes.js';
import { Writer } from '../../../src/records/writer.js';
import { log } from '../../../src/core/logger.js';
import { createNotice } from '../../../src/notices/notice.service.js';
import { setCustomDomain } from '../../../src/custom-domain/custom-domain.service.js';
import { createPage, updatePage } from '../../../src/pages/page.service.js';
import { KeptPages } from '../../../src/status-page/server/disk-snapshots.js';
import { PageCache } from '../../../src/status-page/server/page-cache.js';
import { openTestDatabase } from '../../support/database.js';
import { type Line, lineTo } from '../../support/smtp-client.js';
import { eventually, visit } from '../../support/visitor.js';

/** What serves pages, without the rest of the service: a node of several, over a line to the database that can be cut. */
interface Node {
  url: string;
  cache: PageCache;
  stop(): Promise<void>;
}

const folder = mkdtempSync(join(tmpdir(), 'all-clear-'));
let here: Awaited<ReturnType<typeof openTestDatabase>>;
let line: Line;
let there: Database;
let node: Node;
let page: string;

async function startNode(database: Database | null): Promise<Node> {
  const cache = new PageCache(null, new KeptPages(folder));
  if (database) await cache.open(database);
  const server: Server = createFront(cache, unavailable);
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cache,
    stop: async () => {
      server.closeAllConnections();
      await new Promise(done => server.close(done));
      await cache.close();
    },
  };
}

const look = (path = '/feed.json', by = node) => visit(by.url, `${page}.localhost`, path);

// The embedded database lives in the process: it is never away, and no other process has it.
const onPostgres = process.env.TEST_DATABASE_URL ? describe : describe.skip;

onPostgres('on a database of several processes', () => {
  beforeAll(async () => {
    log.level = 'silent';
    here = await openTestDatabase();
    line = await lineTo(here.url!);
    there = await openDatabase({ databaseUrl: line.url, dataDir: '', databaseConnections: 4 });
    page = await createPage(new Writer(here), { name: 'Meridian' });
    node = await startNode(there);
  });
  afterAll(async () => {
    await node.stop();
    await there.close();
    await line.close();
    await here.close();
    log.level = settings.logLevel;
    rmSync(folder, { recursive: true });
  });

  test('what one process commits is shown by another', async () => {
    expect((await look()).text).toContain('Meridian');
    await updatePage(new Writer(here), page, null, { name: 'Renamed elsewhere' });
    await eventually(
      () => look(),
      ({ text }) => text.includes('Renamed elsewhere'),
    );
  });

  test('marks of changes are kept for as long as somebody may not have heard of them, and no longer', async () => {
    await here.query(
      `insert into page_change (transaction, page_id, created_at) select '1', 'old', clock_timestamp() - interval '11 minutes'`,
    );
    await here.query(
      `insert into page_change (transaction, page_id, created_at) select '1', 'young', clock_timestamp() - interval '9 minutes'`,
    );
    const unwatch = await watchChanges(there, { changed() {}, lost() {}, found() {} });
    await unwatch();
    const marks = await here.query<{ page: string }>(
      `select page_id as page from page_change where page_id in ('old', 'young')`,
    );
    expect(marks).toEqual([{ page: 'young' }]);
  });

  test('without the database pages are shown as they were, with their age, those too that nobody had asked for; and as they are when it is back', async () => {
    const other = await createPage(new Writer(here), { name: 'Never looked at' });
    await eventually(
      async () => ({ status: 0, headers: {}, bytes: Buffer.of(), text: (await new KeptPages(folder).ids()).join() }),
      ({ text }) => text.includes(other) && text.includes(page),
    );
    await look('/');
    line.cut();
    const away = await eventually(
      () => look(),
      ({ headers }) => headers.age !== undefined,
    );
    expect([away.status, JSON.parse(away.text).title]).toEqual([200, expect.stringContaining('Renamed elsewhere')]);
    // What was drawn before is drawn anew, to say it in words.
    await eventually(
      () => look('/'),
      ({ text }) => text.includes('class="stale"') && text.includes('Renamed elsewhere'),
    );
    const unseen = await visit(node.url, `${other}.localhost`, '/feed.json');
    expect([unseen.status, unseen.headers.age]).toEqual([200, expect.stringMatching(/^\d+$/)]);
    expect(unseen.text).toContain('Never looked at');
    expect((await visit(node.url, '00000000.localhost', '/')).status).toBe(503);

    await createNotice(new Writer(here), page, { subject: 'While nobody could look' } as never);
    line.join();
    await eventually(
      () => look(),
      ({ text, headers }) => text.includes('While nobody could look') && headers.age === undefined,
      20_000,
    );
  });

  test('a process that starts without the database shows the pages from the disk, on their domains too', async () => {
    await setCustomDomain(new Writer(here), page, 'status.kept.example');
    await here.query('update custom_domain set verified_at = now() where page_id = $1', [page]);
    await updatePage(new Writer(here), page, null, { name: 'On the disk' });
    await eventually(
      () => look(),
      ({ text }) => text.includes('On the disk') && text.includes('status.kept.example'),
    );
    await node.cache.close();
    const alone = await startNode(null);
    try {
      for (const host of [`${page}.localhost`, 'status.kept.example']) {
        const { status, text, headers } = await visit(alone.url, host, '/feed.json');
        expect([status, headers.age]).toEqual([200, expect.any(String)]);
        expect(text).toContain('On the disk');
      }
    } finally {
      await alone.stop();
    }
  });
});
