import { mkdir } from 'node:fs/promises';
import type { EntityClass } from '@mikro-orm/core';
import { MikroORM } from '@mikro-orm/postgresql';
import type { SqlEntityManager } from '@mikro-orm/sql';
import pg from 'pg';
import type { Settings } from '../core/config.js';
import type { Logger } from '../core/logger.js';
import { KeyedQueue } from '../core/queues/keyed-queue.js';
import { CommittedChanges } from './committed-changes.js';
import { checkServers } from './check-server.js';
import { type Listen, createListener, listenToNobody } from './listen.js';
import { databaseFolder, incompleteCopy } from './database-folder.js';
import { toRefusal } from './database-errors.js';
import { DiskSpace } from './disk-space.js';
import { describeDamage, prepareDataDirectory } from './embedded/data-directory.js';
import { EmbeddedServer } from './embedded/server.js';
import { createOrmConfiguration } from './orm-options.js';
import {
  anonymousLimits,
  createClient,
  createPooledBegins,
  createPoolOptions,
  pageLimits,
  serviceLimits,
  transactionYieldMs,
  type StatementLimits,
  type Target,
} from './pool-options.js';
import { chooseConnections } from './server-connection.js';
import type { StatementNames } from './statement-names.js';
import { Replicas } from './replicas.js';
import { createPoolReaders, type RunQuery, type RunRead } from './prepared-statements.js';

export type EntityManager = SqlEntityManager;

type PoolState = Readonly<Pick<pg.Pool, 'totalCount' | 'idleCount' | 'waitingCount'>>;

/** The database, embedded or PostgreSQL, as the rest of the service uses it. */
export interface Database {
  orm: MikroORM;
  /** Of the service, for its background work on this database. */
  log: Logger;
  /** Whether it is the embedded database, which no other process uses. */
  embedded: boolean;
  /** For callers with a role on all pages. */
  read: RunRead;
  /** For callers with roles on some pages, whose reads yield to others on the embedded database. */
  readOfPages: RunRead;
  /** Runs reads of such a caller in the open transaction of a request. They yield in the same way. */
  yieldInTransaction<Result>(read: () => Promise<Result>): Promise<Result>;
  /** For callers without one, who get their own connections and statement names, and little time. */
  readAnonymous: RunRead;
  /** For callers without a token, from replicas. Null without any. */
  replicas: Replicas | null;
  /** For callers with a token: any rows. */
  queryPrepared: RunQuery;
  /** Of statements for callers with a token, and of transactions. */
  statementNames: StatementNames;
  /** Emits every page that a transaction of this process changed, after the commit. */
  changes: CommittedChanges;
  /** Of the writes to each page that `Admission` does not limit (`Writer.lockingTransactionOf`). */
  writesOfPages: KeyedQueue;
  /** The statements that begin a transaction. */
  begin: string;
  /** Borrows a connection of the pool. The caller releases it. */
  connect(): Promise<pg.PoolClient>;
  /** Runs a statement outside of any transaction. */
  query: RunQuery;
  /** Runs work whose statements may take as long as they need, on the embedded database. */
  withoutTimeLimit<Result>(work: () => Promise<Result>): Promise<Result>;
  /** A client beside the pools, without the timeouts of requests. The caller connects and ends it. */
  createClient(): pg.Client;
  diskSpace: Pick<DiskSpace, 'isFull' | 'report'>;
  /** LISTEN, on a connection of its own. */
  listen: Listen;
  /** The connections for all work of the service, and those for callers without a token. */
  pools: Readonly<Record<'service' | 'anonymous', PoolState>>;
  close(): Promise<void>;
}

interface OrmOptions {
  settings: Settings;
  entities: readonly EntityClass<object>[];
}

interface DatabaseOptions extends OrmOptions {
  log: Logger;
  /** In place of the one that the settings would open. The caller closes it. */
  server?: EmbeddedServer;
}

const createEmbeddedServer = ({ settings, log }: OrmOptions & Partial<DatabaseOptions>) =>
  new EmbeddedServer({ dataDir: isInMemory(settings) ? 'memory://' : databaseFolder(settings.dataDir) }, error =>
    log?.error({ err: error }, 'the embedded database failed, and is started again'),
  );

