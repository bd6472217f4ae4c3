import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { migrations } from '../../../src/db/migrations/migrations.js';
import { openTestDatabase } from '../../support/database.js';
import { runScript } from '../../support/process.js';

const run = async (line: string, environment: Record<string, string> = {}) => {
  const { code, output } = await runScript(['node_modules/@mikro-orm/cli/cli.js', ...line.split(' ')], {
    NO_COLOR: '1',
    ...environment,
  });
  return { code, output };
};

test('the command line of MikroORM needs PostgreSQL, and says so', async () => {
  const { code, output } = await run('migration:list', { DATABASE_URL: '' });
  expect([code, output]).toEqual([1, expect.stringContaining('Set DATABASE_URL to a PostgreSQL server: ')]);
});

(process.env.TEST_DATABASE_URL ? describe : describe.skip)('the command line of MikroORM', () => {
  let database: Awaited<ReturnType<typeof openTestDatabase>>;
  const orm = (line: string) => run(line, { DATABASE_URL: database.url! });
  beforeAll(async () => {
    database = await openTestDatabase();
    for (const statement of ['drop schema public cascade', 'create schema public']) await database.query(statement);
  });
  afterAll(() => database.close());

  test('migrates an empty database by the statements of the service, which agree with the entities', async () => {
    expect(await orm('migration:list')).toMatchObject({ code: 0, output: expect.stringContaining('No migrations') });
    expect(await orm('migration:up')).toMatchObject({ code: 0, output: expect.stringContaining('Successfully') });
    const stored = await database.query<{ name: string }>('select name from migration where checksum is not null');
    expect(stored.map(({ name }) => name)).toEqual(migrations.map(({ name }) => name));
    expect(await orm('migration:check')).toMatchObject({ code: 0, output: expect.stringContaining('up-to-date') });
    expect(await orm('schema:update --dump')).toMatchObject({
      output: expect.stringContaining('Schema is up-to-date'),
    });
    expect(await orm('debug')).toMatchObject({ output: expect.stringContaining('database connection successful') });
  }, 120_000);

  test('finds an index and a column that are missing', async () => {
    await database.query('alter table notice drop column synopsis');
    await database.query('drop index notice_stale_index');
    expect(await orm('migration:check')).toMatchObject({
      code: 1,
      output: expect.stringContaining('Changes detected'),
    });
    const { output } = await orm('schema:update --dump');
    expect(output).toMatch(/add "synopsis".*create index notice_stale_index/s);
  }, 60_000);

  test('refuses a database of another version, to revert, and to run some migrations', async () => {
    await database.query(`insert into migration (name) values ('20990101-newer')`);
    expect((await orm('migration:up')).output).toContain('does not have (20990101-newer)');
    expect((await orm('migration:down')).output).toContain('A migration cannot be reverted. Restore a backup.');
    expect((await orm('migration:up --to x')).output).toContain('Only all pending migrations can be run.');
  }, 60_000);
});
