import { createHash } from 'node:crypto';
import type { Database, EntityManager } from '../db/connection.js';
import { query } from '../db/prepared-statements.js';
import { inTransaction } from '../db/transaction.js';
import { invalid, Refusal } from '../core/errors.js';

/** A response with everything that a replay needs. */
export interface StoredResponse {
  status: number;
  headers: Record<string, string>;
  body: string;
}

interface IdempotencyScope {
  caller: string;
  path: string;
  key: string;
  fingerprint: string;
}

/** Requests running in this process, for each database; the advisory lock covers the other processes. */
const runningByDatabase = new WeakMap<Database['orm'], Set<string>>();

/**
 * Runs `work` once per key. The first successful response is stored in the transaction of its effect, and replayed to
 * the same request with the same key for 24 hours. `work` runs in that transaction; if it throws, the key stays free.
 */
export async function runOnce(
  database: Database,
  scope: IdempotencyScope,
  work: (em: EntityManager) => Promise<StoredResponse>,
): Promise<{ response: StoredResponse; isReplayed: boolean }> {
  const id = createHash('sha256')
    .update(JSON.stringify([scope.caller, scope.path, scope.key]))
    .digest('hex');
  const running = runningByDatabase.get(database.orm) ?? new Set();
  runningByDatabase.set(database.orm, running);
  if (running.has(id)) throw stillRunning();
  running.add(id);
  try {
    return await inTransaction(database, async em => {
      const [lock] = await query<{ acquired: boolean }>(
        em,
        `select pg_try_advisory_xact_lock(hashtextextended($1, 1)) as acquired`,
        [id],
      );
      if (!lock!.acquired) throw stillRunning();
      const [stored] = await query<StoredResponse & { fingerprint: string }>(
        em,
        `select fingerprint, status, headers, body from idempotent_answer
         where id = $1 and created_at > clock_timestamp() - interval '24 hours'`,
        [id],
      );
      if (stored) {
        if (stored.fingerprint !== scope.fingerprint)
          throw invalid({ idempotencyKey: ['was used with other parameters'] });
        return { response: stored, isReplayed: true };
      }
      const response = await work(em);
      await query(
        em,
        `delete from idempotent_answer where id = $1 or created_at < clock_timestamp() - interval '24 hours'`,
        [id],
      );
      await query(
        em,
        `insert into idempotent_answer (id, fingerprint, status, headers, body, created_at)
         values ($1, $2, $3, $4, $5, clock_timestamp())`,
        [id, scope.fingerprint, response.status, JSON.stringify(response.headers), response.body],
      );
      return { response, isReplayed: false };
    });
  } finally {
    running.delete(id);
  }
}

const stillRunning = () => new Refusal('CONFLICT', 'The first request with this Idempotency-Key is still running.');
