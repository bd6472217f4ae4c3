import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { migrations } from '../../../src/db/migrations/migrations.js';
import { findToken, hello, manyProcessesMs, runScript, useProcesses } from '../../support/process.js';

const start = useProcesses();
const server = process.env.TEST_DATABASE_URL;
const onPostgres = server ? describe : describe.skip;
onPostgres('on PostgreSQL', () => {
  const name = `start_${process.pid}`;
  const url = server ? Object.assign(new URL(server), { pathname: `/${name}` }).href : '';
  const onServer = async (statement: string, at = server) => {
    const client = new pg.Client({ connectionString: at });
    await client.connect();
    const { rows } = await client.query(statement);
    await client.end();
    return rows;
  };
  beforeAll(() => onServer(`create database ${name}`));
  afterAll(() => onServer(`drop database if exists ${name} with (force)`));

  test('a database that does not exist is not created', async () => {
    const missing = url.replace(name, `${name}_missing`);
    const { code, output } = await runScript(['dist/cli.js', 'start'], { DATABASE_URL: missing, PORT: '0' });
    expect([code, output]).toEqual([
      1,
      expect.stringMatching(/^Starting All Clear \d\S+\.\nThe database of DATABASE_URL does not exist .*\n$/),
    ]);
    expect(await onServer(`select 1 from pg_database where datname = '${name}_missing'`)).toEqual([]);
  });

  test(
    'ten processes started at once on an empty database migrate it once, and one prints the token',
    async () => {
      const services = await Promise.all(
        Array.from({ length: 10 }, () => start({ DATABASE_URL: url, DATABASE_CONNECTIONS: '2' })),
      );
      const tokens = services.map(service => findToken(service.output())).filter(Boolean);
      expect(tokens).toHaveLength(1);
      expect(await onServer('select count(*)::integer as n from migration', url)).toEqual([{ n: migrations.length }]);
      expect(await Promise.all(services.map(service => hello(service.url, tokens[0]!)))).toEqual(Array(10).fill(200));
    },
    manyProcessesMs,
  );

  test('a DATA_DIR that cannot be written is a warning', async () => {
    const { output } = await start({ DATABASE_URL: url, DATA_DIR: 'package.json/data' });
    expect(output()).toContain('"msg":"DATA_DIR cannot be written: a start without the database would show no pages"');
    expect(output()).toContain('All Clear listens');
  });
});
