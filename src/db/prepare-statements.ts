import type pg from 'pg';
import { createPreparedQuery } from './prepared-query.js';
import type { StatementNames } from './statement-names.js';

type Query = (config: unknown, values?: unknown, callback?: unknown) => unknown;

/**
 * Prepares the statements of transactions on a connection, which neither the ORM nor its query builder prepares: planning
 * one can take ten times as long as running it. Not those of the pool itself, which call back: the plans of the worker
 * have to follow tables that grow within seconds.
 */
export function prepareStatements(client: pg.ClientBase, names: StatementNames): void {
  const query = client.query.bind(client) as Query;
  const queryPrepared: Query = (config, values, callback) => {
    const isOfTransaction = typeof config === 'string' && Array.isArray(values) && values.length > 0 && !callback;
    const statement = isOfTransaction ? findName(config, names) : undefined;
    if (!statement) return query(config, values, callback);
    return new Promise((resolve, reject) => {
      const prepared = createPreparedQuery(statement, values as unknown[]);
      query(prepared, (error: Error | null, result: unknown) => (error ? reject(error) : resolve(result)));
    });
  };
  client.query = queryPrepared as pg.ClientBase['query'];
}

/** Not for all columns of a table: once a migration adds one, PostgreSQL refuses to run what was prepared before. */
const findName = (text: string, names: StatementNames) => (text.includes('.*') ? undefined : names.find(text));
