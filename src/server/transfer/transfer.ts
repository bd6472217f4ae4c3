import { createReadStream, createWriteStream } from 'node:fs';
import { join } from 'node:path';
import type { Context, Middleware } from 'koa';
import { exportArchive } from '../../transfer/archive/export-archive.js';
import { importArchive } from '../../transfer/archive/import-archive.js';
import { requireLongPassphrase } from '../../transfer/archive/passphrase.js';
import { withArchive } from '../../transfer/archive/read-archive.js';
import { type Caller, requireAccess, requirePerson } from '../../auth/access.js';
import { parsePublicUrl } from '../../core/config.js';
import { badRequest, describeRefusal, notFound, Refusal, unauthenticated } from '../../core/errors.js';
import { toRefusal } from '../../db/database-errors.js';
import type { ApiDependencies } from '../../graphql/context.js';
import { createContext } from '../../graphql/create-context.js';
import { onClosed } from '../../http/connection-limiter.js';
import { getRequestId } from '../../http/request-id.js';
import { refusalHeaders, refusalStatus } from '../../http/status-codes.js';
import { Page } from '../../pages/page.entity.js';
import type { Unit } from '../../records/unit.js';
import type { Writer } from '../../records/writer.js';
import { importProduct, parseProductImport } from './import-product.js';
import { ImportTurns } from './import-turns.js';
import { type Report, respondWithProgress } from './progress-response.js';
import { createFolder, maxSecretBytes, receiveUpload, type Upload } from './upload.js';

/** Of a process: each holds a connection, and has its files on the disk. A page has one, which may take hours. */
const maxTransfers = 2;
const maxArchiveBytes = 1024 * 1024 * 1024;
const pathPattern = /^\/console\/(export|import)$/;

/** What a request does once its files have arrived. */
type Work = (upload: Upload, report: Report, clientLeft: AbortSignal) => Promise<unknown>;

/**
 * `POST /console/export` and `/console/import`: archives, and pages of other products, for the console and
 * `allclear move`. Files do not fit GraphQL, whose requests are read into the memory and have to be answered soon.
 */
