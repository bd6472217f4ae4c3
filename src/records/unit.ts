import type { EntityClass, RequiredEntityData } from '@mikro-orm/core';
import type { Caller } from '../auth/access.js';
import { grantEverywhere } from '../auth/roles.js';
import { preconditionFailed } from '../core/errors.js';
import { Timestamped } from '../core/timestamped.entity.js';
import type { Validation } from '../core/validation.js';
import type { AuditedChange, AuditedWrite, AuditOrigin } from '../db/audit.js';
import type { Transaction } from '../db/committed-changes.js';
import { query } from '../db/prepared-statements.js';
import { databaseNow } from '../db/transaction.js';
import {
  identify,
  type RecordedChange,
  recordChanges,
  recordDeletion,
  toAuditedChanges,
  toText,
} from './audited-changes.js';
import type { Meta } from './column-mapping.js';
import {
  compilePath,
  findMissing,
  isPossibleId,
  type PathStep,
  type RecordClass,
  type RecordPath,
  resolvePath,
} from './record-path.js';
import { findMovedPage } from './moved-page.js';
import { getRules } from './record-rules.js';
import { compileColumns } from './table-sql.js';

/** Checks whether the caller of an operation may do it on a page. */
export type AuthorizePage = (pageId: string) => void;

/** Writes find all rows; `authorize` checks the page of each. */
const everyRow: Caller = { kind: 'token', key: '', grants: grantEverywhere('owner') };

/** One transaction: its records, its time, and the validation of its input. */
export class Unit {
  private readonly touched = new Set<Timestamped>();
  private readonly lockedRoots = new Map<string, object>();
  private readonly recorded: RecordedChange[] = [];
  private readonly described: AuditedChange[] = [];
  private subject: { record: string; id(): string; isNew: boolean } | undefined;
  private pageId: string | null = null;
  /** The publication that the change causes. */
  publicationId: number | null = null;
  /** When the clock was read: it is sent with the first statement. */
  readonly started: Promise<void>;
  private clock: Date | undefined;

  constructor(
    readonly em: Transaction,
    readonly validation: Validation,
    /** Who writes: the key of a token, or a part of the service. */
    readonly actor: string,
    /** Throws unless the caller has access to the page. */
    private readonly authorize: AuthorizePage = () => {},
    /** Without it the unit takes no locks, and announces nothing. */
    private readonly canWrite = true,
  ) {
    this.started = this.readClock();
    // Where it fails, so does the first statement.
    this.started.catch(() => {});
  }

  private async readClock(): Promise<void> {
    this.clock = await databaseNow(this.em);
  }

  /** The database's clock, to the millisecond: one time for the transaction, known after its first statement. */
  get now(): Date {
    if (!this.clock) throw new Error('The clock was not read yet.');
    return this.clock;
  }

  /**
   * Finds the record at a path and locks it, and the page, until the transaction ends. Refuses in the order of the
   * API: first what does not exist, then a version that is not one of `versions` (null: any). The input is
   * validated after both.
   */
  async find<Entity extends object>(path: RecordPath, versions?: readonly number[] | null): Promise<Entity> {
    const steps = resolvePath(this.em, path);
    this.authorize(String(steps[0]!.id));
    const [root, below] = await Promise.all([this.lockRoot(steps[0]!), steps.length > 1 ? this.lockStep(steps) : null]);
    const record = root && steps.length > 1 ? below : root;
    if (!record)
      throw await findMissing(steps, {
        exists: async partial => (await this.select(partial)) !== null,
        findMovedPage: pageId => findMovedPage({ query: (text, values) => query(this.em, text, values) }, pageId),
      });
    const { version } = record as Timestamped;
    if (versions && !versions.includes(version)) throw preconditionFailed(version);
    const { meta } = steps.at(-1)!;
    if (!this.subject?.isNew) this.subject = { record: meta.className, id: () => identify(record, meta), isNew: false };
    return record as Entity;
  }

  /**
   * Locks a page until the transaction ends; null if there is none. The only way to write to a page, for `find` too:
   * writes to a page wait for each other, and each is announced after its commit.
   */
  async lock<Root extends object>(entity: RecordClass & EntityClass<Root>, id: string): Promise<Root | null> {
    return (await this.lockRoot(resolvePath(this.em, [[entity, id]])[0]!)) as Root | null;
  }

  private async lockRoot(step: PathStep): Promise<object | null> {
    this.authorize(String(step.id));
    const key = `${step.meta.className} ${step.id}`;
    const root = this.lockedRoots.get(key) ?? (await this.lockStep([step]));
    if (!root) return null;
    this.lockedRoots.set(key, root);
    this.pageId = String(step.id);
    this.announce(step.meta, step.id);
    return root;
  }

  /** Locks the record of the last step, and loads it as it is after waiting for the lock. */
  private async lockStep(steps: PathStep[]): Promise<object | null> {
    const { meta, alias } = steps.at(-1)!;
    const row = await this.select(steps, this.canWrite ? ` for no key update of ${alias}` : '');
    return row && this.em.map(meta.class, row);
  }

