import { rmSync } from 'node:fs';
import { dirname } from 'node:path';
import pg from 'pg';

/** Also stops the service that the test files shared, where Jest ran them in this process. */
export default async function removeDatabaseTemplate() {
  await (await globalThis.sharedTestService)?.stop();
  delete globalThis.sharedTestService;
  const { TEST_DATABASE_URL: server, TEST_DATABASE_TEMPLATE: template } = process.env;
  if (!template) return;
  // Each project that uses a database calls this.
  delete process.env.TEST_DATABASE_TEMPLATE;
  if (!server) return rmSync(dirname(template), { recursive: true, force: true });
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  // A worker leaves the database of its shared service.
  const { rows } = await client.query('select datname from pg_database where starts_with(datname, $1)', [template]);
  for (const { datname } of rows) await client.query(`drop database ${datname} with (force)`);
  await client.end();
}
