import type {
  Configuration,
  EntityDictionary,
  EntityName,
  NativeInsertUpdateManyOptions,
  QueryResult,
  Transaction,
} from '@mikro-orm/core';
import { NativeQueryBuilder, PostgreSqlConnection, PostgreSqlDriver } from '@mikro-orm/postgresql';
import { PipelinedTransaction } from './pipelined-transaction.js';
import { StatementNames } from './statement-names.js';

/**
 * Sends the values of statements as parameters. MikroORM writes them into the text, so that each statement is another
 * and none can be prepared.
 */
export class ParameterConnection extends PostgreSqlConnection {
  private readonly names = new StatementNames('write', 200);
  private isClosed = false;

  /** Not once it was closed: MikroORM would open another pool, which nobody closes. */
  override async connect(...args: Parameters<PostgreSqlConnection['connect']>): Promise<void> {
    if (this.isClosed) throw new Error('The database was closed.');
    await super.connect(...args);
  }

  override async close(force?: boolean): Promise<void> {
    this.isClosed = true;
    await super.close(force);
  }

  async openTransaction(): Promise<PipelinedTransaction> {
    return new PipelinedTransaction(await (await this.getNativeClient()).connect(), this.names);
  }

  override async execute<Result>(...args: Parameters<PostgreSqlConnection['execute']>): Promise<Result> {
    const [query, given = [], method = 'all', context] = args;
    const transaction = context as Transaction | undefined;
    const { sql, params } = query instanceof NativeQueryBuilder ? query.toRaw() : { sql: query, params: given };
    const statement = typeof sql === 'string' && Array.isArray(params) ? toParameters(sql, params) : null;
    if (!statement || !(transaction instanceof PipelinedTransaction)) return super.execute(...args) as Promise<Result>;
    const { text, values } = statement;
    // A flush reads only what its statements return: it counts no rows, since no entity has MikroORM's own version.
    if (method === 'run' && !text.includes(' returning ')) {
      transaction.runUnread(text, values);
      return this.transformRawResult<Result>({ rows: [] }, method);
    }
    return this.transformRawResult<Result>({ rows: await transaction.run(text, values) }, method);
  }
}

/** Null for what can only be written into the text: names, lists and fragments of SQL. */
function toParameters(sql: string, params: readonly unknown[]): { text: string; values: unknown[] } | null {
  if (!params.length || sql.includes('??') || sql.includes('\\?') || !params.every(isValue)) return null;
  let count = 0;
  const text = sql.replaceAll('?', () => `$${++count}`);
  return count === params.length
    ? { text, values: params.map(value => (value instanceof Date ? value.toISOString() : value)) }
    : null;
}

const isValue = (value: unknown): boolean =>
  value === null ||
  value instanceof Date ||
  value instanceof Uint8Array ||
  ['string', 'number', 'bigint', 'boolean'].includes(typeof value);

export class ParameterDriver extends PostgreSqlDriver {
  constructor(configuration: Configuration) {
    super(configuration);
    Object.assign(this, { connection: new ParameterConnection(this.config) });
  }

  /** Writes the defaults of rows that relate two records, so that the statement need not return them. */
  override nativeInsertMany<Entity extends object>(
    entity: EntityName<Entity>,
    rows: EntityDictionary<Entity>[],
    options?: NativeInsertUpdateManyOptions<Entity>,
    transform?: (sql: string) => string,
  ): Promise<QueryResult<Entity>> {
    const { compositePK, props } = this.metadata.get(entity);
    const withDefault = compositePK ? props.filter(prop => prop.default !== undefined) : [];
    const defaults = Object.fromEntries(withDefault.map(prop => [prop.name, prop.default]));
    const complete = withDefault.length ? rows.map(row => ({ ...defaults, ...row })) : rows;
    return super.nativeInsertMany(entity, complete, options, transform);
  }
}