  private async select(steps: PathStep[], lock = ''): Promise<object | null> {
    if (!steps.every(isPossibleId)) return null;
    const values: unknown[] = [];
    const { from, where } = compilePath(steps, { caller: everyRow, bind: value => `$${values.push(value)}` });
    const { meta, alias } = steps.at(-1)!;
    const text = `select ${compileColumns(meta, alias)} from ${from} where ${where.join(' and ')}${lock}`;
    return (await query<object>(this.em, text, values))[0] ?? null;
  }

  /** Reserves an id for a new record of each class, so that their inserts need not wait for one another. */
  async reserveIds(entities: readonly RecordClass[]): Promise<number[]> {
    const tables = entities.map(entity => this.em.getMetadata().get(entity as EntityClass<object>).tableName);
    const text = `select nextval((name || '_id_seq')::regclass)::integer as id from unnest($1::text[]) name`;
    return (await query<{ id: number }>(this.em, text, [tables])).map(({ id }) => id);
  }

  create<Entity extends Timestamped>(entity: EntityClass<Entity>, data: Partial<RequiredEntityData<Entity>>): Entity {
    const record = this.em.create(entity, {
      ...data,
      createdAt: this.now,
      updatedAt: this.now,
    } as unknown as RequiredEntityData<Entity>);
    this.em.persist(record);
    const meta = this.em.getMetadata().get(entity) as Meta;
    this.announce(meta, (data as { id?: string }).id);
    if (getRules(meta).isAggregateRoot) this.pageId = (data as { id?: string }).id ?? null;
    if (!this.subject?.isNew) this.subject = { record: meta.className, id: () => identify(record, meta), isNew: true };
    return record;
  }

  private announce(meta: Meta, id: string | number | undefined): void {
    if (this.canWrite && getRules(meta).isAggregateRoot) this.em.pending.pageIds.add(String(id));
  }

  /** Counts a record as written although none of its own columns changed: a notice that got an update. */
  touch(record: Timestamped): void {
    this.touched.add(record);
  }

  /**
   * Writes all changes at once. A changed or touched record gets the next version, a new one has its first. Returns
   * whether anything was written that a client can see.
   */
  async save(): Promise<boolean> {
    const hasChanges = this.countVersions();
    this.recorded.push(...recordChanges(this.em));
    await this.em.flush();
    return hasChanges;
  }

  /** Describes the deletion of a record by a statement, and not by the flush, for the audit log. */
  describeDeletion(record: object): void {
    this.recorded.push(recordDeletion(this.em, record));
  }

  /** Describes a change that a statement makes, and not the flush, for the audit log. */
  describeChange(
    record: string,
    id: string,
    fields: Record<string, { before?: unknown; after?: unknown }>,
    pageId = this.pageId,
  ): void {
    this.pageId = pageId;
    this.subject = { record, id: () => id, isNew: true };
    for (const [field, { before, after }] of Object.entries(fields))
      this.described.push({ record, recordId: id, field, before: toText(before), after: toText(after) });
  }

  /** The same for many records that the operation is not about. */
  describeChanges(changes: readonly AuditedChange[]): void {
    this.described.push(...changes);
  }

  /** The entry for the audit log; null if the unit has neither locked a page nor changed a record. */
  toAuditEntry(origin: AuditOrigin): AuditedWrite | null {
    const changes = [...toAuditedChanges(this.recorded), ...this.described];
    // What automation finds unchanged is not an event; an operation is one, also where statements make its change.
    if (!changes.length && (this.pageId === null || origin.interface === 'automation')) return null;
    const { pageId, subject, publicationId } = this;
    return {
      ...origin,
      pageId,
      subject: subject?.record ?? null,
      subjectId: subject?.id() ?? null,
      publicationId,
      changes,
    };
  }

  /** Counts the versions of the changed and touched records. Returns whether a client can see a change. */
  private countVersions(): boolean {
    const work = this.em.getUnitOfWork();
    work.computeChangeSets();
    const changeSets = work.getChangeSets();
    for (const { type, entity, payload, meta } of changeSets) {
      const unversioned: readonly string[] = getRules(meta).unversioned ?? [];
      const isVisible = Object.keys(payload).some(name => !unversioned.includes(name));
      if (type === 'update' && entity instanceof Timestamped && isVisible) this.touched.add(entity);
    }
    for (const { owner, property } of work.getCollectionUpdates())
      if (property.owner && owner instanceof Timestamped) this.touched.add(owner);
    const newOrDeleted = new Set(changeSets.filter(({ type }) => type !== 'update').map(({ entity }) => entity));
    for (const record of this.touched) {
      if (newOrDeleted.has(record)) continue;
      record.updatedAt = this.now;
      record.version += 1;
    }
    const hasChanges = newOrDeleted.size > 0 || this.touched.size > 0;
    this.touched.clear();
    return hasChanges;
  }
}
