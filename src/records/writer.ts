import type { FieldProblems } from '../core/problems.js';
import { Validation } from '../core/validation.js';
import type { AuditOrigin } from '../db/audit.js';
import type { Transaction } from '../db/committed-changes.js';
import type { Database } from '../db/database.js';
import { inDryRun, inReadOnlyTransaction, inSavepoint, inTransaction } from '../db/transaction.js';
import { type AuthorizePage, Unit } from './unit.js';

interface WriterOptions {
  /** What was already found wrong with the input when it was parsed, by field. */
  inputErrors?: FieldProblems;
  /** The open transaction to write in; without it each write begins its own. */
  openTransaction?: Transaction;
  /** Who writes: the key of a token, or a part of the service. */
  actor?: string;
  /** Whom the audit log names. Without it nothing is logged, as for visitors. */
  origin?: AuditOrigin;
  /** Throws unless the caller has access to the page. */
  authorize?: AuthorizePage;
  /** Throws where the open transaction has taken too long for a further operation. */
  checkTime?: () => void;
}

/** Of a page, at a time. See `lockingTransactionOf`. */
const maxWrites = 2;

export class Writer {
  constructor(
    private readonly database: Database,
    private readonly options: WriterOptions = {},
    private readonly progress = { committed: 0 },
  ) {}

  /** Throws where the open transaction has taken too long for a further operation. */
  checkTime(): void {
    this.options.checkTime?.();
  }

  /** A writer for one operation of the caller: it checks each page that the operation locks, and logs its name. */
  forOperation(operation: string, authorize: AuthorizePage): Writer {
    const { database, options, progress } = this;
    const origin = options.origin && { ...options.origin, operation };
    return new Writer(database, { ...options, authorize, origin }, progress);
  }

  /** A writer for the further transactions of an operation, of which the log has an entry already. */
  withoutLog(): Writer {
    return new Writer(this.database, { ...this.options, origin: undefined }, this.progress);
  }

  /** Whether any of its transactions succeeded. */
  get hasWritten(): boolean {
    return this.progress.committed > 0;
  }

  /** In an open transaction, one that fails is undone alone. */
  transaction<Result>(work: (unit: Unit) => Promise<Result>): Promise<Result> {
    return this.lockingTransaction(async unit => {
      await unit.started;
      return work(unit);
    });
  }

  /** The same for work that begins with `find` or `lock`: the clock is read in the same round trip. */
  async lockingTransaction<Result>(work: (unit: Unit) => Promise<Result>): Promise<Result> {
    const { openTransaction, origin } = this.options;
    const run = async (em: Transaction) => {
      const unit = this.createUnit(em);
      const result = await work(unit);
      const entry = origin && unit.toAuditEntry(origin);
      if (entry) em.pending.auditEntries.push(entry);
      return result;
    };
    const result = await (openTransaction ? inSavepoint(openTransaction, run) : inTransaction(this.database, run));
    this.progress.committed += 1;
    return result;
  }

  /**
   * The same for a write to a page that `Admission` does not limit: two of a page run at a time. The lock of a page can
   * be held for seconds, and each that waits for it has a connection, which others would lack.
   */
  lockingTransactionOf<Result>(pageId: string, work: (unit: Unit) => Promise<Result>): Promise<Result> {
    const { writesOfPages } = this.database;
    return writesOfPages.run(pageId, () => this.lockingTransaction(work), { concurrency: maxWrites });
  }

  /** Runs several writes in one transaction: all of them are made, or none. */
  together<Result>(work: (write: Writer) => Promise<Result>): Promise<Result> {
    const { database, options, progress } = this;
    const run = (em: Transaction) => work(new Writer(database, { ...options, openTransaction: em }, progress));
    return options.openTransaction ? run(options.openTransaction) : inTransaction(database, run);
  }

  /** Makes a write and rolls it back. It fails if a lock that it needs is not free within a second. */
  dryRun<Result>(work: (unit: Unit) => Promise<Result>): Promise<Result> {
    return inDryRun(this.database, async em => {
      const unit = this.createUnit(em);
      await unit.started;
      return work(unit);
    });
  }

  /** Runs work that only reads: it takes no locks, and the database refuses writes. */
  readOnly<Result>(work: (unit: Unit) => Promise<Result>): Promise<Result> {
    return inReadOnlyTransaction(this.database, em => work(this.createUnit(em, false)));
  }

  private createUnit(em: Transaction, canWrite = true): Unit {
    const { inputErrors, actor = 'the service', authorize } = this.options;
    return new Unit(em, new Validation(inputErrors), actor, authorize, canWrite);
  }
}
