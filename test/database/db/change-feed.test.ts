import { once } from 'node:events';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { ChangeFeed } from '../../../src/db/change-feed.js';
import { ChangeReader } from '../../../src/db/change-reader.js';
import { type PageChange, parseChangeKey } from '../../../src/db/committed-changes.js';
import type { Database } from '../../../src/db/database.js';
import { inTransaction } from '../../../src/db/transaction.js';
import { deletePage } from '../../../src/pages/delete-page.js';
import { createPage, updatePage } from '../../../src/pages/page.service.js';
import { Writer } from '../../../src/records/writer.js';
import { openServiceDatabase } from '../../../src/server/open-database.js';
import { openTestDatabase } from '../../support/database.js';
import { createTestSettings } from '../../support/settings.js';
import { withProcessClock } from '../../support/process-clock.js';
import { propertyRuns } from '../../support/property-runs.js';

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

onPostgres('a database that went silent is reported while the clock of the machine is set back', async () => {
  const other = await openServiceDatabase(createTestSettings({ databaseUrl: database.url! }), database.log);
  let isSilent = false;
  const query: Database['query'] = (...statement) => (isSilent ? new Promise(() => {}) : other.query(...statement));
  const otherFeed = await ChangeFeed.open({ ...other, query, listen: () => ({ query, stop() {} }) });
  try {
    isSilent = true;
    const past = new Date(Date.now() - 3_600_000);
    const [since] = await withProcessClock(past, () => once(otherFeed, 'connectionLost'));
    expect(since.getTime()).toBeLessThan(past.getTime());
  } finally {
    await otherFeed.close();
    await other.close();
  }
});

/** Begins a transaction that changes a page, and returns once it has inserted the change: its commit waits for `commit`. */
async function beginChange(pageId: string): Promise<() => Promise<void>> {
  const inserted = Promise.withResolvers<void>();
  const permitted = Promise.withResolvers<void>();
  const connect = async () => {
    const client = await database.connect();
    const query = async (statement: never) => {
      if (statement === 'commit') {
        inserted.resolve();
        await permitted.promise;
      }
      return client.query(statement);
    };
    return Object.assign(Object.create(client), { query, release: () => client.release() });
  };
  const committed = inTransaction({ ...database, connect }, async em => em.pending.pageIds.add(pageId));
  await Promise.race([inserted.promise, committed]);
  return async () => {
    permitted.resolve();
    await committed;
  };
}

/** Opens and commits transactions of five pages in any order, with reads in between. */
const createProperty = (pageIds: string[], overlap?: number) =>
  fc.asyncProperty(
    fc.array(fc.oneof(fc.constant('read' as const), fc.nat(pageIds.length - 1)), { minLength: 5, maxLength: 30 }),
    async steps => {
      const reader = new ChangeReader(database.query, overlap);
      await reader.read();
      const emitted: PageChange[] = [];
      const read = async () => void emitted.push(...(await reader.read()).map(parseChangeKey));
      const committed: PageChange[] = [];
      const open = new Map<string, () => Promise<void>>();
      const commit = async (pageId: string) => {
        await open.get(pageId)!();
        open.delete(pageId);
        committed.push(
          ...(await database.query<PageChange>(
            'select id as "pageId", change_count as "changeCount" from page where id = $1',
            [pageId],
          )),
        );
      };
      for (const step of steps) {
        const id = pageIds[Number(step)];
        if (!id) await read();
        else if (open.has(id)) await commit(id);
        else open.set(id, await beginChange(id));
      }
      for (const id of open.keys()) await commit(id);
      await read();
      expect(emitted).toEqual(expect.arrayContaining(committed));
    },
  );

onPostgres(
  'every commit is read, in whichever order transactions begin and end, but for a reader without an overlap',
  async () => {
    const pageIds = await Promise.all(['A', 'B', 'C', 'D', 'E'].map(name => createPage(write, { name })));
    await fc.assert(createProperty(pageIds), propertyRuns(50));
    await expect(fc.assert(createProperty(pageIds, 0), { numRuns: 50 })).rejects.toThrow('Property failed');
  },
);