const isInMemory = ({ dataDir }: Settings) => dataDir.startsWith('memory:');

/** An ORM that connects when it is first used. */
const configure = ({ settings, entities }: OrmOptions, target: Target) =>
  createOrmConfiguration({
    entities,
    // The ORM requires a name; the driver connects to the database of its own options.
    dbName: 'postgres',
    driverOptions: createPoolOptions(settings, serviceLimits(settings), target),
  });

/** Creates an ORM that knows the entities and never connects. */
export const createOfflineOrm = (options: OrmOptions): MikroORM =>
  new MikroORM(configure(options, { server: createEmbeddedServer(options) }));

/** A failed connection makes the next one try the next server. */
async function connect(pool: pg.Pool, target: Target): Promise<void> {
  let serversLeft = 'server' in target ? 1 : target.connections.length;
  for (;;)
    try {
      await pool.query('select 1');
      return;
    } catch (error) {
      serversLeft -= 1;
      if (!serversLeft || toRefusal(error)?.code !== 'UNAVAILABLE') throw error;
    }
}

export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const { settings, log } = options;
  const embedded = !settings.databaseUrl;
  if (embedded && !options.server && !isInMemory(settings)) {
    await mkdir(settings.dataDir, { recursive: true, mode: 0o700 });
    const folder = databaseFolder(settings.dataDir);
    await prepareDataDirectory(folder, incompleteCopy(folder));
  }
  const server = embedded ? (options.server ?? createEmbeddedServer(options)) : null;
  // Before a pool waits for it: crash recovery takes its time.
  await server?.open().catch(error => {
    throw describeDamage(databaseFolder(settings.dataDir), error);
  });
  const target = server ? { server } : { connections: await chooseConnections(settings, 'databaseUrl') };
  const pooledBegins = createPooledBegins(settings);
  const direct = pooledBegins && { connections: await chooseConnections(settings, 'databaseDirectUrl') };
  const orm = await MikroORM.init(configure(options, target));
  const pool = (await orm.em.getConnection().getNativeClient()) as pg.Pool;
  const createPool = (limits: StatementLimits) => {
    const created = new pg.Pool(createPoolOptions(settings, limits, target));
    // A connection that is lost while it is idle is replaced when it is needed.
    created.on('error', () => {});
    created.on('connect', client => client.on('error', () => {}));
    return created;
  };
  const anonymousPool = createPool(anonymousLimits);
  const pagePool = server && createPool(pageLimits(settings));
  // What needs a session gets clients with its options. It has a connection of its own at the start alone.
  const directPool = direct ? new pg.Pool(createPoolOptions(settings, serviceLimits(settings), direct)) : pool;
  directPool.on('error', () => {});
  const readers = createPoolReaders(pool, anonymousPool, pooledBegins, pagePool);
  const replicas = settings.databaseReplicaUrls.length && !embedded ? new Replicas(settings, readers) : null;
  const close = async () => {
    await replicas?.close();
    await anonymousPool.end();
    await pagePool?.end();
    if (directPool !== pool) await directPool.end();
    // Before the ORM, which would open another pool for a transaction that still runs.
    await pool.end();
    await orm.close(true);
    if (!options.server) await server?.close();
  };
  try {
    const diskSpace = new DiskSpace(pool, log);
    // Fails where the database does not exist or does not respond.
    await connect(pool, target);
    if (!embedded) await checkServers(pool, directPool);
    return {
      orm,
      log,
      embedded,
      changes: new CommittedChanges(),
      writesOfPages: new KeyedQueue(),
      ...readers,
      replicas,
      begin: pooledBegins?.service ?? 'begin',
      connect: () => pool.connect(),
      yieldInTransaction: read => (server ? server.readYielding(transactionYieldMs, read) : read()),
      withoutTimeLimit: work => (server ? server.withoutTimeLimit(work) : work()),
      createClient: () => createClient(directPool, { query_timeout: 0 }),
      diskSpace,
      listen: embedded ? listenToNobody : createListener(directPool),
      pools: { service: pool, anonymous: anonymousPool },
      close: async () => {
        diskSpace.stop();
        await close();
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}
