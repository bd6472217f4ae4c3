import { rmSync } from 'node:fs';
import { dirname } from 'node:path';
import pg from 'pg';

/** Also stops the services that the test files shared, where Jest ran them in this process. */
export default async function removeDatabaseTemplate() {
  for (const service of globalThis.sharedTestServices?.values() ?? []) await (await service).stop();
  delete globalThis.sharedTestServices;
  const { TEST_DATABASE_URL: server, TEST_DATABASE_TEMPLATE: template, TEST_EMBEDDED_TEMPLATE: archive } = process.env;
  // Each project that uses a database calls this.
  delete process.env.TEST_DATABASE_TEMPLATE;
  delete process.env.TEST_EMBEDDED_TEMPLATE;
  if (archive) rmSync(dirname(archive), { recursive: true, force: true });
  if (globalThis.testServer) return stopServer();
  if (template) await dropDatabases(server, template);
}

async function stopServer() {
  const { stop, programs } = globalThis.testServer;
  await stop();
  delete globalThis.testServer;
  if (process.env.PGBIN === programs) delete process.env.PGBIN;
  delete process.env.TEST_DATABASE_URL;
}

/** A worker leaves the database of its shared service. */
async function dropDatabases(server, template) {
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  const { rows } = await client.query('select datname from pg_database where starts_with(datname, $1)', [template]);
  for (const { datname } of rows) await client.query(`drop database ${datname} with (force)`);
  await client.end();
}
