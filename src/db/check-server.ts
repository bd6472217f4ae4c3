import { randomUUID } from 'node:crypto';
import pg from 'pg';
import type { Settings } from '../core/config.js';
import { Refusal } from '../core/errors.js';
import { createClient } from './pool-options.js';
import { UnusableDatabase } from './embedded/data-directory.js';
import { chooseConnections, copyConnection, type ServerConnection } from './server-connection.js';

const variable = 'all_clear.pooler_test';

/** Refuses servers that accept connections and fail at a later statement. */
export async function checkServers(pool: pg.Pool, directPool: pg.Pool): Promise<void> {
  await refuseStandby(pool, 'DATABASE_URL');
  if (directPool !== pool) await refuseStandby(directPool, 'DATABASE_DIRECT_URL');
  await refuseTransactionPooler(directPool, directPool === pool ? 'DATABASE_URL' : 'DATABASE_DIRECT_URL');
}

async function refuseStandby(pool: pg.Pool, variable: string): Promise<void> {
  const { rows } = await pool.query<{ standby: boolean }>('select pg_is_in_recovery() as standby');
  if (rows[0]!.standby)
    // In a failover it is the primary a moment later.
    throw new Refusal(
      'UNAVAILABLE',
      `The database of ${variable} is a standby, which accepts no writes. Use the address of the primary.`,
    );
}

async function refuseTransactionPooler(pool: pg.Pool, variable: string): Promise<void> {
  const client = await pool.connect();
  try {
    if (await sharesSessions(client, pool))
      throw new UnusableDatabase(
        `${variable} leads to a pooler in transaction mode, which forgets the settings of a session, prepared ` +
          'statements and LISTEN. Set DATABASE_DIRECT_URL to the address of PostgreSQL itself, or the pooler to ' +
          'session mode (PgBouncer: pool_mode = session).',
      );
  } finally {
    client.release();
  }
}

/** Whether what one client sets for its session is lost, or reaches the session of another. */
async function sharesSessions(client: pg.PoolClient, pool: pg.Pool): Promise<boolean> {
  const id = randomUUID();
  const readId = async (from: pg.ClientBase) => {
    const { rows } = await from.query<{ id: string | null }>(`select current_setting('${variable}', true) as id`);
    return rows[0]!.id;
  };
  const other = createClient(pool, {});
  other.on('error', () => {});
  try {
    await other.connect();
    await client.query(`select set_config('${variable}', $1, false)`, [id]);
    return (await readId(other)) === id || (await readId(client)) !== id;
  } finally {
    await other.end();
  }
}

const inspectTimeoutMs = 3_000;

interface ServerState {
  host: string;
  /** When the server was started, if it accepts writes: several hosts can lead to one server. */
  primarySince?: string | null;
  /** Why it cannot be reached. */
  failure?: unknown;
}

/** Which of the hosts of DATABASE_URL accept writes. */
export async function inspectServers(settings: Settings): Promise<ServerState[]> {
  const connections = await chooseConnections(settings, 'databaseUrl');
  return Promise.all(connections.map(inspectServer));
}

async function inspectServer(connection: ServerConnection): Promise<ServerState> {
  const host = `${connection.host}:${connection.port || 5432}`;
  const client = new pg.Client({ ...copyConnection(connection), connectionTimeoutMillis: inspectTimeoutMs });
  client.on('error', () => {});
  try {
    await client.connect();
    const { rows } = await client.query<{ primarySince: string | null }>(
      `select case when not pg_is_in_recovery() then pg_postmaster_start_time()::text end as "primarySince"`,
    );
    return { host, primarySince: rows[0]!.primarySince };
  } catch (failure) {
    return { host, failure };
  } finally {
    await client.end().catch(() => {});
  }
}
