import { CompiledQuery } from 'kysely';
import type { PGlite } from '@electric-sql/pglite';
import type { Pool } from 'pg';
import type { EntityManager } from './connection.js';

/** The one row of a read: its JSON and what the edges want to know of it beside. Null where no row was. */
export interface ReadRow {
  body: string;
  /** Of a single stored record. */
  id?: string | null;
  version?: number | null;
}

export type RunRead = (text: string, values: unknown[]) => Promise<ReadRow | null>;

/**
 * Names for prepared statements: planning one of these costs more than running it, and neither the ORM nor its query builder prepares.
 * A name is given at the second meeting, and to so many texts at most: no client can fill the memory of the database's processes.
 */
class StatementNames {
  private readonly seenOnce = new Set<string>();
  /** By length: to compare long texts costs a tenth of what it costs to hash one. */
  private readonly names = new Map<number, { text: string; name: string }[]>();
  private given = 0;

  constructor(
    private readonly prefix: string,
    private readonly most: number,
  ) {}

  of(text: string): string | undefined {
    const alike = this.names.get(text.length) ?? [];
    const known = alike.find(one => one.text === text);
    if (known || this.given >= this.most) return known?.name;
    if (!this.seenOnce.has(text)) {
      if (this.seenOnce.size >= this.most) this.seenOnce.clear();
      this.seenOnce.add(text);
      return undefined;
    }
    const name = `${this.prefix}${this.given++}`;
    this.names.set(text.length, [...alike, { text, name }]);
    return name;
  }
}

/**
 * On PostgreSQL: the pool itself, prepared. Sees committed rows only. Not in the driver's binary form: that decodes every value as a text as well, and encodes it
 * again, which costs more than it spares and spoils numbers from 128 on.
 */
const readFrom =
  (pool: Pool, names: StatementNames): RunRead =>
  async (text, values) =>
    (await pool.query<ReadRow>({ name: names.of(text), text, values })).rows[0] ?? null;

/** Strangers have names of their own: whatever they make up, those that operators ask for again and again stay prepared. */
export const readsFromPool = (pool: Pool) => ({
  read: readFrom(pool, new StatementNames('read', 400)),
  readForStranger: readFrom(pool, new StatementNames('stranger', 100)),
});

/** On the embedded database: its one connection; waits for a transaction that is open. */
export const readFromEmbedded =
  (database: PGlite): RunRead =>
  async (text, values) =>
    (await database.query<ReadRow>(text, values)).rows[0] ?? null;

/** Within a transaction, where what it wrote is to be seen. */
export const readWithin =
  (em: EntityManager): RunRead =>
  async (text, values) =>
    (await query<ReadRow>(em, text, values))[0] ?? null;

/** Rows of a statement of our own, within a transaction. */
export async function query<Row>(em: EntityManager, text: string, values: unknown[] = []): Promise<Row[]> {
  return (await em.getKysely().executeQuery<Row>(CompiledQuery.raw(text, values))).rows;
}
