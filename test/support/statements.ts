import type { PoolClient, QueryConfig } from 'pg';
import type { Database } from '../../src/db/database.js';

/** Returns the statements of all transactions and reads while `work` runs, without `begin` and `commit`. */
export async function recordStatements(database: Database, work: () => Promise<unknown>): Promise<string[]> {
  const sent: string[] = [];
  const { read, queryPrepared, connect } = database;
  database.read = (text, values) => {
    sent.push(text);
    return read(text, values);
  };
  database.queryPrepared = (text, values) => {
    sent.push(text);
    return queryPrepared(text, values);
  };
  database.connect = async () => recordClient(await connect(), text => sent.push(text));
  try {
    await work();
  } finally {
    Object.assign(database, { read, queryPrepared, connect });
  }
  return sent.filter(text => !/^(begin|commit|rollback)$/.test(text));
}

/** The client of one transaction: the pool gives the same object to the next one. */
export function recordClient(client: PoolClient, record: (text: string) => void): PoolClient {
  const query = (statement: string | QueryConfig, values?: unknown[]) => {
    record(typeof statement === 'string' ? statement : statement.text);
    return client.query(statement as string, values);
  };
  return { query, release: (error?: Error) => client.release(error) } as unknown as PoolClient;
}

/** The names of the tables that statements write to, in their order. */
export const listWrites = (statements: readonly string[]): string[] =>
  statements.flatMap(statement => {
    const match = /^\s*(?:with [\s\S]*\)\s+)?(insert into|update|delete from) "?(\w+)/.exec(statement);
    return match ? [`${match[1]} ${match[2]}`] : [];
  });
