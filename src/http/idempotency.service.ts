import { createHash } from 'node:crypto';
import type { Database, EntityManager } from '../db/connection.js';
import { query } from '../db/prepared-statements.js';
import { inTransaction } from '../records/writer.js';
import { invalid, Refusal } from '../core/errors.js';

/** An answer as it goes over the wire. */
export interface StoredAnswer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** One process knows of its own; the lock in the database knows of all. */
const running = new Set<string>();

/**
 * Answers once: the first good answer is stored in the transaction of its effect, and given again to whoever asks the same with the same key within
 * 24 hours. `work` gets that transaction; what it throws leaves the key free.
 */
export async function answerOnce(
  database: Database,
  place: { caller: string; path: string; key: string; fingerprint: string },
  work: (em: EntityManager) => Promise<StoredAnswer>,
): Promise<{ answer: StoredAnswer; replayed: boolean }> {
  const id = createHash('sha256')
    .update(JSON.stringify([place.caller, place.path, place.key]))
    .digest('hex');
  if (running.has(id)) throw stillRunning();
  running.add(id);
  try {
    return await inTransaction(database, async em => {
      const [lock] = await query<{ free: boolean }>(
        em,
        `select pg_try_advisory_xact_lock(hashtextextended($1, 1)) as free`,
        [id],
      );
      if (!lock!.free) throw stillRunning();
      const [stored] = await query<StoredAnswer & { fingerprint: string }>(
        em,
        `select fingerprint, status, headers, body from idempotent_answer where id = $1 and created_at > clock_timestamp() - interval '24 hours'`,
        [id],
      );
      if (stored) {
        if (stored.fingerprint !== place.fingerprint)
          throw invalid({ idempotencyKey: ['was used with other parameters'] });
        return { answer: stored, replayed: true };
      }
      const answer = await work(em);
      await query(
        em,
        `delete from idempotent_answer where id = $1 or created_at < clock_timestamp() - interval '24 hours'`,
        [id],
      );
      await query(
        em,
        'insert into idempotent_answer (id, fingerprint, status, headers, body, created_at) values ($1, $2, $3, $4, $5, clock_timestamp())',
        [id, place.fingerprint, answer.status, JSON.stringify(answer.headers), answer.body],
      );
      return { answer, replayed: false };
    });
  } finally {
    running.delete(id);
  }
}

const stillRunning = () => new Refusal('CONFLICT', 'The first request with this Idempotency-Key is still running.');
