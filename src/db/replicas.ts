import pg from 'pg';
import type { Settings } from '../core/config.js';
import { ChangePosition } from './change-position.js';
import { anonymousLimits, createPoolOptions, serviceLimits, type StatementLimits } from './pool-options.js';
import type { ReadRow, RunRead } from './prepared-statements.js';
import { chooseConnections } from './server-connection.js';
import { StatementNames } from './statement-names.js';

/** For which a replica that fails is left alone. */
const retryAfterMs = 10_000;
const connectTimeoutMs = 1_000;

/** For which a replica that went silent keeps a read waiting, before another server gets it. */
const silenceMs = 1_000;

const isReplayedSql = `select pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0') >= $1::float8 as "isReplayed"`;

/** The code of PostgreSQL for a statement timeout. */
const statementTimeout = '57014';

/** The connections to one replica for one kind of callers. */
class Replica {
  private pool: Promise<pg.Pool> | undefined;
  private retryAt = 0;
  private readonly names = new StatementNames('replica', 100);

  constructor(private readonly open: () => Promise<pg.Pool>) {}

  /** Null: it has not replayed the log up to a position, or it fails. */
  async query(position: number, text: string, values: unknown[]): Promise<ReadRow[] | null> {
    if (performance.now() < this.retryAt) return null;
    this.pool ??= this.open();
    const { pool } = this;
    try {
      return await this.queryReplayed(await (await pool).connect(), position, { text, values });
    } catch (error) {
      // On the primary it would take as long.
      if ((error as { code?: unknown }).code === statementTimeout) throw error;
      // A statement can conflict with what is replayed; any other error is of the connection.
      if (!(error instanceof pg.DatabaseError)) this.reopenLater(pool);
      return null;
    }
  }

  /** On one connection, since an address may lead to several replicas. A server that never was one returns null. */
  private async queryReplayed(client: pg.PoolClient, position: number, statement: pg.QueryConfig) {
    let failure: Error | undefined;
    try {
      const check = { name: 'replayed', text: isReplayedSql, values: [position], query_timeout: silenceMs };
      const { rows } = await client.query<{ isReplayed: boolean | null }>(check);
      if (!rows[0]!.isReplayed) return null;
      return (await client.query<ReadRow>({ ...statement, name: this.names.find(statement.text) })).rows;
    } catch (error) {
      failure = error as Error;
      throw error;
    } finally {
      client.release(failure);
    }
  }

  /** Other statements may still wait for it. */
  private reopenLater(pool: Promise<pg.Pool>): void {
    if (pool !== this.pool) return;
    this.retryAt = performance.now() + retryAfterMs;
    void this.close();
  }

  async close(): Promise<void> {
    const { pool } = this;
    this.pool = undefined;
    await pool?.then(opened => opened.end()).catch(() => {});
  }
}

type Readers = Record<'read' | 'readAnonymous', RunRead>;

/**
 * Reads what callers without a token see from streaming replicas, in turn. One answers only if it has replayed all
 * changes that this process has heard of, and otherwise the primary does.
 */
export class Replicas implements Readers {
  readonly position = new ChangePosition();
  readonly read: RunRead;
  readonly readAnonymous: RunRead;
  /** How many reads each kind of server has answered. */
  readonly answers = { replica: 0, primary: 0 };
  private readonly replicas: Replica[] = [];

  constructor(settings: Settings, primary: Readers) {
    this.read = this.createRead(settings, serviceLimits(settings), primary.read);
    this.readAnonymous = this.createRead(settings, anonymousLimits, primary.readAnonymous);
  }

  async close(): Promise<void> {
    await Promise.all(this.replicas.map(replica => replica.close()));
  }

  private createRead(settings: Settings, limits: StatementLimits, readPrimary: RunRead): RunRead {
    const replicas = settings.databaseReplicaUrls.map(url => new Replica(() => openPool(settings, url, limits)));
    this.replicas.push(...replicas);
    let turn = 0;
    return async (text, values) => {
      const position = this.position.current;
      turn += 1;
      for (let index = 0; position !== null && index < replicas.length; index += 1) {
        const rows = await replicas[(turn + index) % replicas.length]!.query(position, text, values);
        if (!rows) continue;
        this.answers.replica += 1;
        return rows[0] ?? null;
      }
      this.answers.primary += 1;
      return readPrimary(text, values);
    };
  }
}

async function openPool(settings: Settings, url: string, limits: StatementLimits): Promise<pg.Pool> {
  // Its connections are configured when they open, as without a pooler.
  const own: Settings = { ...settings, databaseUrl: url, databaseDirectUrl: '' };
  const connections = await chooseConnections(own, 'databaseUrl');
  const options = createPoolOptions(own, limits, { connections: connections.slice(0, 1) });
  const pool = new pg.Pool({ ...options, connectionTimeoutMillis: connectTimeoutMs });
  pool.on('error', () => {});
  pool.on('connect', client => client.on('error', () => {}));
  return pool;
}
