import { join } from 'node:path';
import { type Caller, requireAccess } from '../../auth/access.js';
import type { Settings } from '../../core/config.js';
import { badRequest } from '../../core/errors.js';
import type { ProxySettings } from '../../http/proxies.js';
import { isTimeZone } from '../../transfer/importers/convert-rows.js';
import { importPage } from '../../transfer/importers/import-page.js';
import type { ImportReport } from '../../transfer/importers/import-report.js';
import type { ImportTurns } from './import-turns.js';
import { readInProcess } from './read-in-process.js';
import type { ReadJob } from './read-process-main.js';
import type { Source } from '../../transfer/importers/source.js';
import { type SourceName, sources } from '../../transfer/importers/sources/registry.js';
import type { Writer } from '../../records/writer.js';
import type { Upload } from './upload.js';

const megabyte = 1024 * 1024;

/** Of what is parsed as a whole. */
const maxAnswerBytes = 64 * megabyte;
const maxDatabaseBytes = 512 * megabyte;

interface ProductImport {
  source: SourceName;
  /** Null: a new page. */
  pageId: string | null;
  dryRun: boolean;
  timeZone?: string;
  sourcePage?: string;
  /** Of the product's API, in place of its own. */
  origin?: string;
  maxBytes: number;
}

/** Parses the request, and refuses a caller who may not write to the page, or may not create one. */
export function parseProductImport(caller: Caller, query: URLSearchParams): ProductImport {
  const name = query.get('from') ?? '';
  if (!Object.hasOwn(sources, name)) throw badRequest('There is no such product.');
  const pageId = query.get('page');
  const source: Source = sources[name as SourceName];
  const isDatabase = source.isDatabase ?? false;
  requireAccess(caller, isDatabase || pageId === null ? 'ownerOfAllPages' : 'owner', { pageId, isWrite: true });
  const timeZone = query.get('timeZone') || undefined;
  if (timeZone && !isTimeZone(timeZone)) throw badRequest('The time zone must be a name such as Europe/Berlin.');
  return {
    source: name as SourceName,
    pageId,
    dryRun: query.get('dryRun') !== 'false',
    timeZone,
    sourcePage: query.get('sourcePage') || undefined,
    origin: parseOrigin(query.get('url') ?? ''),
    maxBytes: isDatabase ? maxDatabaseBytes : maxAnswerBytes,
  };
}

function parseOrigin(text: string): string | undefined {
  if (!text) return undefined;
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password)
    throw badRequest('The address of the API must begin with https://, without a password.');
  return url.origin;
}

/** For one answer. */
const answerTimeoutMs = 30_000;

/** What reading the answers needs beside the request. */
interface Reading {
  upload: Upload;
  /** For the address of the API, which the caller chose. */
  settings: Pick<Settings, 'allowPrivateTargets' | keyof ProxySettings>;
  turns: ImportTurns;
  clientLeft: AbortSignal;
}

export async function importProduct(
  write: Writer,
  { source, ...request }: ProductImport,
  reading: Reading,
  progress: (done: number, total: number) => void,
): Promise<ImportReport> {
  const { timeZone, sourcePage } = request;
  const from = findAnswers(sources[source], request, reading);
  const job = { source, from, options: { now: new Date(), timeZone, sourcePage } };
  const { turns, clientLeft } = reading;
  return turns.run(clientLeft, async () => {
    const imported = await readInProcess(job, turns.megabytes, clientLeft);
    return importPage(write, { ...request, source: sources[source].label, imported, progress });
  });
}

/** They are all read in another process: what becomes of 64 MB must not be in the memory of this one. */
function findAnswers(
  source: Source,
  { sourcePage, origin }: Pick<ProductImport, 'sourcePage' | 'origin'>,
  { upload: { folder, files, token }, settings }: Reading,
): ReadJob['from'] {
  if (files.length) return { path: source.open ? join(folder, files[0]!.name) : folder };
  if (!source.api) throw badRequest(`${source.label} is read from files: choose one.`);
  if (!token || !sourcePage) throw badRequest(`Give the token and the page id for ${source.label}.`);
  const { allowPrivateTargets: allowPrivate, httpProxy, httpsProxy, noProxy } = settings;
  const guard = { allowPrivate, proxies: { httpProxy, httpsProxy, noProxy }, timeoutMs: answerTimeoutMs };
  return { api: { token, sourcePage, origin, guard, maxBytes: maxAnswerBytes } };
}
