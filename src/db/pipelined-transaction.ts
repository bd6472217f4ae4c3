import pg from 'pg';
import { type SentQuery, StatementBatch } from './statement-batch.js';
import type { StatementNames } from './statement-names.js';

/**
 * A transaction on a connection of a pool. Statements that are run in the same turn of the event loop are sent
 * together: one write, and one round trip. Those whose result nobody reads, `begin` among them, wait until another is
 * run. PostgreSQL runs them one after the other, and each sees what those before it wrote; none runs after one that
 * failed.
 */
export class PipelinedTransaction {
  /** Called with the statements of each round trip. */
  onSent?: (texts: string[]) => void;
  private queue: SentQuery[] = [];
  /** Of the statements whose result nobody reads: the first of them that fails is why the others do. */
  private unread: Promise<unknown>[] = [];
  private isScheduled = false;
  private wasSent = false;
  private committing: Promise<void> | undefined;
  private isOver = false;

  constructor(
    private readonly client: pg.PoolClient,
    private readonly names: StatementNames,
  ) {
    this.runUnread('begin');
  }

  async run<Row>(text: string, values: readonly unknown[] = []): Promise<Row[]> {
    return (await this.runNow(text, values)).rows as Row[];
  }

  /** Runs a statement with the next one. If it fails, the next one does, with the same error. */
  runUnread(text: string, values: readonly unknown[] = []): void {
    const result = this.enqueue(text, values);
    result.catch(() => {});
    this.unread.push(result);
  }

  /** Lets a savepoint undo what failed: what follows is sent apart, so that it is run all the same. */
  forgetUnread(): void {
    this.send();
    this.unread = [];
  }

  /** What MikroORM calls for a statement whose values are in its text. */
  async executeQuery({ sql }: { sql: string }): Promise<{ rows: unknown[]; numAffectedRows: bigint }> {
    const { rows, rowCount } = await this.runNow(sql, []);
    return { rows: rows ?? [], numAffectedRows: BigInt(rowCount ?? 0) };
  }

  /**
   * Together with what is run in the same turn. Nothing is sent for a transaction of no statement but `begin`. If it
   * fails, the connection is kept until `rollback`.
   */
  commit(): Promise<void> {
    this.committing = this.runCommit();
    return this.committing;
  }

  /** Does nothing after a commit that succeeded: its connection may have the next transaction already. */
  async rollback(): Promise<void> {
    await this.committing?.catch(() => {});
    if (this.isOver) return;
    this.queue = [];
    this.unread = [];
    const failure = this.wasSent && (await this.runNow('rollback', []).then(() => undefined, toError));
    this.release(failure || undefined);
  }

  private async runCommit(): Promise<void> {
    if (this.queue.length > 1 || this.wasSent) {
      const { command } = await this.runNow('commit', []);
      // After a statement that failed PostgreSQL answers a commit with ROLLBACK, which is no error.
      if (command !== 'COMMIT') throw new Error('A statement of the transaction has failed: nothing was committed.');
    }
    this.release();
  }

  private release(failure?: Error): void {
    this.isOver = true;
    this.client.release(failure);
  }

  private async runNow(text: string, values: readonly unknown[]): Promise<pg.QueryResult> {
    const result = this.enqueue(text, values);
    if (!this.isScheduled) process.nextTick(() => this.send());
    this.isScheduled = true;
    // Rejects with the first error: PostgreSQL refuses all statements after it.
    await Promise.all([...this.unread.splice(0), result]);
    return result;
  }

  private enqueue(text: string, values: readonly unknown[]): Promise<pg.QueryResult> {
    const statement = values.length ? this.findName(text) : undefined;
    return new Promise((resolve, reject) => {
      const callback = (error: Error | null, result: pg.QueryResult) => (error ? reject(error) : resolve(result));
      const types = this.client;
      const query = new pg.Query({
        text,
        ...statement,
        values: values as unknown[],
        types,
        queryMode: 'extended',
      } as never);
      this.queue.push(Object.assign(query as SentQuery, { callback }));
    });
  }

  /** None for all columns of a table: once a migration adds one, PostgreSQL refuses to run what was prepared before. */
  private findName(text: string) {
    return text.includes('.*') ? undefined : this.names.find(text);
  }

  private send(): void {
    this.isScheduled = false;
    const queries = this.queue.splice(0);
    if (!queries.length) return;
    this.wasSent = true;
    this.onSent?.(queries.map(({ text }) => text));
    this.client.query(new StatementBatch(queries));
  }
}

const toError = (error: unknown): Error => error as Error;
