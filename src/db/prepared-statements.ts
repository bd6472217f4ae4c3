import type { PGlite } from '@electric-sql/pglite';
import { CompiledQuery } from 'kysely';
import type { Pool } from 'pg';
import type { EntityManager } from './connection.js';

/** The single row of a read: its JSON, and what HTTP headers need of a record. Null where no row was found. */
export interface ReadRow {
  body: string;
  /** Of a single stored record. */
  id?: string | null;
  version?: number | null;
}

export type RunRead = (text: string, values: unknown[]) => Promise<ReadRow | null>;

/**
 * Gives names to prepared statements, since planning a read takes longer than running it, and neither the ORM nor its
 * query builder prepares. A text gets its name when it is seen for the second time, and only `maximum` texts get one,
 * so that no client can fill the memory of the database's processes.
 */
class StatementNames {
  private readonly seenOnce = new Set<string>();
  /** By the length of the text: comparing long texts costs a tenth of hashing one. */
  private readonly names = new Map<number, { text: string; name: string }[]>();
  private count = 0;

  constructor(
    private readonly prefix: string,
    private readonly maximum: number,
  ) {}

  nameFor(text: string): string | undefined {
    const candidates = this.names.get(text.length) ?? [];
    const known = candidates.find(one => one.text === text);
    if (known || this.count >= this.maximum) return known?.name;
    if (!this.seenOnce.has(text)) {
      if (this.seenOnce.size >= this.maximum) this.seenOnce.clear();
      this.seenOnce.add(text);
      return undefined;
    }
    const name = `${this.prefix}${this.count++}`;
    this.names.set(text.length, [...candidates, { text, name }]);
    return name;
  }
}

/**
 * Reads through the pool, so it sees committed rows only. Results come in text format: in binary format pg would decode
 * each value as text and encode it again, which is slower and corrupts numbers from 128 on.
 */
const readFromPool =
  (pool: Pool, names: StatementNames): RunRead =>
  async (text, values) =>
    (await pool.query<ReadRow>({ name: names.nameFor(text), text, values })).rows[0] ?? null;

/** Anonymous callers get their own pool of statement names, so that they cannot use up those of operators. */
export const createPoolReaders = (pool: Pool) => ({
  read: readFromPool(pool, new StatementNames('read', 400)),
  readAnonymous: readFromPool(pool, new StatementNames('anonymous', 100)),
});

/** Reads from the embedded database. Waits for an open transaction, since there is a single connection. */
export const readFromEmbedded =
  (database: PGlite): RunRead =>
  async (text, values) =>
    (await database.query<ReadRow>(text, values)).rows[0] ?? null;

/** Reads in a transaction, and so sees what it wrote. */
export const readInTransaction =
  (em: EntityManager): RunRead =>
  async (text, values) =>
    (await query<ReadRow>(em, text, values))[0] ?? null;

/** Runs a statement in a transaction. */
export async function query<Row>(em: EntityManager, text: string, values: unknown[] = []): Promise<Row[]> {
  return (await em.getKysely().executeQuery<Row>(CompiledQuery.raw(text, values))).rows;
}
