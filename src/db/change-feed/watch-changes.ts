import type { Database } from '../connection.js';
import { toRefusal } from '../database-errors.js';
import type { CommittedChange } from './committed-changes.js';

export interface ChangeWatcher {
  /** A committed transaction of any process changed a page. Called at least once for each change. */
  onChange(pageId: string): void;
  /** The database has not answered since this time of the process's clock. Called once per outage. */
  onConnectionLost(since: Date): void;
  /** The database answers again. Any page may have changed in the meantime. */
  onConnectionRestored(): void;
}

const channel = 'page_changed';
const pollIntervalMs = 500;
/** A single failed query can be a connection that was closed; only failures for this long are an outage. */
const outageAfterMs = 2_000;
/** Must be longer than a process can fail to poll without noticing it. */
const retention = `interval '10 minutes'`;
const pollsPerCleanup = 120;

/**
 * Watches the changes of all pages. Those of this process are known at the commit. Those of the others come by NOTIFY,
 * which is sent after the commit and not in it, since commits that notify wait for each other; and because such a
 * notification can be lost, the table is polled twice a second.
 */
export async function watchChanges(database: Database, watcher: ChangeWatcher): Promise<() => Promise<void>> {
  const seen = new Set<string>();
  const onCommitted = ({ key, pageId }: CommittedChange) => {
    seen.add(key);
    watcher.onChange(pageId);
    if (!database.embedded) database.query('select pg_notify($1, $2)', [channel, key]).catch(() => {});
  };
  const onNotification = (key: string) => {
    if (seen.has(key)) return;
    seen.add(key);
    watcher.onChange(key.slice(key.indexOf(':') + 1));
  };
  database.changes.on('committed', onCommitted);
  const stopCommitted = async () => void database.changes.off('committed', onCommitted);
  // No other process can use the embedded database.
  if (database.embedded) return stopCommitted;

  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;
  /** The oldest transaction that was open at the last poll: all before it have been seen. */
  let since = (
    await database.query<{ xmin: string }>('select pg_snapshot_xmin(pg_current_snapshot())::text as xmin')
  )[0]!.xmin;
  let lastResponseAt = Date.now();
  let isLost = false;
  let polls = 0;

  const pollOnce = async () => {
    const rows = await database.query<{ key: string | null; page: string | null; xmin: string }>(
      `select c.transaction::text || ':' || c.page_id as key, c.page_id as page,
         pg_snapshot_xmin(pg_current_snapshot())::text as xmin
       from (select 1) one
       left join page_change c
         on c.transaction >= $1::text::xid8 and c.created_at > clock_timestamp() - ${retention}`,
      [since],
    );
    since = rows[0]!.xmin;
    const found = new Set(rows.flatMap(({ key }) => key ?? []));
    const changed = new Set(rows.flatMap(({ key, page }) => (page && !seen.has(key!) ? [page] : [])));
    // While a long transaction is open, each poll finds the same rows.
    for (const key of seen) if (!found.has(key)) seen.delete(key);
    for (const key of found) seen.add(key);
    for (const pageId of changed) watcher.onChange(pageId);
    if (polls++ % pollsPerCleanup === 0)
      await database.query(`delete from page_change where created_at < clock_timestamp() - ${retention}`);
  };

  const pollRepeatedly = async (): Promise<void> => {
    try {
      await pollOnce();
      lastResponseAt = Date.now();
      if (isLost) watcher.onConnectionRestored();
      isLost = false;
    } catch (error) {
      if (!isStopped && toRefusal(error)?.code !== 'UNAVAILABLE')
        database.log.error({ err: error }, 'reading page changes failed');
      if (!isLost && Date.now() - lastResponseAt > outageAfterMs) {
        isLost = true;
        watcher.onConnectionLost(new Date(lastResponseAt));
      }
    }
    if (!isStopped) {
      timer = setTimeout(() => {
        polling = pollRepeatedly();
      }, pollIntervalMs);
    }
  };
  const stopListening = database.listen(channel, onNotification);
  let polling = pollRepeatedly();
  await polling;
  return async () => {
    isStopped = true;
    clearTimeout(timer);
    await polling;
    stopListening();
    await stopCommitted();
  };
}
