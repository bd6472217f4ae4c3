import type { AbstractSqlConnection } from '@mikro-orm/sql';
import type { Database } from '../../src/db/connection.js';

/** Returns the statements of all transactions and reads while `work` runs, without `begin` and `commit`. */
export async function recordStatements(database: Database, work: () => Promise<unknown>): Promise<string[]> {
  const statements: string[] = [];
  const connection = database.orm.em.getConnection() as unknown as AbstractSqlConnection;
  const { read, queryPrepared } = database;
  const begin = connection.begin.bind(connection);
  database.read = (text, values) => {
    statements.push(text);
    return read(text, values);
  };
  database.queryPrepared = (text, values) => {
    statements.push(text);
    return queryPrepared(text, values);
  };
  connection.begin = async options => {
    const transaction = await begin(options);
    const execute = transaction.executeQuery.bind(transaction) as typeof transaction.executeQuery;
    transaction.executeQuery = (statement, ...rest) => {
      statements.push('compile' in statement ? statement.compile().sql : statement.sql);
      return execute(statement, ...rest);
    };
    return transaction;
  };
  try {
    await work();
  } finally {
    Object.assign(database, { read, queryPrepared });
    connection.begin = begin;
  }
  return statements;
}

/** The names of the tables that statements write to, in their order. */
export const listWrites = (statements: readonly string[]): string[] =>
  statements.flatMap(statement => {
    const match = /^\s*(?:with [\s\S]*\)\s+)?(insert into|update|delete from) "?(\w+)/.exec(statement);
    return match ? [`${match[1]} ${match[2]}`] : [];
  });
