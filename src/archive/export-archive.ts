import { createHash } from 'node:crypto';
import { Readable, type Writable } from 'node:stream';
import { finished, pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import { inSnapshot, type RunStatement } from '../backup/digest.js';
import { readRows } from '../backup/read-rows.js';
import type { Database } from '../db/database.js';
import type { Kind } from './kind.js';
import { kinds } from './kinds.js';
import { type FileDigest, manifestName, renderManifest, toFileName } from './manifest.js';
import { compileCount, compileSelect } from './statements.js';

export interface ExportOptions {
  /** Null: all pages. */
  pageIds: string[] | null;
  report?(done: number, total: number): void;
}

/** The same for every archive, so that the same records become the same bytes. */
const entryOptions = { mtime: new Date(Date.UTC(2026, 0, 1)), mode: 0o100600 };
const rowsAtOnce = 1_000;
/** Of kinds with images and archives of some MB a row. */
const largeRowsAtOnce = 4;

/** Writes the records of pages, all of one moment, as a ZIP file. */
export const exportArchive = (database: Database, output: Writable, options: ExportOptions): Promise<void> =>
  inSnapshot(database, async run => {
    const zip = new ZipFile();
    const abort = new AbortController();
    const writing = pipeline(zip.outputStream, output).catch(error => {
      abort.abort();
      throw error;
    });
    await Promise.all([writing, addFiles(zip, run, options, abort.signal)]);
  });

async function addFiles(
  zip: ZipFile,
  run: RunStatement,
  { pageIds, report = () => {} }: ExportOptions,
  signal: AbortSignal,
): Promise<void> {
  const isWhole = pageIds === null;
  const pages = pageIds ?? (await run<{ id: string }>('select id from page')).map(({ id }) => id);
  const total = await countRows(run, pages, isWhole);
  const files: Record<string, FileDigest> = {};
  let done = 0;
  for (const [name, kind] of Object.entries(kinds)) {
    const hash = createHash('sha256');
    let rows = 0;
    const read = async function* () {
      const atOnce = hasBytes(kind) ? largeRowsAtOnce : rowsAtOnce;
      for await (const lines of readRows<{ line: string }>(run, compileSelect(kind, isWhole), [pages], atOnce)) {
        const text = lines.map(({ line }) => `${line}\n`).join('');
        hash.update(text);
        rows += lines.length;
        done += lines.length;
        report(done, total);
        yield text;
      }
    };
    // Not in object mode, in which a stream reads 16 batches ahead.
    const stream = Readable.from(read(), { objectMode: false, signal });
    zip.addReadStream(stream, toFileName(name), entryOptions);
    await finished(stream, { signal });
    files[toFileName(name)] = { rows, sha256: hash.digest('hex') };
  }
  zip.addBuffer(Buffer.from(renderManifest(files)), manifestName, entryOptions);
  zip.end();
}

async function countRows(run: RunStatement, pages: string[], isWhole: boolean): Promise<number> {
  let total = 0;
  for (const kind of Object.values(kinds)) {
    const [count] = await run<{ rows: number }>(compileCount(kind, isWhole), [pages]);
    total += count!.rows;
  }
  return total;
}

const hasBytes = ({ fields }: Kind): boolean => 'content' in fields || 'archive' in fields;
