import type { Database } from '../../src/db/connection.js';
import type { ParameterConnection } from '../../src/db/parameter-driver.js';

/** Returns the statements of all transactions and reads while `work` runs, without `begin` and `commit`. */
export async function recordStatements(database: Database, work: () => Promise<unknown>): Promise<string[]> {
  return (await recordRoundTrips(database, work)).flat();
}

/** The same, by round trip: those that are sent together wait for each other only in PostgreSQL. */
export async function recordRoundTrips(database: Database, work: () => Promise<unknown>): Promise<string[][]> {
  const sent: string[][] = [];
  const connection = database.orm.em.getConnection() as unknown as ParameterConnection;
  const { read, queryPrepared } = database;
  const open = connection.openTransaction.bind(connection);
  database.read = (text, values) => {
    sent.push([text]);
    return read(text, values);
  };
  database.queryPrepared = (text, values) => {
    sent.push([text]);
    return queryPrepared(text, values);
  };
  connection.openTransaction = async () => {
    const transaction = await open();
    transaction.onSent = texts => sent.push(texts.filter(text => !/^(begin|commit|rollback)$/.test(text)));
    return transaction;
  };
  try {
    await work();
  } finally {
    Object.assign(database, { read, queryPrepared });
    connection.openTransaction = open;
  }
  return sent;
}

/** The names of the tables that statements write to, in their order. */
export const listWrites = (statements: readonly string[]): string[] =>
  statements.flatMap(statement => {
    const match = /^\s*(?:with [\s\S]*\)\s+)?(insert into|update|delete from) "?(\w+)/.exec(statement);
    return match ? [`${match[1]} ${match[2]}`] : [];
  });
