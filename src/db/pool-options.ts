import type { Settings } from '../core/config.js';
import type { RequestLimits } from './embedded/connection.js';
import type { EmbeddedServer } from './embedded/server.js';
import { createPrimaryClient } from './primary-client.js';
import { copyConnection, type ServerConnection } from './server-connection.js';
import { type Client, createSessionVariables, setSessionVariables } from './session-variables.js';

/** Milliseconds. */
interface StatementLimits extends RequestLimits {
  connections: number;
}

/** No request holds a connection for longer than a client waits for the response. */
export const serviceLimits = ({ databaseConnections }: Settings): StatementLimits => ({
  connections: databaseConnections,
  statementMs: 12_000,
});

/** Callers without a token cannot take the connections of others, and wait for little. */
export const anonymousLimits: StatementLimits = { connections: 2, statementMs: 1_000, yieldMs: 100 };

const connectTimeoutMs = 5_000;
const lockTimeoutMs = 10_000;
const keepAliveDelayMs = 10_000;
const idleInTransactionTimeoutMs = 10_000;
/** For which TCP waits for the other side before it gives the connection up. */
const tcpTimeoutMs = 15_000;
/** PostgreSQL ends a statement earlier: without a result by then, the connection is silent. */
const silenceMs = 2_000;

/**
 * The default of 4 assumes a spinning disk, so that the planner prefers a scan of a small table to two index lookups.
 * With data in memory or on flash, 1.1 halves the time of a list.
 */
const tunePlanner = (client: Client) => client.query('set random_page_cost = 1.1');

/** The embedded server, or the connections to one or several others. */
export type Target = { server: EmbeddedServer } | { connections: ServerConnection[] };

export function createPoolOptions(settings: Settings, limits: StatementLimits, target: Target) {
  const configure = async (client: Client) => {
    await tunePlanner(client);
    await setSessionVariables(client, createSessionVariables(settings));
  };
  // Statements do not wait for the result of the one before, and one that times out ends its connection.
  const common = { pipeline: true };
  if ('server' in target)
    return {
      ...common,
      // All connections share one session, in which the statements of a connection have names of their own.
      max: 1,
      idleTimeoutMillis: 0,
      connectionTimeoutMillis: lockTimeoutMs,
      ssl: false,
      stream: () => target.server.connect(limits),
      onConnect: configure,
    };
  return {
    ...common,
    ...copyConnection(target.connections[0]!),
    ...(target.connections.length > 1 && { Client: createPrimaryClient(target.connections) }),
    max: limits.connections,
    query_timeout: limits.statementMs + silenceMs,
    connectionTimeoutMillis: connectTimeoutMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveDelayMs,
    onConnect: async (client: Client) => {
      await configure(client);
      await client.query(`set lock_timeout = ${lockTimeoutMs}`);
      await client.query(`set statement_timeout = ${limits.statementMs}`);
      // A transaction whose client went silent must not hold its locks for as long as TCP waits.
      await client.query(`set idle_in_transaction_session_timeout = ${idleInTransactionTimeoutMs}`);
      await client.query(`set tcp_user_timeout = ${tcpTimeoutMs}`);
    },
  };
}
