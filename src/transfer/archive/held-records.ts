import { randomBytes } from 'node:crypto';
import { Refusal } from '../../core/errors.js';
import { toRun, transferSettings } from '../../db/backup/digest.js';
import { fetchRows } from '../../db/backup/read-rows.js';
import type { Database } from '../../db/database.js';
import type { RunQuery } from '../../db/prepared-statements.js';
import { withOwnConnection } from '../../db/transaction.js';
import { countAtOnce, type Kind } from './kind.js';
import { compileSelect } from './statements.js';

/** Reads the records of a kind, each as the text of a JSON object, some at a time. */
export type ReadKind = (name: string, kind: Kind) => AsyncIterable<{ line: string }[]>;

/** Of what cursors hold on the disk, which takes some seconds. */
const maxMegabytes = 512;
const limitExceeded = '53400';

/**
 * Runs work that reads records of one moment, on the embedded database: others wait for a transaction there until it
 * ends, so it only fills cursors, from which is read afterwards, with turns for others in between.
 */
export const withHeldRecords = <Result>(
  database: Database,
  kinds: readonly [name: string, kind: Kind][],
  pageIds: readonly string[],
  work: (run: RunQuery, read: ReadKind) => Promise<Result>,
  megabytes = maxMegabytes,
): Promise<Result> =>
  withOwnConnection(database, async client => {
    const run = toRun(client);
    // Exports share the session of the embedded database, and so the names of cursors, which have 63 bytes.
    const id = randomBytes(8).toString('hex');
    const toCursor = (name: string) => `"${id} ${name}"`;
    await run('begin isolation level repeatable read, read only');
    for (const setting of transferSettings) await run(setting);
    for (const [name, kind] of kinds) {
      const select = compileSelect(kind, false);
      await run(`declare ${toCursor(name)} no scroll cursor with hold for ${select}`, [pageIds]);
    }
    await run(`set local temp_file_limit = '${megabytes}MB'`);
    await run('commit').catch(error => {
      if ((error as { code?: unknown }).code !== limitExceeded) throw error;
      throw new Refusal('PAYLOAD_TOO_LARGE', `The page has more than ${megabytes} MB of records: use allclear export.`);
    });
    try {
      return await work(run, (name, kind) => fetchRows(run, toCursor(name), countAtOnce(kind)));
    } finally {
      for (const [name] of kinds) await run(`close ${toCursor(name)}`);
    }
  });
