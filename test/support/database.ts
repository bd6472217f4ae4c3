import { randomBytes } from 'node:crypto';
import type { Settings } from '../../src/core/config.js';
import { createLogger } from '../../src/core/logger.js';
import { type Database, openDatabase } from '../../src/db/database.js';
import type { EmbeddedServer } from '../../src/db/embedded/server.js';
import { entities } from '../../src/entities.js';
import pg from 'pg';
import { startEmbeddedServer } from './embedded-server.js';
import { createTestSettings } from './settings.js';

/**
 * Opens a database without records for a test file: a new one on the server of TEST_DATABASE_URL, dropped by `close`, or
 * with TEST_DATABASE=embedded one in memory.
 */
export async function openTestDatabase(
  overrides: Partial<Settings> = {},
  log = createLogger('silent'),
): Promise<Database & { url: string | null }> {
  const { url, server, release } = await (process.env.TEST_DATABASE_URL ? createOnServer() : startEmbedded());
  const onPostgres = url && { databaseUrl: url, databaseConnections: 8 };
  const settings = createTestSettings({ ...overrides, ...onPostgres });
  const database = await openDatabase({ settings, entities, log, server });
  return {
    ...database,
    url,
    close: async () => {
      await database.close();
      await release();
    },
  };
}

interface Opened {
  url: string | null;
  server?: EmbeddedServer;
  release(): Promise<void>;
}

async function startEmbedded(): Promise<Opened> {
  const server = await startEmbeddedServer();
  return { url: null, server, release: () => server.close() };
}

async function createOnServer(): Promise<Opened> {
  const { TEST_DATABASE_URL: server = '', TEST_DATABASE_TEMPLATE: template } = process.env;
  const name = `${template}_${randomBytes(6).toString('hex')}`;
  await onServer(server, `create database ${name} template ${template}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return { url: url.href, release: () => onServer(server, `drop database ${name} with (force)`) };
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
