import type { Client } from 'pg';
import type { Database } from './database.js';

/** Runs work on a connection beside the pools, without the timeouts of requests. */
export async function withOwnConnection<Result>(
  database: Database,
  work: (client: Client) => Promise<Result>,
): Promise<Result> {
  const client = database.createClient();
  client.on('error', () => {});
  try {
    await client.connect();
    return await database.withoutTimeLimit(() => work(client));
  } finally {
    // Also rolls back what has failed.
    await client.end();
  }
}
