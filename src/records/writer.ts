import type { EntityClass, RequiredEntityData } from '@mikro-orm/core';
import { type FieldMessages, preconditionFailed } from '../core/errors.js';
import { Validation } from '../core/validation.js';
import { markPageChanged } from '../db/change-feed/committed-changes.js';
import type { Database, EntityManager } from '../db/connection.js';
import { readInTransaction } from '../db/prepared-statements.js';
import { databaseNow, inTransaction } from '../db/transaction.js';
import { Timestamped } from '../db/timestamped.entity.js';
import { compilePath, findMissing, isPossibleId, type PathStep, type RecordPath, resolvePath } from './record-path.js';
import { findKey, type Meta, Statement } from './select-sql.js';

/** One transaction: its records, its time, and the validation of its input. */
export class Unit {
  private readonly touched = new Set<Timestamped>();

  constructor(
    readonly em: EntityManager,
    /** The database's clock, to the millisecond: the same for everything that the transaction writes. */
    readonly now: Date,
    readonly validation: Validation,
    /** Who writes: the key of a token, or a part of the service. */
    readonly actor: string,
  ) {}

  /**
   * Finds the record at a path and locks it until the transaction ends. Refuses in the order of the contract: first
   * what does not exist, then a version that is not one of `versions` (null: any). The input is validated after both.
   */
  async find<Entity extends object>(path: RecordPath, versions?: readonly number[] | null): Promise<Entity> {
    const steps = resolvePath(this.em, path);
    const last = steps.at(-1)!;
    const key = findKey(last.meta);
    this.markPage(steps[0]!.meta, steps[0]!.id);
    const row = steps.every(isPossibleId) ? await this.selectId(steps, true) : null;
    if (!row) throw await findMissing(steps, async partial => (await this.selectId(partial, false)) !== null);
    const id = key.type === 'integer' ? Number(row.id) : row.id;
    const record = (await this.em.findOneOrFail(last.meta.class as EntityClass<Entity>, { [key.name]: id } as never, {
      refresh: true,
    })) as Entity;
    if (versions && !versions.includes((record as unknown as Timestamped).version)) throw preconditionFailed();
    return record;
  }

  private selectId(steps: PathStep[], isLocking: boolean) {
    const statement = new Statement(
      { caller: { kind: 'token', key: '', scope: 'write' }, outputMode: 'rest', maximumListSize: 0 },
      {},
      () => ({ conditions: [], limit: 0 }),
    );
    const { from, where } = compilePath(steps, statement);
    const { alias, meta } = steps.at(-1)!;
    const selected = `''::text as body, ${alias}.${findKey(meta).fieldNames[0]}::text as id`;
    const lock = isLocking ? ` for no key update of ${alias}` : '';
    const text = `select ${selected} from ${from} where ${where.join(' and ')}${lock}`;
    return readInTransaction(this.em)(text, statement.values);
  }

  create<Entity extends Timestamped>(entity: EntityClass<Entity>, data: Partial<RequiredEntityData<Entity>>): Entity {
    const record = this.em.create(entity, {
      ...data,
      createdAt: this.now,
      updatedAt: this.now,
    } as unknown as RequiredEntityData<Entity>);
    this.em.persist(record);
    this.markPage(this.em.getMetadata().get(entity) as Meta, (data as { id?: string }).id);
    return record;
  }

  /** Marks the page of a write as changed. Every path of a write begins with its page, so no write can forget it. */
  private markPage({ className }: Meta, id: string | number | undefined): void {
    if (className === 'Page' && id !== undefined) markPageChanged(this.em, String(id));
  }

  /** Counts a record as written although none of its own columns changed: a notice that got an update. */
  touch(record: Timestamped): void {
    this.touched.add(record);
  }

  /** Writes the changes. A changed or touched record gets the next version. Returns whether anything was written. */
  async save(): Promise<boolean> {
    const work = this.em.getUnitOfWork();
    work.computeChangeSets();
    const changeSets = work.getChangeSets();
    for (const { type, entity } of changeSets)
      if (type === 'update' && entity instanceof Timestamped) this.touched.add(entity);
    for (const { owner, property } of work.getCollectionUpdates())
      if (property.owner && owner instanceof Timestamped) this.touched.add(owner);
    for (const record of this.touched) {
      if (changeSets.some(({ type, entity }) => entity === record && type !== 'update')) continue;
      record.updatedAt = this.now;
      record.version += 1;
    }
    const hasWritten = changeSets.length > 0 || this.touched.size > 0;
    this.touched.clear();
    await this.em.flush();
    return hasWritten;
  }
}

/** Runs writes, each as one transaction. */
export class Writer {
  constructor(
    private readonly database: Database,
    /** What was already found wrong with the input when it was parsed, by field. */
    private readonly inputErrors: FieldMessages = {},
    /** The open transaction to write in; without it each write begins its own. */
    private readonly openTransaction?: EntityManager,
    private readonly actor = 'the service',
  ) {}

  transaction<Result>(work: (unit: Unit) => Promise<Result>): Promise<Result> {
    const run = async (em: EntityManager) =>
      work(new Unit(em, await databaseNow(em), new Validation(this.inputErrors), this.actor));
    return this.openTransaction ? run(this.openTransaction) : inTransaction(this.database, run);
  }

  /** Runs actions and rolls them back; only the result of `work` remains. Cannot be nested in a transaction. */
  async dryRun<Result>(work: (write: Writer) => Promise<Result>): Promise<Result> {
    try {
      return await inTransaction(this.database, async em => {
        throw new Rollback(await work(new Writer(this.database, this.inputErrors, em, this.actor)));
      });
    } catch (error) {
      if (error instanceof Rollback) return error.result as Result;
      throw error;
    }
  }
}

/** Thrown to roll back a dry run; carries its result out of the transaction. */
class Rollback {
  constructor(readonly result: unknown) {}
}
