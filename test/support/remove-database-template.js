import { rmSync } from 'node:fs';
import { dirname } from 'node:path';
import pg from 'pg';

export default async function removeDatabaseTemplate() {
  const { TEST_DATABASE_URL: server, TEST_DATABASE_TEMPLATE: template } = process.env;
  if (!template) return;
  // Each project that uses a database calls this.
  delete process.env.TEST_DATABASE_TEMPLATE;
  if (!server) return rmSync(dirname(template), { recursive: true, force: true });
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  await client.query(`drop database ${template}`);
  await client.end();
}
