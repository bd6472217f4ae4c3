import { mkdir } from 'node:fs/promises';
import { ReflectMetadataProvider } from '@mikro-orm/decorators/legacy';
import { type EntityClass, FlushMode } from '@mikro-orm/core';
import { Migrator } from '@mikro-orm/migrations';
import { defineConfig as defineEmbedded, MikroORM as EmbeddedORM } from '@mikro-orm/pglite';
import { defineConfig, MikroORM } from '@mikro-orm/postgresql';
import type { SqlEntityManager } from '@mikro-orm/sql';
import { PGlite } from '@electric-sql/pglite';
import type { Pool } from 'pg';
import type { Settings } from '../core/config.js';
import type { Logger } from '../core/logger.js';
import { CommittedChanges } from './change-feed/committed-changes.js';
import { type Listen, createListener, listenToNobody } from './change-feed/listen.js';
import { releaseLostConnections } from './lost-connections.js';
import { migrations } from './migrations.js';
import { type RunRead, readFromEmbedded, createPoolReaders } from './prepared-statements.js';
import { closeSilentConnections } from './silent-connections.js';
import { createSessionVariables, setSessionVariables } from './session-variables.js';

export type EntityManager = SqlEntityManager;

/** The database, embedded or PostgreSQL, as the rest of the service uses it. */
export interface Database {
  orm: MikroORM;
  /** Of the service, for its background work on this database. */
  log: Logger;
  /** The embedded database has a single connection, so only one transaction may be open at a time. */
  embedded: boolean;
  /** For callers with a token. */
  read: RunRead;
  /** For callers without one, who get their own pool of statement names. */
  readAnonymous: RunRead;
  /** Emits every page that a transaction of this process changed, after the commit. */
  changes: CommittedChanges;
  /** The transaction in progress on the embedded database, where the next one waits for it. */
  transactions: { last: Promise<unknown> };
  /** Runs a statement outside of any transaction. */
  query<Row>(text: string, values?: unknown[]): Promise<Row[]>;
  /** LISTEN, on a connection of its own. */
  listen: Listen;
  close(): Promise<void>;
}

/** Created anew for each ORM, because MikroORM changes what it is given. */
const createOptions = () => ({
  metadataProvider: ReflectMetadataProvider,
  extensions: [Migrator],
  migrations: { migrationsList: migrations, tableName: 'migration', snapshot: false, transactional: true },
  discovery: { warnWhenNoEntities: false },
  // A mistyped name must not become a new database.
  ensureDatabase: false,
  // The driver's messages can contain values of records. Errors are logged by the HTTP layer.
  logger: () => {},
  forceUtcTimezone: true,
  // A find must not flush half of a change: only Unit.save sets timestamps and flushes.
  flushMode: FlushMode.COMMIT,
});

/**
 * The default of 4 assumes a spinning disk, so that the planner prefers a scan of a small table to two index lookups.
 * With data in memory or on flash, 1.1 halves the time of a list.
 */
const tunePlanner = (connection: Connection) => connection.query('set random_page_cost = 1.1');

/** Milliseconds. No request holds a connection for longer than a client waits for the response. */
const timeoutsMs = { connect: 5_000, lock: 10_000, statement: 20_000, keepAlive: 10_000, idleInTransaction: 10_000 };

interface Connection {
  query(text: string, values?: unknown[]): Promise<unknown>;
}

const configureConnection = async (connection: Connection, settings: Settings) => {
  await tunePlanner(connection);
  await setSessionVariables(connection, createSessionVariables(settings));
  await connection.query(`set lock_timeout = ${timeoutsMs.lock}`);
  await connection.query(`set statement_timeout = ${timeoutsMs.statement}`);
  // A transaction whose client went silent must not hold its locks for as long as TCP waits.
  await connection.query(`set idle_in_transaction_session_timeout = ${timeoutsMs.idleInTransaction}`);
};

/**
 * Turns off the progress reports of crash recovery: their timer is never stopped, and would keep the process, with all
 * its memory, from ending.
 */
const noProgressReports = ['-c', 'log_startup_progress_interval=0'];

export interface DatabaseOptions {
  settings: Settings;
  entities: readonly EntityClass<object>[];
  log: Logger;
  /** The dump of a data directory with which an embedded database starts. */
  copyOf?: Pick<Blob, 'arrayBuffer' | 'type'>;
}

export function createOrmConfiguration({ settings, entities, copyOf }: Omit<DatabaseOptions, 'log'>) {
  const { databaseUrl, databaseConnections, dataDir } = settings;
  return databaseUrl
    ? defineConfig({
        ...createOptions(),
        entities: [...entities],
        clientUrl: databaseUrl,
        pool: { min: 0, max: databaseConnections },
        driverOptions: {
          onConnect: (connection: Connection) => configureConnection(connection, settings),
          connectionTimeoutMillis: timeoutsMs.connect,
          keepAlive: true,
          keepAliveInitialDelayMillis: timeoutsMs.keepAlive,
        },
      })
    : defineEmbedded({
        ...createOptions(),
        entities: [...entities],
        dbName: dataDir.startsWith('memory:') ? dataDir : `${dataDir}/database`,
        driverOptions: { loadDataDir: copyOf, startParams: [...PGlite.defaultStartParams, ...noProgressReports] },
      });
}

/** Creates an ORM that knows the entities and never connects. */
export const createOfflineOrm = (databaseOptions: Omit<DatabaseOptions, 'log'>): MikroORM =>
  new EmbeddedORM(createOrmConfiguration(databaseOptions) as never) as unknown as MikroORM;

export async function openDatabase(databaseOptions: DatabaseOptions): Promise<Database> {
  const { settings, log } = databaseOptions;
  const embedded = !settings.databaseUrl;
  if (embedded && !settings.dataDir.startsWith('memory:'))
    await mkdir(settings.dataDir, { recursive: true, mode: 0o700 });
  // The types of the two drivers differ in their type parameters only.
  const orm = (await (embedded ? EmbeddedORM : MikroORM).init(
    createOrmConfiguration(databaseOptions) as never,
  )) as unknown as MikroORM;
  await orm.connect().catch(async error => {
    await orm.close(true);
    throw error;
  });
  const native = (await orm.em.getConnection().getNativeClient()) as unknown as Pool & PGlite;
  if (!embedded) releaseLostConnections(native);
  const endSupervision = embedded ? () => {} : closeSilentConnections(native, log);
  // Fails where the database does not exist or does not respond.
  await native.query('select 1').catch(async error => {
    await orm.close(true);
    throw error;
  });
  if (embedded) {
    await tunePlanner(native);
    await setSessionVariables(native, createSessionVariables(settings));
  }
  return {
    orm,
    log,
    embedded,
    changes: new CommittedChanges(),
    transactions: { last: Promise.resolve() },
    ...(embedded
      ? { read: readFromEmbedded(native), readAnonymous: readFromEmbedded(native) }
      : createPoolReaders(native)),
    query: async <Row>(text: string, values: unknown[] = []) =>
      (await (native as Pick<Pool, 'query'>).query(text, values)).rows as Row[],
    listen: embedded ? listenToNobody : createListener(native),
    close: async () => {
      // Statistics are flushed by a timer of ten seconds, which would keep the process and all its memory alive.
      if (embedded) await native.query('select pg_stat_force_next_flush()').catch(() => {});
      await orm.close(true);
      endSupervision();
    },
  };
}
