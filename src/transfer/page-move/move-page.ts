import { randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createTemporaryFolder } from '../archive/temporary-folder.js';
import { exportArchive, writeArchive } from '../archive/export-archive.js';
import type { SecretOptions } from '../archive/secrets.js';
import { transferSettings } from '../../db/backup/digest.js';
import { CommandError, notFound } from '../../core/errors.js';
import type { Database } from '../../db/database.js';
import { queryInTransaction, type RunQuery } from '../../db/prepared-statements.js';
import { rememberMove } from '../../records/moved-page.js';
import { Page } from '../../pages/page.entity.js';
import type { Unit } from '../../records/unit.js';
import type { Writer } from '../../records/writer.js';
import { type ImportedPages, type Target, UnknownOutcome } from './target.js';

interface MoveOptions {
  pageId: string;
  target: Target;
  settings: SecretOptions['settings'];
  isDryRun: boolean;
  /** For how long to wait until the messages of the page are sent. */
  maxWaitMs?: number;
  report?(done: number, total: number): void;
}

interface Move {
  /** Of the page at the target, with a slash at its end. */
  url: string;
  /** How many records of each kind the target imported, or would. */
  rows: Record<string, number>;
  /** For how long writes to the page waited; null in a dry run. */
  heldMs: number | null;
}

const waitIntervalMs = 500;

/** Messages of the page are being sent, which the target does not know of. */
class UnsentMessages extends CommandError {}

/**
 * Moves a page to another installation while both run. The target imports an archive first as a dry run. Then the page
 * is locked, exported again, deleted here, imported there, and the deletion is committed: whatever fails before leaves
 * it here. Writes wait meanwhile, and find that it has moved.
 */
export async function movePage(database: Database, write: Writer, options: MoveOptions): Promise<Move> {
  const { pageId, target, settings, isDryRun, maxWaitMs = 60_000, report = () => {} } = options;
  const folder = await createTemporaryFolder('move');
  try {
    const passphrase = randomBytes(32).toString('base64url');
    const path = join(folder, 'archive.zip');
    const secrets = { passphrase, settings };
    await requireNoDrafts(database.query, pageId);
    await exportArchive(database, createFile(path), { pageIds: [pageId], hasAudit: true, secrets });
    const dryRun = await target.import({ path, passphrase }, { isDryRun: true }, report).catch(error => {
      if (!(error instanceof UnknownOutcome)) throw error;
      throw new CommandError(`The other installation did not answer (${error.message}). Nothing was moved.\n`);
    });
    if (isDryRun) return toMove(dryRun, null);
    let isThere = false;
    return await whenNothingIsSent(maxWaitMs, () =>
      database.withoutTimeLimit(() =>
        write.transaction(async unit => {
          const heldSince = performance.now();
          const run = queryInTransaction(unit.em);
          await lockPage(unit, run, pageId);
          await requireNoDrafts(run, pageId);
          await writeArchive(run, createFile(path), { pageIds: [pageId], hasAudit: true, secrets });
          await deletePage(unit, pageId, toMove(dryRun, null).url);
          const imported = await importOrFind(target, { path, passphrase }, pageId, dryRun, report);
          isThere = true;
          return toMove(imported, performance.now() - heldSince);
        }),
      ),
    ).catch(error => {
      if (!isThere) throw error;
      throw new CommandError(
        `The other installation has the page, and it could not be deleted here (${(error as Error).message}). ` +
          'Delete it there to try again, or here to use that one.\n',
      );
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const createFile = (path: string) => createWriteStream(path, { mode: 0o600 });

const toMove = ({ pages, rows }: ImportedPages, heldMs: number | null): Move => ({ url: pages[0]!.url, rows, heldMs });

/** Until the transaction ends, writers that only insert rows of the page wait, as well as those that lock it. */
async function lockPage(unit: Unit, run: RunQuery, pageId: string): Promise<void> {
  for (const setting of transferSettings) await run(setting);
  const page = await unit.lock(Page, pageId);
  if (!page) throw notFound('page');
  unit.describeDeletion(page);
  await run('select 1 from page where id = $1 for update', [pageId]);
  // Values of metrics are recorded without a lock of the page.
  await run('select 1 from metric where page_id = $1 for update', [pageId]);
  const [open] = await run<{ messages: number }>(
    `select (select count(*) from delivery where page_id = $1 and state in ('pending', 'sending', 'retrying'))::integer
       + (select count(*) from publication where page_id = $1 and fanned_out_at is null and skipped_at is null)::integer
       as messages`,
    [pageId],
  );
  if (open!.messages)
    throw new UnsentMessages(
      `Messages of the page that are held, being sent or tried again: ${open!.messages}. The other installation ` +
        'would not know of them. Wait until they are sent, or stop them in the console. Nothing was moved.\n',
    );
}

/** Archives have no drafts. */
async function requireNoDrafts(run: RunQuery, pageId: string): Promise<void> {
  const [found] = await run<{ drafts: number }>('select count(*)::integer as drafts from draft where page_id = $1', [
    pageId,
  ]);
  if (found!.drafts)
    throw new CommandError(
      `Drafts of the page: ${found!.drafts}. They do not move: publish or delete them. Nothing was moved.\n`,
    );
}

async function whenNothingIsSent<Result>(maxWaitMs: number, work: () => Promise<Result>): Promise<Result> {
  for (let waitedMs = 0; ; waitedMs += waitIntervalMs) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof UnsentMessages) || waitedMs >= maxWaitMs) throw error;
      await sleep(waitIntervalMs);
    }
  }
}

async function deletePage({ em }: Unit, pageId: string, url: string): Promise<void> {
  await rememberMove(em, pageId, url);
  await em.nativeDelete(Page, { id: pageId });
}

/** If the import got no answer, asks the target whether it has the page: the deletion here needs the import there. */
async function importOrFind(
  target: Target,
  archive: { path: string; passphrase: string },
  pageId: string,
  dryRun: ImportedPages,
  report: (done: number, total: number) => void,
): Promise<ImportedPages> {
  try {
    return await target.import(archive, { isDryRun: false }, report);
  } catch (error) {
    if (!(error instanceof UnknownOutcome)) throw error;
    const isThere = await target.has(pageId);
    if (isThere) return dryRun;
    throw new CommandError(
      isThere === null
        ? `The other installation stopped answering (${error.message}). The page is still here. Look whether it is ` +
            'there as well, and delete it there before you try again.\n'
        : `The connection to the other installation ended (${error.message}). Nothing was moved.\n`,
    );
  }
}
