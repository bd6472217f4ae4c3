import { createWriteStream } from 'node:fs';
import { expect, test } from '@jest/globals';
import { inSnapshot } from '../../../../src/db/backup/digest.js';
import type { RunQuery } from '../../../../src/db/prepared-statements.js';
import { writeArchive } from '../../../../src/transfer/archive/export-archive.js';
import { countAtOnce } from '../../../../src/transfer/archive/kind.js';
import { kinds } from '../../../../src/transfer/archive/kinds.js';
import { useArchives } from '../../../support/archives.js';
import { createPage } from '../../../support/factories.js';
import { useOwnService } from '../../../support/service.js';

const service = useOwnService();
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