export function createTransferMiddleware(api: ApiDependencies): Middleware {
  const { database, identifyCaller, rateLimiter, bodyLimits } = api;
  const turns = new ImportTurns();
  let transfers = 0;
  const pages = new Set<string>();
  return async (ctx, next) => {
    const [, operation] = pathPattern.exec(ctx.path) ?? [];
    if (!operation || ctx.method !== 'POST') return next();
    ctx.set({ 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' });
    const leave: (() => unknown)[] = [];
    const end = async () => {
      for (const step of leave.splice(0)) await step();
    };
    try {
      const caller = await identifyCaller(ctx.req, 'write', true);
      const query = new URLSearchParams(ctx.querystring);
      if (!acceptsToken(operation, query)) requirePerson(caller);
      if (caller.kind === 'anonymous') throw unauthenticated();
      await rateLimiter.throttle(ctx.req, caller);
      const { write } = createContext({ api, caller, outputMode: 'graphql', requestId: getRequestId(ctx.req) });
      // Who may not do it takes no slot.
      const exported = operation === 'export' ? prepareExport(caller, query) : null;
      const imported = exported ? null : prepareImport(api, turns, caller, write, query);
      const pageId = query.get('page');
      if (pageId !== null && pages.has(pageId)) throw busy('An import or an export of this page is running');
      if (transfers >= maxTransfers) throw busy('Other imports or exports are running');
      transfers += 1;
      if (pageId !== null) pages.add(pageId);
      leave.push(() => {
        transfers -= 1;
        if (pageId !== null) pages.delete(pageId);
      });
      const { folder, remove } = await createFolder();
      leave.unshift(remove);
      if (exported) {
        const { passphrase } = await receivePassphrase(ctx.req, folder, query);
        await sendArchive(api, ctx, { ...exported, write, folder, passphrase });
        // Also where the client left while the archive was written.
        onClosed(ctx.res, () => void end());
        return;
      }
      const { maxBytes, work } = imported!;
      bodyLimits.limitPauses(ctx.req);
      const upload = await receiveUpload(ctx.req, folder, query.getAll('file'), maxBytes);
      const client = new AbortController();
      onClosed(ctx.res, () => client.abort());
      const run = async (report: Report) => work(upload, report, client.signal);
      respondWithProgress(ctx, database.log, folder, report => run(report).finally(end));
    } catch (error) {
      await end();
      const refusal = toRefusal(error);
      if (!refusal) throw error;
      ctx.status = refusalStatus[refusal.code];
      ctx.set(refusalHeaders(refusal));
      ctx.body = { error: { code: refusal.code, message: describeRefusal(refusal) } };
    }
  };
}

const busy = (reason: string) => new Refusal('UNAVAILABLE', `${reason}. Try again in a moment.`, { retryAfter: 10 });

/** `allclear move` sends a page, by a token. */
const acceptsToken = (operation: string, query: URLSearchParams): boolean =>
  operation === 'import' && query.get('from') === 'archive';

interface Export {
  authorize(pageId: string): void;
  pageId: string;
  write: Writer;
  folder: string;
  /** Empty: without secrets. */
  passphrase: string;
}

/** A body is sent with a passphrase alone. */
const receivePassphrase = async (
  request: Context['req'],
  folder: string,
  query: URLSearchParams,
): Promise<Pick<Upload, 'passphrase'>> =>
  query.has('file') ? receiveUpload(request, folder, query.getAll('file'), maxSecretBytes) : { passphrase: '' };

/** Refuses who may not export this, before a passphrase is read. */
function prepareExport(caller: Caller, query: URLSearchParams): Pick<Export, 'authorize' | 'pageId'> {
  const pageId = query.get('page') ?? '';
  // With browsers comes the key by which the installation signs the messages to all of them.
  const hasPassphrase = query.getAll('file').some(file => !file.endsWith(':0'));
  if (hasPassphrase) requireAccess(caller, 'administratorOfAllPages', { isWrite: true });
  const authorize = (id: string) => requireAccess(caller, 'guardedOwner', { pageId: id, isWrite: true });
  authorize(pageId);
  return { authorize, pageId };
}

/** It is written to the disk first: a slow client must not hold the snapshot of the database. */
async function sendArchive(
  { database, settings }: ApiDependencies,
  ctx: Context,
  { authorize, write, folder, pageId, passphrase }: Export,
) {
  if (passphrase) requireLongPassphrase(passphrase);
  const operation = passphrase ? 'exportPageWithSecrets' : 'exportPage';
  await write.forOperation(operation, authorize).transaction(async unit => {
    if (!(await unit.lock(Page, pageId))) throw notFound('page');
  });
  const path = join(folder, 'archive.zip');
  const secrets = passphrase ? { passphrase, settings } : null;
  const options = { pageIds: [pageId], secrets, yields: true };
  await exportArchive(database, createWriteStream(path, { mode: 0o600 }), options);
  ctx.attachment(`${pageId}.zip`);
  ctx.type = 'application/zip';
  ctx.body = createReadStream(path);
}

/** Refuses who may not import this, before the files are read. */
function prepareImport(
  api: ApiDependencies,
  turns: ImportTurns,
  caller: Caller,
  write: Writer,
  query: URLSearchParams,
): { maxBytes: number; work: Work } {
  if (query.get('from') === 'archive') {
    // It gives roles on its pages to the people that it names.
    requireAccess(caller, 'administratorOfAllPages', { isWrite: true });
    return { maxBytes: maxArchiveBytes, work: importWhole(api, write, query.get('dryRun') !== 'false') };
  }
  const request = parseProductImport(caller, query);
  const authorize = (id: string) => requireAccess(caller, 'owner', { pageId: id, isWrite: true });
  const { settings } = api;
  return {
    maxBytes: request.maxBytes,
    work: (upload, report, clientLeft) =>
      importProduct(
        write.forOperation('importPage', authorize),
        request,
        { upload, settings, turns, clientLeft },
        report,
      ),
  };
}

/** An archive whose sender has left is not imported: it could not know that. */
const importWhole =
  ({ database, settings }: ApiDependencies, write: Writer, isDryRun: boolean): Work =>
  ({ folder, files, passphrase }, report, clientLeft) => {
    const [file] = files;
    if (!file) throw badRequest('Choose an archive.');
    const secrets = passphrase ? { passphrase, settings } : null;
    const writer = write.forOperation('importArchive', () => {});
    return withArchive(join(folder, file.name), archive => {
      const work = async (unit: Unit) => {
        const result = await importArchive(unit, archive, { secrets, report });
        clientLeft.throwIfAborted();
        return result;
      };
      return database.withoutTimeLimit(async () => {
        const { pages, rows, roles, domains } = await (isDryRun ? writer.dryRun(work) : writer.transaction(work));
        const { origin } = parsePublicUrl(settings);
        const imported = pages.map(({ id, name }) => ({ id, name, url: `${origin}/status/${id}/` }));
        return { dryRun: isDryRun, pages: imported, rows, roles, domains };
      });
    });
  };
