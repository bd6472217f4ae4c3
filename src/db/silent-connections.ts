import type { Socket } from 'node:net';
import pg from 'pg';
import type { Logger } from '../core/logger.js';
import { createClient } from './create-client.js';

/**
 * What pg knows of a connection, which is not documented: the version of pg is pinned, and
 * test/database/db/silent-connections.test.ts stops the bytes of a connection.
 */
interface ConnectionState {
  /** Undefined until the connection is established; false while a statement waits for the rest of its result. */
  readyForQuery: boolean | undefined;
  /** Of the backend, as the server reported it. */
  processID: number | null;
  connection: { stream: Socket };
}
type Client = pg.Client & ConnectionState;

/** A connection whose statement got no byte of its result for this time is examined. */
const silenceMs = 3_000;
const examinationIntervalMs = 1_000;
/** For a new connection, and again for the response to its query. */
const examinationTimeoutMs = 2_000;
/** Of the given backends, those that work on a statement. One that waits for its client has nothing left to send. */
const workingBackends = `select pg_backend_pid() as own, array(
  select pid from pg_stat_activity
  where pid = any($1) and state not like 'idle%' and wait_event_type is distinct from 'Client') as working`;

/**
 * Closes the connections of a pool that went silent: a firewall forgot them, or the server went away without a word.
 * TCP does not notice while a proxy in between acknowledges, and statements may legitimately run for long, so the
 * server is asked, on a new connection, which of them it works on. If it does not answer, all are closed.
 * Statements on a closed connection fail as with an unavailable database. Returns what ends the examination.
 */
export function closeSilentConnections(pool: pg.Pool & { Client?: typeof pg.Client }, log: Logger): () => void {
  const lastReceived = new Map<Client, { bytes: number; at: number }>();
  const PoolClient = pool.Client!;
  pool.Client = class extends PoolClient {
    constructor(options?: pg.ClientConfig) {
      super(options);
      const client = this as unknown as Client;
      lastReceived.set(client, { bytes: 0, at: performance.now() });
      this.once('end', () => lastReceived.delete(client));
    }
  };

  const isWaiting = ({ readyForQuery }: Client) => readyForQuery === false;
  const findSilent = () => {
    const now = performance.now();
    return [...lastReceived].flatMap(([client, last]) => {
      const { bytesRead } = client.connection.stream;
      if (!isWaiting(client) || bytesRead !== last.bytes) lastReceived.set(client, { bytes: bytesRead, at: now });
      return now - lastReceived.get(client)!.at > silenceMs ? [client] : [];
    });
  };

  const findWorking = async (clients: Client[]): Promise<Client[]> => {
    const examiner = createClient(pool, {
      connectionTimeoutMillis: examinationTimeoutMs,
      query_timeout: examinationTimeoutMs,
    }) as Client;
    examiner.on('error', () => {});
    try {
      await examiner.connect();
      const { rows } = await examiner.query<{ own: number; working: number[] }>(workingBackends, [
        clients.map(({ processID }) => processID),
      ]);
      // A connection pooler in between gives out process ids of its own, of which the server knows nothing.
      if (rows[0]!.own !== examiner.processID) return clients;
      return clients.filter(({ processID }) => rows[0]!.working.includes(processID!));
    } catch (error) {
      // A server that refuses the connection, since it has too many, is not silent.
      return error instanceof pg.DatabaseError ? clients : [];
    } finally {
      examiner.connection.stream.destroy();
    }
  };

  let isExamining = false;
  const examine = async () => {
    const silent = findSilent();
    if (isExamining || !silent.length) return;
    isExamining = true;
    const working = await findWorking(silent);
    const stillSilent = findSilent();
    const closed = silent.filter(client => !working.includes(client) && stillSilent.includes(client));
    for (const client of closed) client.connection.stream.destroy(new SilentConnection());
    if (closed.length) log.warn({ connections: closed.length }, 'closed database connections that went silent');
    isExamining = false;
  };
  const timer = setInterval(examine, examinationIntervalMs).unref();
  return () => clearInterval(timer);
}

class SilentConnection extends Error {
  readonly code = 'ETIMEDOUT';

  constructor() {
    super('the connection to the database went silent');
  }
}
