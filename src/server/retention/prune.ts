import { setTimeout as wait } from 'node:timers/promises';
import { deleteOldEntries, oldEntriesSql } from '../../people/audit/audit-log.service.js';
import type { Settings } from '../../core/config.js';
import type { Database, EntityManager } from '../../db/database.js';
import type { BackgroundTask } from '../../db/poll.js';
import { query } from '../../db/prepared-statements.js';
import { inTransaction, withOwnConnection } from '../../db/transaction.js';
import { countOldDeliveriesSql, deleteOldDeliveries } from '../../notifications/delivery/delete-deliveries.js';
import { deleteUnsubscribed, oldUnsubscribedSql } from '../../subscribers/unsubscribed-address.js';
import { expiredRows } from './expired-rows.js';

type RetentionSettings = Pick<Settings, 'deliveryRetentionDays' | 'auditRetentionDays'>;

interface RetentionTask {
  kind: string;
  countSql: string;
  values: unknown[];
  /** Deletes a batch. */
  run(em: EntityManager): Promise<{ count: number; hasMore: boolean }>;
}

/** Rows of one kind that were deleted, or that would be. */
export interface PrunedRows {
  kind: string;
  count: number;
}

const batchSize = 1_000;
/** The same of a kind whose records can be large: other requests wait for a statement. */
const largeBatchSize = 20;
/** After each batch, so that others get their turn on the embedded database. */
const pauseMs = 20;
/** The advisory lock of a batch: of several processes one deletes. "prun" in ASCII. */
const lockKey = 0x7072756e;

const listExpired = (): RetentionTask[] =>
  expiredRows.map(({ kind, table, key, condition, isLarge }) => ({
    kind,
    countSql: `select count(*)::integer as count from ${table} t where ${condition}`,
    values: [],
    run: async em => {
      const limit = isLarge ? largeBatchSize : batchSize;
      const rows = await query(
        em,
        // For a row that another transaction has changed meanwhile, PostgreSQL checks the outer condition alone again.
        `delete from ${table} t where ${condition}
           and (${key}) in (select ${key} from ${table} t where ${condition} limit ${limit}) returning 1`,
      );
      return { count: rows.length, hasMore: rows.length === limit };
    },
  }));

const countSql = (rowsSql: string) => `select count(*)::integer as count from (${rowsSql}) rows`;

function listTasks({ deliveryRetentionDays: days, auditRetentionDays }: RetentionSettings): RetentionTask[] {
  let after = '0';
  const deliveries: RetentionTask = {
    kind: 'deliveries, with their attempts',
    countSql: countOldDeliveriesSql,
    values: [days],
    run: async em => {
      const batch = await deleteOldDeliveries(em, { after, days, limit: batchSize });
      after = batch.last ?? after;
      return batch;
    },
  };
  const unsubscribed: RetentionTask = {
    kind: 'people who unsubscribed',
    countSql: countSql(oldUnsubscribedSql),
    values: [days],
    run: em => deleteUnsubscribed(em, days, batchSize),
  };
  const entries: RetentionTask = {
    kind: 'entries of the audit log',
    countSql: countSql(oldEntriesSql),
    values: [auditRetentionDays],
    run: async em => {
      const count = await deleteOldEntries(em, auditRetentionDays, batchSize);
      return { count, hasMore: count > 0 };
    },
  };
  return [...listExpired(), ...(days ? [deliveries, unsubscribed] : []), ...(auditRetentionDays ? [entries] : [])];
}

/**
 * Deletes what has been stored for its time, in batches of a transaction each, until nothing is left or `stop` aborts.
 * Returns what it deleted, which is less where another process deletes as well. Throws the first error at the end.
 */
export async function prune(
  database: Database,
  settings: RetentionSettings,
  stop?: AbortSignal,
): Promise<PrunedRows[]> {
  const pruned: PrunedRows[] = [];
  let failure: unknown;
  for (const task of listTasks(settings)) {
    let total = 0;
    try {
      for (let hasMore = true; hasMore && !stop?.aborted; ) {
        const batch = await inTransaction(database, em => runLocked(em, task));
        total += batch.count;
        hasMore = batch.hasMore;
        if (hasMore) await wait(pauseMs);
      }
    } catch (error) {
      failure ??= error;
    }
    pruned.push({ kind: task.kind, count: total });
  }
  if (failure) throw failure;
  return pruned;
}

async function runLocked(em: EntityManager, task: RetentionTask): ReturnType<RetentionTask['run']> {
  const [lock] = await query<{ acquired: boolean }>(em, 'select pg_try_advisory_xact_lock($1) as acquired', [lockKey]);
  return lock!.acquired ? task.run(em) : { count: 0, hasMore: false };
}

/** Counts what `prune` would delete now. Counting the deliveries of years takes longer than a request may. */
export const countPrunable = (database: Database, settings: RetentionSettings): Promise<PrunedRows[]> =>
  withOwnConnection(database, async client => {
    const counted: PrunedRows[] = [];
    for (const { kind, countSql, values } of listTasks(settings)) {
      const { rows } = await client.query<{ count: number }>(countSql, values);
      counted.push({ kind, count: rows[0]!.count });
    }
    return counted;
  });

export const createRetentionTask = (database: Database, settings: RetentionSettings): BackgroundTask => ({
  name: 'the deletion of expired records',
  intervalMs: 10 * 60_000,
  // The first round of an old installation deletes millions.
  roundSeconds: 6 * 3_600,
  failureMessage: 'expired records could not be deleted',
  run: stop => prune(database, settings, stop),
});
