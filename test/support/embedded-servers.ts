import type { Worker } from 'node:worker_threads';
import pg from 'pg';
import { EmbeddedServer } from '../../src/db/embedded/server.js';

/** An embedded database in memory with the schema of the service. */
interface TestServer {
  server: EmbeddedServer;
  /** Its catalogues when it was started. */
  catalogues: string;
}

/**
 * The embedded databases of this process that no test file uses. The next one gets one of them, emptied: to start one takes
 * ten times as long.
 */
const shared = globalThis as { idleServers?: TestServer[] };
shared.idleServers ??= [];
const idle = shared.idleServers;
/** Each has 150 MB. */
const maxIdle = 2;

/** Returns a database without records, which `returnEmbeddedServer` takes back. */
export async function takeEmbeddedServer(): Promise<TestServer> {
  const taken = idle.pop();
  if (taken) return taken;
  const server = new EmbeddedServer({ dataDir: 'memory://', template: process.env.TEST_DATABASE_TEMPLATE });
  await server.open();
  // The process may end while it is idle.
  (server as unknown as { thread: Worker }).thread.unref();
  return { server, catalogues: await run(server, readCatalogues) };
}

/**
 * Empties a database for the next test file, or closes it where the test file has changed more than records, or has left a
 * connection open, which could prepare statements in the session that all connections share.
 */
export async function returnEmbeddedServer(taken: TestServer): Promise<void> {
  const { server, catalogues } = taken;
  const { connections } = server as unknown as { connections: ReadonlySet<unknown> };
  const isUnchanged = await run(server, async client => {
    if ((await readCatalogues(client)) !== catalogues) return false;
    await client.query(deleteRecords);
    await client.query('discard all');
    return true;
  }).catch(() => false);
  if (isUnchanged && connections.size === 0 && idle.length < maxIdle) idle.push(taken);
  else await server.close();
}

async function run<Result>(server: EmbeddedServer, work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client({ ssl: false, stream: () => server.connect({ statementMs: 60_000 }) });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** The number of rows and the last transaction that wrote one, of what describes tables, functions, roles and settings. */
async function readCatalogues(client: pg.Client): Promise<string> {
  const names = ['attribute', 'constraint', 'index', 'trigger', 'proc', 'type', 'authid', 'db_role_setting'];
  const states = names.map(name => `(select count(*) || '/' || max(xmin::text::bigint) from pg_${name})`);
  const { rows } = await client.query<{ state: string }>(`select concat_ws(' ', ${states.join(', ')}) as state`);
  return rows[0]!.state;
}

/** Triggers protect the audit log. */
const deleteRecords = `
  set session_replication_role = replica;
  do $$ begin
    execute (select 'truncate ' || string_agg(format('%I', tablename), ', ') || ' restart identity'
      from pg_tables where schemaname = 'public' and tablename <> 'migration');
  end $$`;
