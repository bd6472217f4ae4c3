import { log } from '../../core/logger.js';
import type { Change } from './committed-changes.js';
import { refusalOf } from '../database-errors.js';
import type { Database } from '../connection.js';

export interface Watcher {
  /** A page was changed by a committed transaction, here or elsewhere. More than once for one change is possible, never is not. */
  changed(pageId: string): void;
  /** The database cannot be asked, since a moment of this process's clock. Told once. */
  lost(since: Date): void;
  /** It can be asked again: what happened in between was not heard, so that anything may have changed. */
  found(): void;
}

const channel = 'page_changed';
const everyMilliseconds = 500;
/** One question that fails may be a connection that was ended; this long without an answer is an absence. */
const patienceMilliseconds = 2_000;
/** Marks are kept for as long as a process can fail to ask without noticing. */
const keptFor = `interval '10 minutes'`;

/**
 * Hears of every page that is changed. What this process commits it knows at once; of the others it is told by NOTIFY, sent after the commit and not in it,
 * since a commit that notifies waits for every other such commit; and should that be lost, it asks twice a second.
 */
export async function watchChanges(database: Database, watcher: Watcher): Promise<() => Promise<void>> {
  const seen = new Set<string>();
  const committed = ({ key, pageId }: Change) => {
    seen.add(key);
    watcher.changed(pageId);
    if (!database.embedded) database.query('select pg_notify($1, $2)', [channel, key]).catch(() => {});
  };
  const heard = (key: string) => {
    if (seen.has(key)) return;
    seen.add(key);
    watcher.changed(key.slice(key.indexOf(':') + 1));
  };
  database.changes.on('committed', committed);
  const unwatch = async () => void database.changes.off('committed', committed);
  // Only one process has the embedded database, so that all there is to hear it says itself.
  if (database.embedded) return unwatch;

  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let since = (
    await database.query<{ xmin: string }>('select pg_snapshot_xmin(pg_current_snapshot())::text as xmin')
  )[0]!.xmin;
  let answeredAt = Date.now();
  let isLost = false;
  let looks = 0;

  const look = async () => {
    const rows = await database.query<{ key: string | null; page: string | null; xmin: string }>(
      `select c.transaction::text || ':' || c.page_id as key, c.page_id as page, pg_snapshot_xmin(pg_current_snapshot())::text as xmin
       from (select 1) one left join page_change c on c.transaction >= $1::text::xid8 and c.created_at > clock_timestamp() - ${keptFor}`,
      [since],
    );
    since = rows[0]!.xmin;
    const found = new Set(rows.flatMap(({ key }) => key ?? []));
    const changed = new Set(rows.flatMap(({ key, page }) => (page && !seen.has(key!) ? [page] : [])));
    // While a long transaction is open the same rows come again.
    for (const key of seen) if (!found.has(key)) seen.delete(key);
    for (const key of found) seen.add(key);
    for (const pageId of changed) watcher.changed(pageId);
    if (looks++ % 120 === 0)
      await database.query(`delete from page_change where created_at < clock_timestamp() - ${keptFor}`);
  };

  const repeat = async (): Promise<void> => {
    try {
      await look();
      answeredAt = Date.now();
      if (isLost) watcher.found();
      isLost = false;
    } catch (error) {
      if (!stopped && refusalOf(error)?.code !== 'UNAVAILABLE')
        log.error({ err: error }, 'changes of pages could not be read');
      if (!isLost && Date.now() - answeredAt > patienceMilliseconds) {
        isLost = true;
        watcher.lost(new Date(answeredAt));
      }
    }
    if (!stopped) {
      timer = setTimeout(() => {
        looking = repeat();
      }, everyMilliseconds);
    }
  };
  const silence = database.listen(channel, heard);
  let looking = repeat();
  await looking;
  return async () => {
    stopped = true;
    clearTimeout(timer);
    await looking;
    silence();
    await unwatch();
  };
}
