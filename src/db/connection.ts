import { mkdir } from 'node:fs/promises';
import { ReflectMetadataProvider } from '@mikro-orm/decorators/legacy';
import { FlushMode } from '@mikro-orm/core';
import { Migrator } from '@mikro-orm/migrations';
import { defineConfig as defineEmbedded, MikroORM as EmbeddedORM } from '@mikro-orm/pglite';
import { defineConfig, MikroORM } from '@mikro-orm/postgresql';
import type { SqlEntityManager } from '@mikro-orm/sql';
import { PGlite } from '@electric-sql/pglite';
import type { Pool } from 'pg';
import type { Settings } from '../core/config.js';
import { CommittedChanges } from './change-feed/committed-changes.js';
import { entities } from '../entities.js';
import { type Listen, listening } from './change-feed/listen.js';
import { migrations } from './migrations.js';
import { type RunRead, readFromEmbedded, readsFromPool } from './prepared-statements.js';

export type EntityManager = SqlEntityManager;

/** The database as the rest of the house knows it. */
export interface Database {
  orm: MikroORM;
  /** The embedded database has one connection, and its driver must not be asked for two transactions at once. */
  embedded: boolean;
  read: RunRead;
  /** For who has no token. */
  readForStranger: RunRead;
  /** Tells of every page that a transaction of this process changed, after the commit. */
  changes: CommittedChanges;
  /** Rows of a statement of our own, outside of any transaction. */
  query<Row>(text: string, values?: unknown[]): Promise<Row[]>;
  /** Never anything on the embedded database, which one process has for itself. */
  listen: Listen;
  close(): Promise<void>;
}

const options = {
  entities,
  metadataProvider: ReflectMetadataProvider,
  extensions: [Migrator],
  migrations: { migrationsList: migrations, tableName: 'migration', snapshot: false, transactional: true },
  discovery: { warnWhenNoEntities: false },
  // Messages of the driver may hold values; what matters of them is logged by the edges.
  logger: () => {},
  forceUtcTimezone: true,
  // A find must not write what is half done: Unit.save alone stamps and flushes.
  flushMode: FlushMode.COMMIT,
};

/**
 * PostgreSQL's own figure supposes a turning disk: to it, all of a small table costs less than two rows by their keys. With records in memory or on flash a list
 * takes half the time by this one.
 */
const suitPlans = (connection: { query(text: string): Promise<unknown> }) =>
  connection.query('set random_page_cost = 1.1');

/** No request holds a connection for longer than a client waits for it: milliseconds. */
const patience = { connect: 5_000, lock: 10_000, statement: 20_000 };

const suitConnection = async (connection: { query(text: string): Promise<unknown> }) => {
  await suitPlans(connection);
  await connection.query(`set lock_timeout = ${patience.lock}`);
  await connection.query(`set statement_timeout = ${patience.statement}`);
};

/** After a folder that was not closed in order the database reports its recovery by a timer, which nobody stops: it would hold the process, and all its memory, for ever. */
const withoutProgress = ['-c', 'log_startup_progress_interval=0'];

export interface DatabaseSettings extends Pick<Settings, 'databaseUrl' | 'databaseConnections' | 'dataDir'> {
  /** The dump of a data folder that an embedded database begins as a copy of. */
  copyOf?: Pick<Blob, 'arrayBuffer' | 'type'>;
}

export function configuration({ databaseUrl, databaseConnections, dataDir, copyOf }: DatabaseSettings) {
  return databaseUrl
    ? defineConfig({
        ...options,
        clientUrl: databaseUrl,
        pool: { min: 0, max: databaseConnections },
        driverOptions: { onConnect: suitConnection, connectionTimeoutMillis: patience.connect },
      })
    : defineEmbedded({
        ...options,
        dbName: dataDir.startsWith('memory:') ? dataDir : `${dataDir}/database`,
        driverOptions: { loadDataDir: copyOf, startParams: [...PGlite.defaultStartParams, ...withoutProgress] },
      });
}

export async function openDatabase(settings: DatabaseSettings): Promise<Database> {
  const embedded = !settings.databaseUrl;
  if (embedded && !settings.dataDir.startsWith('memory:'))
    await mkdir(settings.dataDir, { recursive: true, mode: 0o700 });
  // The two drivers differ in type parameters alone.
  const orm = (await (embedded ? EmbeddedORM : MikroORM).init(configuration(settings) as never)) as unknown as MikroORM;
  await orm.connect().catch(async error => {
    await orm.close(true);
    throw error;
  });
  const native = (await orm.em.getConnection().getNativeClient()) as unknown as Pool & PGlite;
  if (embedded) await suitPlans(native);
  return {
    orm,
    embedded,
    changes: new CommittedChanges(),
    ...(embedded
      ? { read: readFromEmbedded(native), readForStranger: readFromEmbedded(native) }
      : readsFromPool(native)),
    query: async <Row>(text: string, values: unknown[] = []) =>
      (await (native as Pick<Pool, 'query'>).query(text, values)).rows as Row[],
    listen: embedded ? () => () => {} : listening(native),
    close: async () => {
      // Else a timer of ten seconds, that nobody stops, holds the process and all the memory of the database.
      if (embedded) await native.query('select pg_stat_force_next_flush()').catch(() => {});
      await orm.close(true);
    },
  };
}
