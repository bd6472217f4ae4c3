import { randomBytes } from 'node:crypto';
import type { Settings } from '../../src/core/config.js';
import { createLogger } from '../../src/core/logger.js';
import { type Database, openDatabase } from '../../src/db/connection.js';
import { entities } from '../../src/entities.js';
import { migrate } from '../../src/db/migrate.js';
import pg from 'pg';
import { createTestSettings } from './settings.js';

/** Opens a new database for a test file: in memory, or with TEST_DATABASE_URL on that server, dropped by `close`. */
export async function openTestDatabase(
  overrides: Partial<Settings> = {},
  log = createLogger('silent'),
): Promise<Database & { url: string | null }> {
  const open = (settings: Settings, template?: string) => openDatabase({ settings, entities, log, template });
  const server = process.env.TEST_DATABASE_URL;
  if (!server)
    return {
      ...(await open(createTestSettings(overrides), process.env.TEST_DATABASE_TEMPLATE)),
      url: null,
    };
  const name = `test_${randomBytes(6).toString('hex')}`;
  await onServer(server, `create database ${name}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  const database = await open(createTestSettings({ ...overrides, databaseUrl: url.href, databaseConnections: 8 }));
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
