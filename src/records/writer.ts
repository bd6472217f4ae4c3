import type { EntityClass, RequiredEntityData } from '@mikro-orm/core';
import { Checks } from '../core/validation.js';
import { type FieldMessages, stale } from '../core/errors.js';
import { changes, markChanges } from '../db/change-feed/committed-changes.js';
import { missing, type Place, placeSql, possible, stepsOf } from './record-path.js';
import type { Database, EntityManager } from '../db/connection.js';
import { readWithin } from '../db/prepared-statements.js';
import { keyOf, type Meta, moment, Statement } from './select-sql.js';
import { Stamped } from '../db/timestamped.entity.js';

/** One transaction: its records, its moment, and what is wrong with its input. */
export class Unit {
  private readonly touched = new Set<Stamped>();

  constructor(
    readonly em: EntityManager,
    /** The database's clock, to the millisecond; one moment for all that the transaction writes. */
    readonly now: Date,
    readonly checks: Checks,
    /** Who writes: the id of a token, or what in the service does. */
    readonly by: string,
  ) {}

  /**
   * The record at a place, locked until the end of the transaction. Refusals in the order of the contract: what is not there, then a version
   * other than one of `versions` (null: any). The input is judged after both.
   */
  async find<Entity extends object>(place: Place, versions?: readonly number[] | null): Promise<Entity> {
    const steps = stepsOf(this.em, place);
    const last = steps.at(-1)!;
    const key = keyOf(last.meta);
    this.marks(steps[0]!.meta, steps[0]!.id);
    const lock = async (upTo: typeof steps, locked: boolean) => {
      const statement = new Statement(
        { caller: { kind: 'token', key: '', scope: 'write' }, purpose: 'rest', longestList: 0 },
        {},
        () => ({
          conditions: [],
          limit: 0,
        }),
      );
      const { from, where } = placeSql(upTo, statement);
      const { alias, meta } = upTo.at(-1)!;
      const text = `select ''::text as body, ${alias}.${keyOf(meta).fieldNames[0]}::text as id from ${from} where ${where.join(' and ')}${locked ? ` for no key update of ${alias}` : ''}`;
      return readWithin(this.em)(text, statement.values);
    };
    const row = steps.every(possible) ? await lock(steps, true) : null;
    if (!row) throw await missing(steps, async upTo => (await lock(upTo, false)) !== null);
    const id = key.type === 'integer' ? Number(row.id) : row.id;
    const record = (await this.em.findOneOrFail(last.meta.class as EntityClass<Entity>, { [key.name]: id } as never, {
      refresh: true,
    })) as Entity;
    if (versions && !versions.includes((record as unknown as Stamped).version)) throw stale();
    return record;
  }

  create<Entity extends Stamped>(entity: EntityClass<Entity>, data: Partial<RequiredEntityData<Entity>>): Entity {
    const record = this.em.create(entity, {
      ...data,
      createdAt: this.now,
      updatedAt: this.now,
    } as unknown as RequiredEntityData<Entity>);
    this.em.persist(record);
    this.marks(this.em.getMetadata().get(entity) as Meta, (data as { id?: string }).id);
    return record;
  }

  /** Every write goes by the page it belongs to: so none can forget that the page shows something else from now on. */
  private marks({ className }: Meta, id: string | number | undefined): void {
    if (className === 'Page' && id !== undefined) changes(this.em, String(id));
  }

  /** Counts as written even where none of its own columns changes: a notice whose update was written. */
  touch(record: Stamped): void {
    this.touched.add(record);
  }

  /** Writes what changed. A record that changed, or was touched, moves on by one version; one that did not stays as it is. True when anything was written. */
  async save(): Promise<boolean> {
    const work = this.em.getUnitOfWork();
    work.computeChangeSets();
    const changes = work.getChangeSets();
    for (const { type, entity } of changes)
      if (type === 'update' && entity instanceof Stamped) this.touched.add(entity);
    for (const { owner, property } of work.getCollectionUpdates())
      if (property.owner && owner instanceof Stamped) this.touched.add(owner);
    for (const record of this.touched) {
      if (changes.some(({ type, entity }) => entity === record && type !== 'update')) continue;
      record.updatedAt = this.now;
      record.version += 1;
    }
    const written = changes.length > 0 || this.touched.size > 0;
    this.touched.clear();
    await this.em.flush();
    return written;
  }
}

/** How every write goes: one transaction, which the service fills. */
export class Writer {
  constructor(
    private readonly database: Database,
    /** What the edge found wrong with the input, by field. */
    private readonly refused: FieldMessages = {},
    private readonly within?: EntityManager,
    private readonly by = 'the service',
  ) {}

  transaction<Result>(work: (unit: Unit) => Promise<Result>): Promise<Result> {
    const run = async (em: EntityManager) =>
      work(new Unit(em, await databaseNow(em), new Checks(this.refused), this.by));
    // On the embedded database a second transaction must wait here: its driver would mix the two up.
    return this.within ? run(this.within) : inTransaction(this.database, run);
  }

  /** Does what verbs do, with all that follows from it, and undoes it: only what `work` returns is left. Not within a transaction. */
  async rehearse<Result>(work: (write: Writer) => Promise<Result>): Promise<Result> {
    try {
      return await inTransaction(this.database, async em => {
        throw new Undone(await work(new Writer(this.database, this.refused, em, this.by)));
      });
    } catch (error) {
      if (error instanceof Undone) return error.result as Result;
      throw error;
    }
  }
}

/** Carries the result of a rehearsal past the transaction that it undoes. */
class Undone {
  constructor(readonly result: unknown) {}
}

let embeddedQueue: Promise<unknown> = Promise.resolve();

export function inTransaction<Result>(
  database: Database,
  work: (em: EntityManager) => Promise<Result>,
): Promise<Result> {
  const begin = async () => {
    const { result, marked } = await database.orm.em.fork().transactional(async forked => {
      const em = forked as unknown as EntityManager;
      return { result: await work(em), marked: await markChanges(em) };
    });
    for (const change of marked) database.changes.emit('committed', change);
    return result;
  };
  if (!database.embedded) return begin();
  const result = embeddedQueue.then(begin);
  embeddedQueue = result.catch(() => {});
  return result;
}

export async function databaseNow(em: EntityManager): Promise<Date> {
  const row = await readWithin(em)(`select ${moment('clock_timestamp()')} as body`, []);
  return new Date(String(row!.body));
}
