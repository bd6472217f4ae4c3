import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { atFolder, readDigests } from '../../../../src/db/backup/backup.js';
import { moveDatabase } from '../../../../src/db/backup/move.js';
import type { Settings } from '../../../../src/core/config.js';
import { createLogger } from '../../../../src/core/logger.js';
import { type Database, openDatabase } from '../../../../src/db/database.js';
import { entities } from '../../../../src/entities.js';
import { createAccessRecords } from '../../../support/access-records.js';
import { createPublishingPage, fanOutAll } from '../../../support/ledger.js';
import { useOwnService } from '../../../support/service.js';
import { createTestSettings, withChannels } from '../../../support/settings.js';

const service = useOwnService(withChannels);
const folder = mkdtempSync(join(tmpdir(), 'all-clear-'));
const server = process.env.TEST_DATABASE_URL;
const names: string[] = [];
const opened: Database[] = [];

async function onServer(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  await client.query(statement).finally(() => client.end());
}

const open = async (settings: Settings) => {
  const database = await openDatabase({ settings, entities, log: createLogger('silent') });
  opened.push(database);
  return database;
};
const embedded = () => atFolder(createTestSettings(), mkdtempSync(join(folder, 'data-')));
async function onPostgres(): Promise<Settings> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  names.push(name);
  await onServer(`create database ${name}`);
  return createTestSettings({ databaseUrl: Object.assign(new URL(server!), { pathname: `/${name}` }).href });
}

beforeAll(async () => {
  await createAccessRecords(service);
  // References to rows that come later, of the same table and of others, and more than one batch.
  const page = await createPublishingPage(service);
  const first = await page.component('First');
  const second = await page.component('Second');
  await service.database.query('update component set parent_id = $2 where id = $1', [first, second]);
  for (let number = 0; number < 60; number += 1) await page.subscribe(`person${number}@example.com`);
  for (let number = 0; number < 10; number += 1) await page.notice({ subject: `🚚 ${number} "\\ \u2028` });
  await fanOutAll(service.database);
  // An id that was used, and is not any more.
  await service.database.query('delete from notice where id = (select max(id) from notice)');
});
afterAll(async () => {
  for (const database of opened) await database.close();
  for (const name of names) await onServer(`drop database ${name} with (force)`);
  rmSync(folder, { recursive: true });
});

test('A database is moved to another kind of database and back, with the same rows, constraints and next ids', async () => {
  const progress: number[] = [];
  const targets = [embedded(), server ? await onPostgres() : embedded()];
  let source = service.database;
  for (const settings of targets) {
    const target = await open(settings);
    const digests = await moveDatabase(source, target, (done, total) => progress.push(done / total));
    expect(Object.values(digests).filter(({ rows }) => rows).length).toBeGreaterThan(20);
    expect(digests.delivery!.rows).toBeGreaterThan(500);
    expect(progress.at(-1)).toBe(1);
    source = target;
  }
  const states = await Promise.all(
    [service.database, source].map(({ query }) =>
      query(
        `select 'sequence ' || sequencename as name, last_value::text as state from pg_sequences
         union all select conname, pg_get_constraintdef(oid) from pg_constraint
           where connamespace = current_schema()::regnamespace
         union all select indexname, indexdef from pg_indexes where schemaname = current_schema() order by 1, 2`,
      ),
    ),
  );
  expect(states[1]).toEqual(states[0]);
  await expect(moveDatabase(service.database, source)).rejects.toThrow('The database has tables.');
});

test('A move that fails leaves nothing in the target, and the source as it was', async () => {
  const target = await open(server ? await onPostgres() : embedded());
  const moving = moveDatabase(service.database, target, done => {
    if (done > 600) throw new Error('the disk is full');
  });
  await expect(moving).rejects.toThrow('the disk is full');
  expect(await target.query(`select tablename from pg_tables where schemaname = 'public'`)).toEqual([]);
  const digests = await moveDatabase(service.database, target);
  expect(await readDigests(service.settings, async () => ({ ...service.database, close: async () => {} }))).toEqual(
    digests,
  );
});
