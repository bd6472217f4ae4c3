import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Database } from '../../../src/db/database.js';
import { openServiceDatabase } from '../../../src/server/open-database.js';
import { createTestSettings } from '../../support/settings.js';
import { Writer } from '../../../src/records/writer.js';
import { createNotice } from '../../../src/notices/notice.service.js';
import { setCustomDomain } from '../../../src/pages/custom-domain/custom-domain.service.js';
import { createPage, updatePage } from '../../../src/pages/page.service.js';
import { openTestDatabase } from '../../support/database.js';
import { createDiskSnapshots, type PageServer, startPageServer } from '../../support/page-server.js';
import { type TcpProxy, startTcpProxy } from '../../support/tcp-proxy.js';
import { waitForResponse, requestPage } from '../../support/visitor.js';

const folder = mkdtempSync(join(tmpdir(), 'all-clear-'));
let directDatabase: Awaited<ReturnType<typeof openTestDatabase>>;
let line: TcpProxy;
let cutDatabase: Database;
let node: PageServer;
let page: string;

/** One of several processes that serve pages, over a connection to the database that can be cut. */
const startNode = (database?: Database) => startPageServer({ database, diskSnapshots: createDiskSnapshots(folder) });

const getPage = (path = '/feed.json', by = node) => requestPage(by.url, `${page}.localhost`, path);

// The embedded database runs in the process: it has no outages and no other clients.
const onPostgres = process.env.TEST_DATABASE_URL ? describe : describe.skip;

onPostgres('pages during a database outage', () => {
  beforeAll(async () => {
    directDatabase = await openTestDatabase();
    line = await startTcpProxy(directDatabase.url!);
    cutDatabase = await openServiceDatabase(
      createTestSettings({ databaseUrl: line.url, databaseConnections: 4 }),
      directDatabase.log,
    );
    page = await createPage(new Writer(directDatabase), { name: 'Meridian' });
    node = await startNode(cutDatabase);
  });
  afterAll(async () => {
    await node.stop();
    await cutDatabase.close();
    await line.close();
    await directDatabase.close();
    rmSync(folder, { recursive: true });
  });

  test('show what another process committed', async () => {
    expect((await getPage()).text).toContain('Meridian');
    await updatePage(new Writer(directDatabase), page, null, { name: 'Renamed elsewhere' });
    await waitForResponse(
      () => getPage(),
      ({ text }) => text.includes('Renamed elsewhere'),
    );
  });

  test('are served stale with their age, even if never requested before, until the database is back', async () => {
    const other = await createPage(new Writer(directDatabase), { name: 'Never requested' });
    await waitForResponse(
      async () => ({
        status: 0,
        headers: {},
        bytes: Buffer.of(),
        text: (await createDiskSnapshots(folder).pageIds()).join(),
      }),
      ({ text }) => text.includes(other) && text.includes(page),
    );
    await getPage('/');
    line.disconnect();
    const stale = await waitForResponse(
      () => getPage(),
      ({ headers }) => headers.age !== undefined,
    );
    expect([stale.status, JSON.parse(stale.text).title]).toEqual([200, expect.stringContaining('Renamed elsewhere')]);
    // A cached page is rendered again, to show the warning.
    await waitForResponse(
      () => getPage('/'),
      ({ text }) => text.includes('class="stale"') && text.includes('Renamed elsewhere'),
    );
    const neverRequested = await requestPage(node.url, `${other}.localhost`, '/feed.json');
    expect([neverRequested.status, neverRequested.headers.age]).toEqual([200, expect.stringMatching(/^\d+$/)]);
    expect(neverRequested.text).toContain('Never requested');
    expect((await requestPage(node.url, '00000000.localhost', '/')).status).toBe(503);

    await createNotice(new Writer(directDatabase), page, { subject: 'Written during the outage' } as never);
    line.reconnect();
    await waitForResponse(
      () => getPage(),
      ({ text, headers }) => text.includes('Written during the outage') && headers.age === undefined,
      20_000,
    );
  });

  test('say since when while the connection is silent, and are up to date when it is back', async () => {
    line.silence();
    const silent = await waitForResponse(
      () => getPage(),
      ({ headers }) => headers.age !== undefined,
      20_000,
    );
    expect(silent.status).toBe(200);
    await createNotice(new Writer(directDatabase), page, { subject: 'Written during the silence' } as never);
    line.resume();
    await waitForResponse(
      () => getPage(),
      ({ text, headers }) => text.includes('Written during the silence') && headers.age === undefined,
      20_000,
    );
  });

  test('are served from the disk by a process that starts without the database, also on custom domains', async () => {
    await setCustomDomain(new Writer(directDatabase), { baseHost: 'localhost' }, page, 'status.saved.example');
    await directDatabase.query('update custom_domain set verified_at = now() where page_id = $1', [page]);
    await updatePage(new Writer(directDatabase), page, null, { name: 'On the disk' });
    await waitForResponse(
      () => getPage(),
      ({ text }) => text.includes('On the disk') && text.includes('status.saved.example'),
    );
    await node.pages.close();
    const alone = await startNode();
    try {
      for (const host of [`${page}.localhost`, 'status.saved.example']) {
        const { status, text, headers } = await requestPage(alone.url, host, '/feed.json');
        expect([status, headers.age]).toEqual([200, expect.any(String)]);
        expect(text).toContain('On the disk');
      }
      // The process runs, and refuses everything else.
      const statuses = { '/healthz': 200, '/healthz/pages': 200, '/readyz': 503, '/v1/hello': 503 };
      for (const [path, expected] of Object.entries(statuses))
        expect([path, (await requestPage(alone.url, 'localhost', path)).status]).toEqual([path, expected]);
    } finally {
      await alone.stop();
    }
  });
});
