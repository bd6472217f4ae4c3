import type { Client } from 'pg';
import type { Database } from '../database.js';
import { withOwnConnection } from '../transaction.js';
import type { RunQuery } from '../prepared-statements.js';

/** The number of the rows of a table, and a hash of them that does not depend on their order. */
interface TableDigest {
  rows: number;
  hash: string;
}

export type Digests = Record<string, TableDigest>;

/** Which migrations ran, and changes that are kept for some minutes for other processes of the same server. */
const untransferredTables = ['migration', 'page_change'];

export async function listTables(run: RunQuery): Promise<string[]> {
  const rows = await run<{ name: string }>(
    `select tablename as name from pg_tables where schemaname = current_schema() and tablename <> all($1::text[])
     order by 1`,
    [untransferredTables],
  );
  return rows.map(({ name }) => name);
}

/** For a transaction: rows become the same texts on every server, and a statement may take as long as it needs. */
export const transferSettings = [
  `set local timezone = 'UTC'`,
  `set local datestyle = 'ISO'`,
  `set local bytea_output = 'hex'`,
  'set local statement_timeout = 0',
  'set local idle_in_transaction_session_timeout = 0',
];

/** In a transaction with `transferSettings`, and so of one moment where it is repeatable read. */
export async function digestTables(run: RunQuery): Promise<Digests> {
  const digests: Digests = {};
  for (const name of await listTables(run)) {
    const [digest] = await run<TableDigest>(
      `select count(*)::integer as rows,
         coalesce(sum(('x' || left(md5(t::text), 15))::bit(60)::bigint), 0)::text as hash from "${name}" t`,
    );
    digests[name] = digest!;
  }
  return digests;
}

/** A sentence for each table that differs. */
export const compareDigests = (expected: Digests, actual: Digests): string[] =>
  [...new Set([...Object.keys(expected), ...Object.keys(actual)])].toSorted().flatMap(table => {
    const before = expected[table];
    const after = actual[table];
    if (before && after && before.rows === after.rows && before.hash === after.hash) return [];
    const describe = (digest: TableDigest | undefined) => (digest ? `${digest.rows} rows` : 'no table');
    const isSameCount = before?.rows === after?.rows;
    return [`${table}: ${isSameCount ? 'other contents' : `${describe(after)} in place of ${describe(before)}`}`];
  });

/** Runs work in a transaction that sees one moment of a database, on a connection without the timeouts of requests. */
export const inSnapshot = <Result>(database: Database, work: (run: RunQuery) => Promise<Result>): Promise<Result> =>
  withOwnConnection(database, async client => {
    await client.query('begin isolation level repeatable read, read only');
    for (const setting of transferSettings) await client.query(setting);
    const result = await work(toRun(client));
    await client.query('commit');
    return result;
  });

export const toRun =
  (client: Client): RunQuery =>
  async (text, values) =>
    (await client.query(text, values)).rows;
