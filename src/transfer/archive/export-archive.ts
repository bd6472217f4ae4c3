import { createHash } from 'node:crypto';
import { Readable, type Writable } from 'node:stream';
import { finished, pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import { inSnapshot } from '../../db/backup/digest.js';
import type { RunQuery } from '../../db/prepared-statements.js';
import { readRows } from '../../db/backup/read-rows.js';
import type { Database } from '../../db/database.js';
import { type ReadKind, withHeldRecords } from './held-records.js';
import { countAtOnce, type Kind } from './kind.js';
import { fileKinds } from './kinds.js';
import { countLeftOut, type LeftOut } from './left-out.js';
import { type FileDigest, manifestName, renderManifest, toFileName } from './manifest.js';
import { createSalt, readSecrets, type SecretOptions, secretsName } from './secrets.js';
import { compileCount, compileSelect } from './statements.js';

export interface ExportOptions {
  /** Null: all pages. */
  pageIds: string[] | null;
  hasAudit?: boolean;
  /** Null or absent: the secrets are left out. */
  secrets?: SecretOptions | null;
  /** Without secrets: others have turns on the embedded database meanwhile, and a page of too many bytes is refused. */
  yields?: boolean;
  report?(done: number, total: number): void;
}

/** The same for every archive, so that the same records become the same bytes. */
const entryOptions = { mtime: new Date(Date.UTC(2026, 0, 1)), mode: 0o100600 };

/** Writes the records of pages, all of one moment, as a ZIP file. Returns how much of what is secret it left out. */
export const exportArchive = (database: Database, output: Writable, options: ExportOptions): Promise<LeftOut> => {
  const { pageIds, secrets, yields } = options;
  return database.embedded && yields && pageIds && !secrets
    ? withHeldRecords(database, listExported(options), pageIds, (run, read) =>
        writeZip(run, output, { ...options, pages: pageIds, read }),
      )
    : inSnapshot(database, run => writeArchive(run, output, options));
};

/** The same in an open transaction with `transferSettings`, which sees one moment or has locked the pages. */
export async function writeArchive(run: RunQuery, output: Writable, options: ExportOptions): Promise<LeftOut> {
  const isWhole = options.pageIds === null;
  const pages = options.pageIds ?? (await run<{ id: string }>('select id from page')).map(({ id }) => id);
  const read: ReadKind = (_name, kind) => readRows(run, compileSelect(kind, isWhole), [pages], countAtOnce(kind));
  return writeZip(run, output, { ...options, pages, read });
}

interface ZipOptions extends ExportOptions {
  pages: string[];
  read: ReadKind;
}

async function writeZip(run: RunQuery, output: Writable, options: ZipOptions): Promise<LeftOut> {
  const zip = new ZipFile();
  const abort = new AbortController();
  const writing = pipeline(zip.outputStream, output).catch(error => {
    abort.abort();
    throw error;
  });
  const [, leftOut] = await Promise.all([writing, addFiles(zip, run, options, abort.signal)]);
  return leftOut;
}

const listExported = ({ hasAudit = false }: ExportOptions) =>
  fileKinds.filter(([, { isOptional }]) => hasAudit || !isOptional);

async function addFiles(zip: ZipFile, run: RunQuery, options: ZipOptions, signal: AbortSignal): Promise<LeftOut> {
  const { pages, read: readKind, secrets, report = () => {} } = options;
  const exported = listExported(options);
  const total = await countRows(
    run,
    exported.map(([, kind]) => kind),
    pages,
    options.pageIds === null,
  );
  const files: Record<string, FileDigest> = {};
  let done = 0;
  const addFile = async (name: string, batches: AsyncIterable<string[]>) => {
    const hash = createHash('sha256');
    let rows = 0;
    const read = async function* () {
      for await (const lines of batches) {
        const text = lines.map(line => `${line}\n`).join('');
        hash.update(text);
        rows += lines.length;
        done += lines.length;
        report(done, total);
        yield text;
      }
    };
    // Not in object mode, in which a stream reads 16 batches ahead.
    const stream = Readable.from(read(), { objectMode: false, signal });
    zip.addReadStream(stream, name, entryOptions);
    await finished(stream, { signal });
    files[name] = { rows, sha256: hash.digest('hex') };
  };
  for (const [name, kind] of exported) await addFile(toFileName(name), toLines(readKind(name, kind)));
  const salt = secrets ? createSalt() : undefined;
  if (secrets) await addFile(secretsName, readSecrets(run, pages, secrets, salt!));
  zip.addBuffer(Buffer.from(renderManifest(files, salt)), manifestName, entryOptions);
  zip.end();
  return secrets ? {} : countLeftOut(run, pages);
}

async function* toLines(batches: ReturnType<ReadKind>): AsyncGenerator<string[]> {
  for await (const rows of batches) yield rows.map(({ line }) => line);
}

async function countRows(run: RunQuery, kinds: Kind[], pages: string[], isWhole: boolean): Promise<number> {
  let total = 0;
  for (const kind of kinds) {
    const [count] = await run<{ rows: number }>(compileCount(kind, isWhole), [pages]);
    total += count!.rows;
  }
  return total;
}
