import { createWriteStream } from 'node:fs';
import { expect, test } from '@jest/globals';
import { inSnapshot } from '../../../../src/db/backup/digest.js';
import type { RunQuery } from '../../../../src/db/prepared-statements.js';
import { withHeldRecords } from '../../../../src/transfer/archive/held-records.js';
import { exportArchive, writeArchive } from '../../../../src/transfer/archive/export-archive.js';
import { countAtOnce } from '../../../../src/transfer/archive/kind.js';
import { fileKinds, kinds } from '../../../../src/transfer/archive/kinds.js';
import { compileSelect } from '../../../../src/transfer/archive/statements.js';
import { createPageOfAllKinds, readFiles, useArchives } from '../../../support/archives.js';
import { createPage } from '../../../support/factories.js';
import { useOwnService } from '../../../support/service.js';
import { withChannels } from '../../../support/settings.js';

const service = useOwnService(withChannels);
const archives = useArchives();

test('an export has few long texts in its memory at once', async () => {
  const { id } = await createPage(service, { name: 'Long' });
  await service.database.query(
    `insert into component (page_id, name, position, description, created_at, updated_at)
     select $1, 'API', number, repeat('x', 65535), now(), now() from generate_series(1, 100) number`,
    [id],
  );
  let total = 0;
  let longest = 0;
  const path = archives.newPath();
  await inSnapshot(service.database, async run => {
    const counted: RunQuery = async (text, values) => {
      const rows = await run(text, values);
      const { length } = JSON.stringify(rows);
      total += length;
      longest = Math.max(longest, length);
      return rows as never[];
    };
    await writeArchive(counted, createWriteStream(path), { pageIds: [id] });
  });
  expect(total).toBeGreaterThan(6_000_000);
  expect(longest).toBeLessThan(2_000_000);
});

test('records of numbers and ids are read a thousand at once, those with texts twenty, and with images four', () => {
  const chosen = ['metric-values', 'subscriber-components', 'template-components', 'notices', 'subscribers', 'images'];
  expect(chosen.map(name => countAtOnce(kinds[name]!))).toEqual([1_000, 1_000, 1_000, 20, 20, 4]);
});

test('what an export of the embedded database reads is of one moment, and others write meanwhile', async () => {
  const id = await createPageOfAllKinds(service);
  const kept = fileKinds.filter(([, { isOptional }]) => !isOptional);
  const expected = new Map<string, string[]>();
  await inSnapshot(service.database, async run => {
    for (const [name, kind] of kept) {
      const rows = await run<{ line: string }>(compileSelect(kind, false), [[id]]);
      expected.set(
        name,
        rows.map(({ line }) => line),
      );
    }
  });
  const found = new Map<string, string[]>();
  const renamed = await withHeldRecords(service.database, kept, [id], async (_run, read) => {
    const rows = await service.database.query('update page set name = $2 where id = $1 returning name', [
      id,
      'Renamed',
    ]);
    for (const [name, kind] of kept) {
      const lines: string[] = [];
      for await (const batch of read(name, kind)) lines.push(...batch.map(({ line }) => line));
      found.set(name, lines);
    }
    return rows;
  });
  expect(renamed).toEqual([{ name: 'Renamed' }]);
  expect(Object.fromEntries(found)).toEqual(Object.fromEntries(expected));
  expect(await service.database.query('select from pg_cursors where is_holdable')).toEqual([]);
});

test('on the embedded database others have turns between the records of an export', async () => {
  const id = await createPageOfAllKinds(service);
  const path = archives.newPath();
  const statements: string[] = [];
  const { createClient } = service.database;
  const counting = {
    ...service.database,
    embedded: true,
    createClient: () => {
      const client = createClient();
      const query = client.query.bind(client) as (...given: unknown[]) => unknown;
      const record = (...given: unknown[]) => {
        statements.push(String(given[0]).trim());
        return query(...given);
      };
      return Object.assign(client, { query: record });
    },
  };
  await exportArchive(counting, createWriteStream(path), { pageIds: [id], yields: true });
  const first = statements.findIndex(text => text.startsWith('fetch'));
  expect(statements.indexOf('commit')).toBeGreaterThan(0);
  expect(first).toBeGreaterThan(statements.indexOf('commit'));
  expect((await readFiles(path)).get('pages.ndjson')).toContain(id);
});

test('an export that would hold too much on the disk is refused, and holds nothing afterwards', async () => {
  const { id } = await createPage(service, { name: 'Huge' });
  await service.database.query(
    `insert into component (page_id, name, position, description, created_at, updated_at)
     select $1, 'API', number, repeat('x', 65535), now(), now() from generate_series(1, 200) number`,
    [id],
  );
  const hold = (megabytes: number) =>
    withHeldRecords(service.database, [['components', kinds.components!]], [id], async () => 'held', megabytes);
  await expect(hold(2)).rejects.toMatchObject({ code: 'PAYLOAD_TOO_LARGE', message: expect.stringContaining('2 MB') });
  expect(await hold(64)).toBe('held');
  expect(await service.database.query('select from pg_cursors where is_holdable')).toEqual([]);
});
