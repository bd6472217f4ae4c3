import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { createLogger } from '../../../src/core/logger.js';
import { migrate } from '../../../src/db/migrate.js';
import { openServiceDatabase } from '../../../src/server/open-database.js';
import { describeStartupError } from '../../../src/server/startup-errors.js';
import { createTestSettings } from '../../support/settings.js';

const root = mkdtempSync(join(tmpdir(), 'all-clear-'));
const intact = join(root, 'intact');
const dataDir = join(root, 'data');
const folder = join(dataDir, 'database');
const at = (...path: string[]) => join(folder, ...path);
const settings = createTestSettings({ dataDir });
let tokenFile: string;

/** Opens the database as a start of the service does. Returns the sentence for the operator where that fails. */
async function open(): Promise<string | null> {
  try {
    const database = await openServiceDatabase(settings, createLogger('silent'));
    try {
      await migrate(database);
      await database.query('select * from token');
    } finally {
      await database.close();
    }
    return null;
  } catch (error) {
    return describeStartupError(error, settings) ?? `not described: ${error}`;
  }
}

beforeAll(async () => {
  expect(await open()).toBeNull();
  const database = await PGlite.create(folder);
  tokenFile = (await database.query<{ path: string }>("select pg_relation_filepath('token') as path")).rows[0]!.path;
  await database.close();
  cpSync(dataDir, intact, { recursive: true });
});
beforeEach(() => {
  rmSync(dataDir, { recursive: true });
  cpSync(intact, dataDir, { recursive: true });
});
afterAll(() => rmSync(root, { recursive: true }));

const remove = (...path: string[]) => rmSync(at(...path), { recursive: true });
const replaceBy = (create: () => void) => {
  remove();
  create();
};
const overwrite = (...path: string[]) => writeFileSync(at(...path), Buffer.alloc(65_536, 7));

test.each<[string, () => void, RegExp]>([
  ['no PG_VERSION', () => remove('PG_VERSION'), /^The database in .* is incomplete: it has no PG_VERSION\./],
  [
    'an empty PG_VERSION',
    () => truncateSync(at('PG_VERSION')),
    /^The database in .* is incomplete: it has no PG_VERSION/,
  ],
  [
    'another version of PostgreSQL',
    () => writeFileSync(at('PG_VERSION'), '17\n'),
    /^The database in .* has the format of PostgreSQL 17, and this version of All Clear reads that of PostgreSQL 18\./,
  ],
  [
    'an interrupted copy in its place',
    () => renameSync(folder, `${folder}.incomplete`),
    /^A copy of a database to .*\/database was interrupted\. Run allclear restore or allclear move again, or delete .* to/,
  ],
  ['a file in place of the folder', () => replaceBy(() => writeFileSync(folder, 'x')), /\/database is not a folder\./],
  ['no global', () => remove('global'), /cannot be opened: could not open file "global\/pg_control"/],
  [
    'a truncated pg_control',
    () => truncateSync(at('global/pg_control'), 100),
    /could not read file "global\/pg_control"/,
  ],
  [
    'an overwritten pg_control',
    () => overwrite('global/pg_control'),
    /cannot be opened: database files are incompatible/,
  ],
  ['no base', () => remove('base'), /cannot be opened: database "postgres" does not exist/],
  [
    'no version in base',
    () => remove('base/5/PG_VERSION'),
    /cannot be opened: "base\/5" is not a valid data directory/,
  ],
  ['no pg_wal', () => remove('pg_wal'), /cannot be opened: required WAL directory "pg_wal" does not exist/],
  [
    'an empty pg_wal',
    () => {
      for (const name of readdirSync(at('pg_wal'))) remove('pg_wal', name);
    },
    /could not locate a valid checkpoint record/,
  ],
  ['no pg_xact', () => remove('pg_xact'), /cannot be opened: could not access status of transaction/],
  [
    'a truncated catalog',
    () => truncateSync(at('base/5/1259')),
    /cannot be opened: could not open critical system index/,
  ],
  ['an overwritten catalog', () => overwrite('base/5/1259'), /cannot be opened: invalid page in block 0 of relation/],
  ['no postgresql.conf', () => remove('postgresql.conf'), /cannot be opened: PGlite failed to initialize properly/],
  [
    'no file of a table',
    () => remove(tokenFile),
    /^The database is damaged: could not open file .*Restore it from a backup/,
  ],
])('a database with %s is refused with a sentence, and not made anew', async (_, damage, sentence) => {
  damage();
  const before = existsSync(at('base')) ? readdirSync(folder) : null;
  expect(await open()).toMatch(sentence);
  if (before) expect(readdirSync(folder)).toEqual(expect.arrayContaining(before));
});

test.each([
  ['a folder that is empty', () => replaceBy(() => mkdirSync(folder))],
  [
    'a first start that was interrupted',
    () => replaceBy(() => cpSync(join(intact, 'database', 'base'), `${folder}.new`, { recursive: true })),
  ],
  ['a lock file of a process that died', () => writeFileSync(at('postmaster.pid'), '1\n/tmp\n')],
])('%s is opened', async (_, prepare) => {
  prepare();
  expect(await open()).toBeNull();
});
