import type { Client } from 'pg';
import { CommandError } from '../../core/errors.js';
import { runPending } from '../migrate.js';
import type { Database } from '../database.js';
import { compareDigests, type Digests, digestTables, inSnapshot, toRun, transferSettings } from './digest.js';
import { withOwnConnection } from '../transaction.js';
import type { RunQuery } from '../prepared-statements.js';
import { readRows } from './read-rows.js';
import { requireEmpty } from './restore.js';

type Report = (done: number, total: number) => void;

const rowsAtOnce = 500;
/** Of tables with images and archives of some MB a row. */
const largeRowsAtOnce = 4;

/**
 * Copies all rows of one moment into an empty database, whose tables it creates, and compares counts and hashes. It is
 * one transaction of the target: all of it is there, or nothing.
 */
export const moveDatabase = (source: Database, target: Database, report: Report = () => {}): Promise<Digests> =>
  inSnapshot(source, async read => {
    await requireEmpty(target);
    const digests = await digestTables(read);
    await withOwnConnection(target, async client => {
      await client.query('begin');
      for (const setting of transferSettings) await client.query(setting);
      await runPending(client);
      await copyTables(read, client, digests, report);
      await copySequences(read, client);
      const differences = compareDigests(digests, await digestTables(toRun(client)));
      if (differences.length) throw new CommandError(`The copy differs, and is undone:\n${differences.join('\n')}\n`);
      await client.query('commit');
    });
    return digests;
  });

/** Foreign keys are checked at the end, so that the tables, and the rows of one table, may come in any order. */
async function copyTables(read: RunQuery, client: Client, digests: Digests, report: Report): Promise<void> {
  const total = Object.values(digests).reduce((sum, { rows }) => sum + rows, 0);
  let done = 0;
  await setForeignKeys(client, 'deferrable initially deferred');
  await setTriggers(client, digests, 'disable');
  for (const table of Object.keys(digests)) {
    for await (const rows of readTable(read, table)) {
      await client.query(`insert into "${table}" select * from json_populate_recordset(null::"${table}", $1::json)`, [
        `[${rows.join(',')}]`,
      ]);
      done += rows.length;
      report(done, total);
    }
  }
  await client.query('set constraints all immediate');
  await setForeignKeys(client, 'not deferrable');
  await setTriggers(client, digests, 'enable');
}

/** Rows as JSON, which the server writes and the other one reads: numbers keep their digits. */
async function* readTable(read: RunQuery, table: string): AsyncGenerator<string[]> {
  const large = await read(
    `select 1 from information_schema.columns
     where table_schema = current_schema() and table_name = $1 and data_type = 'bytea'`,
    [table],
  );
  const statement = `select row_to_json(t)::text as row from "${table}" t`;
  for await (const rows of readRows<{ row: string }>(read, statement, [], large.length ? largeRowsAtOnce : rowsAtOnce))
    yield rows.map(({ row }) => row);
}

/** Without triggers, whose rows are copied too. */
async function setTriggers(client: Client, digests: Digests, state: 'disable' | 'enable'): Promise<void> {
  for (const table of Object.keys(digests)) await client.query(`alter table "${table}" ${state} trigger user`);
}

async function setForeignKeys(client: Client, state: string): Promise<void> {
  const { rows } = await client.query<{ statement: string }>(
    `select format('alter table %s alter constraint %I ${state}', conrelid::regclass, conname) as statement
     from pg_constraint where contype = 'f' and connamespace = current_schema()::regnamespace`,
  );
  for (const { statement } of rows) await client.query(statement);
}

/** So that ids of rows that were deleted are not used again. */
async function copySequences(read: RunQuery, client: Client): Promise<void> {
  const sequences = await read<{ name: string; last: string }>(
    `select quote_ident(sequencename) as name, last_value::text as last from pg_sequences
     where schemaname = current_schema() and last_value is not null`,
  );
  for (const { name, last } of sequences) await client.query('select setval($1::regclass, $2::bigint)', [name, last]);
}
