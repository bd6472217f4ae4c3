import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type Database, openDatabase } from '../../src/db/connection.js';
import { migrate } from '../../src/db/migrate.js';
import pg from 'pg';

// No Blob: the ORM copies its options deeply, and a copy of a Blob is none.
const dumped = {
  type: 'application/x-tar',
  arrayBuffer: async () => new Uint8Array(readFileSync(process.env.TEST_DATABASE_DUMP!)).buffer,
};

/**
 * A database of a test file's own: in memory, or, with TEST_DATABASE_URL, a new one on that PostgreSQL, at `url`, dropped at the end.
 */
export async function openTestDatabase(): Promise<Database & { url: string | null }> {
  const server = process.env.TEST_DATABASE_URL;
  if (!server)
    return {
      ...(await openDatabase({ databaseUrl: '', dataDir: 'memory://', databaseConnections: 2, copyOf: dumped })),
      url: null,
    };
  const name = `test_${randomBytes(6).toString('hex')}`;
  await onServer(server, `create database ${name}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  const database = await openDatabase({ databaseUrl: url.href, dataDir: '', databaseConnections: 8 });
  const close = database.close;
  await migrate(database);
  return {
    ...database,
    url: url.href,
    close: async () => {
      await close();
      await onServer(server, `drop database ${name} with (force)`);
    },
  };
}

async function onServer(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
