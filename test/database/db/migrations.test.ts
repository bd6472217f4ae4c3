import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { Database } from '../../../src/db/database.js';
import { migrate } from '../../../src/db/migrate.js';
import { migrations } from '../../../src/db/migrations/migrations.js';
import { tablesWithoutEntity } from '../../../src/db/orm-options.js';
import { describeStartupError } from '../../../src/server/startup-errors.js';
import { openTestDatabase } from '../../support/database.js';
import { useService } from '../../support/service.js';

const service = useService();
// The embedded database has one session.
const onPostgres = process.env.TEST_DATABASE_URL ? test : test.skip;

test('the migrations create the schema that the entities describe, with indexes and defaults', async () => {
  const { schema } = service.database.orm;
  expect(await schema.getUpdateSchemaSQL({ safe: false, dropTables: true, wrap: false })).toBe('');
});

test('a table that has no entity exists', async () => {
  const rows = await service.database.query<{ name: string }>(
    `select tablename as name from pg_tables where schemaname = 'public'`,
  );
  const names = rows.map(({ name }) => name);
  expect(tablesWithoutEntity.filter(name => !names.includes(name))).toEqual([]);
});

describe('on an empty database', () => {
  let database: Database;
  beforeEach(async () => {
    database = await openTestDatabase();
    for (const statement of ['drop schema public cascade', 'create schema public']) await database.query(statement);
  });
  afterEach(() => database.close());

  const listTables = async () =>
    (
      await database.query<{ name: string }>(
        `select tablename as name from pg_tables where schemaname = 'public' order by name`,
      )
    ).map(({ name }) => name);
  const tryToMigrate = () =>
    migrate(database).then(
      () => null,
      error => describeStartupError(error, service.settings),
    );

  test('a database with migrations that this version does not have is refused before anything is written', async () => {
    await database.query(
      'create table migration (id serial primary key, name varchar(255), executed_at timestamptz default current_timestamp)',
    );
    const names = ['20261120-initial', '20261121-ledger', '20261122-drafts', '20261123-tokens', '20261124-people'];
    for (const name of names) await database.query('insert into migration (name) values ($1)', [name]);
    expect(await tryToMigrate()).toBe(
      'The database has migrations that this version of All Clear does not have (20261120-initial, 20261121-ledger, ' +
        '20261122-drafts and 2 more): start the version that wrote the database, or configure an empty one.',
    );
    expect(await listTables()).toEqual(['migration']);
  });

  test('a database of a newer version is refused', async () => {
    await migrate(database);
    await database.query(`insert into migration (name, checksum) values ('20990101-newer', 'x')`);
    expect(await tryToMigrate()).toMatch(/does not have \(20990101-newer\): start the version that wrote the database/);
  });

  test('a database whose migration had other statements is refused', async () => {
    await migrate(database);
    await database.query(`update migration set checksum = 'x' where name = '${migrations[0]!.name}'`);
    expect(await tryToMigrate()).toBe(
      'The database was created by other statements than this version of All Clear has for the migration ' +
        `${migrations[0]!.name}: start the version that wrote the database, or configure an empty one.`,
    );
  });

  test('a migrated database is left as it is', async () => {
    await migrate(database);
    const reports: string[] = [];
    await migrate(database, text => reports.push(text));
    expect(reports).toEqual([]);
  });

  onPostgres('a migration does not wait for a long transaction, which would hold up requests', async () => {
    await migrate(database);
    const other = database.createClient();
    await other.connect();
    try {
      for (const statement of ['begin', 'lock table migration']) await other.query(statement);
      expect(await tryToMigrate()).toBe(
        'A migration needs a table that another session locks, such as pg_dump. Start again when it has ended.',
      );
    } finally {
      await other.end();
    }
    expect(await tryToMigrate()).toBeNull();
  });

  test('a migration that fails is rolled back', async () => {
    await database.query('create table page_change (id int)');
    await expect(migrate(database)).rejects.toThrow('already exists');
    expect(await listTables()).toEqual(['page_change']);
    await database.query('drop table page_change');
    expect(await tryToMigrate()).toBeNull();
  });
});

test('each foreign key has an index, since a row that is referenced is deleted', async () => {
  const rows = await service.database.query<{ name: string }>(
    `select c.conrelid::regclass || '.' || a.attname as name
     from pg_constraint c join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
     where c.contype = 'f' and not exists (
       select from pg_index i
       where i.indrelid = c.conrelid and i.indkey[0] = a.attnum and (i.indpred is null
         or pg_get_expr(i.indpred, i.indrelid) = '(' || a.attname || ' IS NOT NULL)'))
     order by 1`,
  );
  expect(rows.map(({ name }) => name)).toEqual([]);
});
