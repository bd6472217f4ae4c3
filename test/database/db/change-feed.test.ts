import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { ChangeFeed } from '../../../src/db/change-feed.js';
import type { PageChange } from '../../../src/db/committed-changes.js';
import type { Database } from '../../../src/db/database.js';
import { deletePage, createPage, updatePage } from '../../../src/pages/page.service.js';
import { Writer } from '../../../src/records/writer.js';
import { openServiceDatabase } from '../../../src/server/open-database.js';
import { openTestDatabase } from '../../support/database.js';
import { createTestSettings } from '../../support/settings.js';

let database: Database & { url: string | null };
let feed: ChangeFeed;
let write: Writer;
beforeAll(async () => {
  database = await openTestDatabase();
  feed = await ChangeFeed.open(database);
  write = new Writer(database);
});
afterAll(async () => {
  await feed.close();
  await database.close();
});

/** The change counts of a page that a feed emits while `work` runs, up to the last one. */
async function collect(from: ChangeFeed, pageId: string, last: number | null, work: () => Promise<unknown>) {
  const counts: (number | null)[] = [];
  const arrived = new Promise<void>(done => {
    from.on('changed', function add(change: PageChange) {
      if (change.pageId !== pageId) return;
      counts.push(change.changeCount);
      if (change.changeCount !== last) return;
      from.off('changed', add);
      done();
    });
  });
  await work();
  await arrived;
  return counts;
}
const rename = (id: string, name: string) => updatePage(write, id, null, { name });

test('a page counts its changes in the order of the commits, concurrent ones too, and has none once it is deleted', async () => {
  const id = await createPage(write, { name: 'Counted' });
  const counts = await collect(feed, id, null, async () => {
    await rename(id, 'One');
    await Promise.all(['Two', 'Three', 'Four'].map(name => rename(id, name)));
    await deletePage(write, id, null);
  });
  expect(counts).toEqual([2, 3, 4, 5, null]);
});

test('a refused write counts nothing', async () => {
  const id = await createPage(write, { name: 'Counted' });
  const counts = await collect(feed, id, 2, async () => {
    await expect(rename(id, '')).rejects.toThrow();
    await rename(id, 'One');
  });
  expect(counts).toEqual([2]);
});

// The embedded database has one process.
const onPostgres = process.env.TEST_DATABASE_URL ? test : test.skip;

onPostgres('another process sees each change with its count', async () => {
  const id = await createPage(write, { name: 'Seen' });
  const other = await openServiceDatabase(createTestSettings({ databaseUrl: database.url! }), database.log);
  const otherFeed = await ChangeFeed.open(other);
  try {
    const counts = await collect(otherFeed, id, null, async () => {
      await rename(id, 'One');
      await rename(id, 'Two');
      await deletePage(write, id, null);
    });
    expect([...new Set(counts)]).toEqual([2, 3, null]);
  } finally {
    await otherFeed.close();
    await other.close();
  }
});

onPostgres('another process sees a change whose notification is lost', async () => {
  const id = await createPage(write, { name: 'Polled' });
  const other = await openServiceDatabase(createTestSettings({ databaseUrl: database.url! }), database.log);
  const otherFeed = await ChangeFeed.open({ ...other, listen: () => ({ query: other.query, stop() {} }) });
  try {
    expect(await collect(otherFeed, id, 2, () => rename(id, 'One'))).toContain(2);
  } finally {
    await otherFeed.close();
    await other.close();
  }
});
