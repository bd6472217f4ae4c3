import { createHash } from 'node:crypto';
import type { Context } from 'koa';
import type { Transaction } from '../db/committed-changes.js';
import type { Database, EntityManager } from '../db/database.js';
import { query } from '../db/prepared-statements.js';
import { inTransaction } from '../db/transaction.js';
import { badRequest, invalid, Refusal } from '../core/errors.js';
import type { Problem } from '../core/problems.js';

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

/** Reads the key of a POST; other methods ignore it. */
export function readIdempotencyKey({ method, headers }: Pick<Context, 'method' | 'headers'>): string | undefined {
  const key = headers['idempotency-key'];
  if (method !== 'POST' || key === undefined) return undefined;
  if (typeof key !== 'string' || key.length < 1 || key.length > 255)
    throw badRequest('An Idempotency-Key has 1 to 255 characters.');
  return key;
}

export interface IdempotentResult {
  response: StoredResponse;
  isReplayed: boolean;
}

/** What is larger counts for its caller, who chooses how much a response has. A notice with its text has some kB. */
const smallBytes = 16 * 1024;
/** Of larger responses of a caller that are stored at a time: four of the largest. Most tokens have no other limit. */
export const maxStoredBytes = 64 * 1024 * 1024;

/** Runs requests that have an Idempotency-Key. */
export class IdempotentRequests {
  /** Those that run in this process; the advisory lock covers the other processes. */
  private readonly running = new Set<string>();

  constructor(private readonly database: Database) {}

  /**
   * Runs `work` once per key. The first successful response is stored in the transaction of its effect, and replayed to
   * the same request with the same key for 24 hours. `work` runs in that transaction; if it throws, the key stays free,
   * and so it does where the caller has no room for the response: then nothing is written.
   */
  runOnce(scope: IdempotencyScope, work: (em: Transaction) => Promise<StoredResponse>): Promise<IdempotentResult> {
    return this.runExclusively(scope, id =>
      inTransaction(this.database, async em => {
        const stored = await findStored(em, id, scope);
        if (stored) return { response: stored, isReplayed: true };
        const response = await work(em);
        if (!(await store(em, id, scope, response))) throw noRoom();
        return { response, isReplayed: false };
      }),
    );
  }

  /**
   * The same for work that waits for other servers, during which no transaction may be open. A process that dies
   * between the effect and the storing of its response leaves the key free, and so does a response without room.
   */
  runOnceThenStore(scope: IdempotencyScope, work: () => Promise<StoredResponse>): Promise<IdempotentResult> {
    return this.runExclusively(scope, async id => {
      const stored = await inTransaction(this.database, em => findStored(em, id, scope));
      if (stored) return { response: stored, isReplayed: true };
      const response = await work();
      await inTransaction(this.database, em => store(em, id, scope, response));
      return { response, isReplayed: false };
    });
  }

  private async runExclusively<Result>(
    { caller, path, key }: IdempotencyScope,
    work: (id: string) => Promise<Result>,
  ): Promise<Result> {
    const id = createHash('sha256')
      .update(JSON.stringify([caller, path, key]))
      .digest('hex');
    if (this.running.has(id)) throw stillRunning();
    this.running.add(id);
    try {
      return await work(id);
    } finally {
      this.running.delete(id);
    }
  }
}

/** Also locks the key until the end of the transaction. */
async function findStored(em: EntityManager, id: string, scope: IdempotencyScope): Promise<StoredResponse | undefined> {
  const [lock] = await query<{ acquired: boolean }>(
    em,
    `select pg_try_advisory_xact_lock(hashtextextended($1, 1)) as acquired`,
    [id],
  );
  if (!lock!.acquired) throw stillRunning();
  const [stored] = await query<StoredResponse & { fingerprint: string }>(
    em,
    `select fingerprint, status, headers, body from idempotent_response
     where id = $1 and created_at > clock_timestamp() - interval '24 hours'`,
    [id],
  );
  if (stored && stored.fingerprint !== scope.fingerprint) throw invalid({ idempotencyKey: [usedOtherwise] });
  return stored;
}

/** False, and nothing is stored, where the caller has no room for it. */
async function store(
  em: EntityManager,
  id: string,
  { caller, fingerprint }: IdempotencyScope,
  { status, headers, body }: StoredResponse,
): Promise<boolean> {
  const bytes = Buffer.byteLength(body);
  const isLarge = bytes > smallBytes;
  if (isLarge && (await countStoredBytes(em, caller)) + bytes > maxStoredBytes) return false;
  await query(
    em,
    `insert into idempotent_response
       (id, fingerprint, status, headers, body, created_at, counted_caller, counted_bytes)
     values ($1, $2, $3, $4, $5, clock_timestamp(), $6, $7)
     on conflict (id) do update set fingerprint = excluded.fingerprint, status = excluded.status,
       headers = excluded.headers, body = excluded.body, created_at = excluded.created_at,
       counted_caller = excluded.counted_caller, counted_bytes = excluded.counted_bytes`,
    [id, fingerprint, status, JSON.stringify(headers), body, isLarge ? caller : null, isLarge ? bytes : null],
  );
  return true;
}

async function countStoredBytes(em: EntityManager, caller: string): Promise<number> {
  const [row] = await query<{ bytes: number }>(
    em,
    `select coalesce(sum(counted_bytes), 0)::float8 as bytes from idempotent_response
     where counted_caller = $1 and created_at > clock_timestamp() - interval '24 hours'`,
    [caller],
  );
  return row!.bytes;
}

const noRoom = () =>
  new Refusal(
    'THROTTLED',
    `The stored responses to requests with an Idempotency-Key have ${maxStoredBytes / 1024 / 1024} MB of the last ` +
      '24 hours. Nothing was written. Select less, or send no key.',
    { retryAfter: 3_600 },
  );

const usedOtherwise: Problem = {
  code: 'TAKEN',
  messages: ['was used with other parameters'],
  requirement: 'must be new, since it was used with other parameters',
};

const stillRunning = () => new Refusal('CONFLICT', 'The first request with this Idempotency-Key is still running.');
