import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { createLogger } from '../../../../src/core/logger.js';
import { type Database, openDatabase } from '../../../../src/db/database.js';
import { entities } from '../../../../src/entities.js';
import { createService, type Service } from '../../../../src/server/service.js';
import { openTestDatabase } from '../../../support/database.js';
import { createTestSettings } from '../../../support/settings.js';

/** The embedded database has one role, which owns everything. */
const describeOnPostgres = process.env.TEST_DATABASE_URL ? describe : describe.skip;

/** The statements that docs/access.md tells the administrator of the database to run. */
const documented = /```sql\n([\s\S]+?)```/.exec(readFileSync('docs/access.md', 'utf8'))![1]!;

describeOnPostgres('The audit log of a service whose role does not own it', () => {
  const folder = mkdtempSync(join(tmpdir(), 'all-clear-'));
  const suffix = randomBytes(6).toString('hex');
  const role = `service_${suffix}`;
  const owner = `audit_${suffix}`;
  let administrator: Awaited<ReturnType<typeof openTestDatabase>>;
  let database: Database;
  let service: Service;
  beforeAll(async () => {
    administrator = await openTestDatabase();
    await administrator.query(`create role ${role} login`);
    await administrator.query(`grant all on schema public to ${role}`);
    const tables = await administrator.query<{ name: string }>(
      `select format('%I', tablename) as name from pg_tables where schemaname = 'public'`,
    );
    for (const { name } of tables) await administrator.query(`alter table ${name} owner to ${role}`);
    for (const statement of documented.split(';').filter(text => text.trim()))
      await administrator.query(statement.replaceAll('all_clear_audit', owner).replaceAll(/\ball_clear\b/g, role));
    const url = new URL(administrator.url!);
    url.username = role;
    const settings = createTestSettings({ databaseUrl: url.href, databaseConnections: 8, dataDir: folder });
    database = await openDatabase({ settings, entities, log: createLogger('silent') });
    service = await createService(settings, { database });
  });
  afterAll(async () => {
    await service?.stop();
    await administrator.close();
    rmSync(folder, { recursive: true });
    const client = new pg.Client({ connectionString: process.env.TEST_DATABASE_URL });
    await client.connect();
    for (const name of [role, owner]) await client.query(`drop role if exists ${name}`);
    await client.end();
  });

  test('is written', async () => {
    const response = await fetch(`http://127.0.0.1:${service.port}/v1/pages`, {
      method: 'POST',
      headers: { authorization: `Bearer ${service.settings.bootstrapToken}` },
      body: new URLSearchParams({ name: 'Meridian' }),
    });
    expect(response.status).toBe(201);
    const entries = await database.query(`select operation from audit_entry where operation = 'createPage'`);
    expect(entries).toHaveLength(1);
    expect((await database.query('select 1 from audit_change')).length).toBeGreaterThan(0);
  });

  test.each([
    'update audit_entry set actor = $$nobody$$',
    'update audit_change set after = null',
    'delete from audit_entry',
    'delete from audit_change',
    'truncate audit_change',
    'drop table audit_change',
    'alter table audit_entry disable trigger all',
    "do 'begin grant delete on audit_entry to current_user; delete from audit_entry; end'",
  ])('cannot be changed by: %s', async statement => {
    const before = await administrator.query('select * from audit_entry order by id');
    await expect(database.query(statement)).rejects.toThrow(/permission denied|must be owner/);
    expect(await administrator.query('select * from audit_entry order by id')).toEqual(before);
  });
});
