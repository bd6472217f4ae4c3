import type { Configuration, Transaction } from '@mikro-orm/core';
import { NativeQueryBuilder, PostgreSqlConnection, PostgreSqlDriver } from '@mikro-orm/postgresql';
import { CompiledQuery } from 'kysely';

/**
 * Sends the values of statements as parameters. MikroORM writes them into the text, so that each statement is another
 * and none can be prepared.
 */
class ParameterConnection extends PostgreSqlConnection {
  override async execute<Result>(...args: Parameters<PostgreSqlConnection['execute']>): Promise<Result> {
    const [query, given = [], method = 'all', transaction] = args;
    const { sql, params } = query instanceof NativeQueryBuilder ? query.toRaw() : { sql: query, params: given };
    const statement = typeof sql === 'string' && Array.isArray(params) ? toParameters(sql, params) : null;
    if (!statement || !transaction) return super.execute(...args) as Promise<Result>;
    const result = await (transaction as Executor).executeQuery(CompiledQuery.raw(statement.text, statement.values));
    return this.transformRawResult<Result>(result, method);
  }
}

type Executor = Transaction & { executeQuery(query: CompiledQuery): Promise<unknown> };

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
}
