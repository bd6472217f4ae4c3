import pg from 'pg';
import type { Settings } from '../core/config.js';
import type { RequestLimits } from './embedded/connection.js';
import type { EmbeddedServer } from './embedded/server.js';
import { createPrimaryClient } from './primary-client.js';
import { copyConnection, type ServerConnection } from './server-connection.js';
import { createSessionVariables, setParametersSql } from './session-variables.js';

export interface StatementLimits extends RequestLimits {
  connections: number;
}

/** No request holds a connection for longer than a client waits for the response. */
export const serviceLimits = ({ databaseConnections }: Settings): StatementLimits => ({
  connections: databaseConnections,
  statementMs: 12_000,
});

/** Callers without a token cannot take the connections of others, wait for little, and leave memory to others. */
export const anonymousLimits: StatementLimits = {
  connections: 2,
  statementMs: 1_000,
  yieldMs: 100,
  maxMemory: 224 * 1024 * 1024,
};

/** How long a read of a caller with roles on some pages keeps others of the embedded database waiting. */
export const pageYieldMs = 500;
/** The same in a transaction, which has written: it is refused, and nothing is written. */
export const transactionYieldMs = 1_000;

/** For reads of callers with roles on some pages, on the embedded database. */
export const pageLimits = (settings: Settings): StatementLimits => ({
  ...serviceLimits(settings),
  yieldMs: pageYieldMs,
  yieldsToSame: true,
});

const connectTimeoutMs = 5_000;
const lockTimeoutMs = 10_000;
const keepAliveDelayMs = 10_000;
const idleInTransactionTimeoutMs = 10_000;
/** For which TCP waits for the other side before it gives the connection up. */
const tcpTimeoutMs = 15_000;
/** PostgreSQL ends a statement earlier: without a result by then, the connection is silent. */
const silenceMs = 2_000;

const sessionParameters = (settings: Settings) => ({
  // The default of 4 assumes a spinning disk, so that the planner prefers a scan of a small table to two index lookups.
  // With data in memory or on flash, 1.1 halves the time of a list.
  random_page_cost: '1.1',
  // The statement of a page has many expressions: compiling them takes seconds, and running it a tenth of one.
  jit: 'off',
  ...createSessionVariables(settings),
});

const serverParameters = (settings: Settings, { statementMs }: StatementLimits) => ({
  ...sessionParameters(settings),
  lock_timeout: String(lockTimeoutMs),
  statement_timeout: String(statementMs),
  // A transaction whose client went silent must not hold its locks for as long as TCP waits.
  idle_in_transaction_session_timeout: String(idleInTransactionTimeoutMs),
  tcp_user_timeout: String(tcpTimeoutMs),
});

/** Whether DATABASE_URL may lead to a pooler in transaction mode, which keeps no session between two transactions. */
const isPooled = ({ databaseUrl, databaseDirectUrl }: Settings): boolean =>
  databaseUrl !== '' && databaseDirectUrl !== '';

/** The statements that begin a transaction behind a pooler, with the parameters that its session would have. */
export interface PooledBegins {
  service: string;
  anonymous: string;
}

/** Null: each connection has its session. */
export function createPooledBegins(settings: Settings): PooledBegins | null {
  const begin = (limits: StatementLimits) =>
    `begin; ${setParametersSql(serverParameters(settings, limits), 'transaction')}`;
  return isPooled(settings) ? { service: begin(serviceLimits(settings)), anonymous: begin(anonymousLimits) } : null;
}

/** The embedded server, or the connections to one or several others. */
export type Target = { server: EmbeddedServer } | { connections: ServerConnection[] };

export function createPoolOptions(settings: Settings, limits: StatementLimits, target: Target) {
  const setForSession = (parameters: Record<string, string>) => (client: pg.ClientBase) =>
    client.query(setParametersSql(parameters, 'session'));
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
      onConnect: setForSession(sessionParameters(settings)),
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
    ...(!isPooled(settings) && { onConnect: setForSession(serverParameters(settings, limits)) }),
  };
}

/** Creates a client beside a pool, of its class and with its options but for `overrides`. */
export function createClient({ options }: pg.Pool, overrides: pg.ClientConfig): pg.Client {
  const Client = (options.Client ?? pg.Client) as typeof pg.Client;
  // The password is not enumerable, so that a spread does not copy it.
  return new Client({ ...options, password: options.password, ...overrides });
}
