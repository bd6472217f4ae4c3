import { EventEmitter } from 'node:events';
import type { Database } from './database.js';
import { toRefusal } from './database-errors.js';
import { changeKeySql, type CommittedChange, type PageChange, parseChangeKey } from './committed-changes.js';
import type { Listening } from './listen.js';

interface ChangeFeedEvents {
  /** A committed transaction of any process changed a page. Emitted at least once for each change. */
  changed: [PageChange];
  /** The database has not answered since this time of the process's clock. Emitted once per outage. */
  connectionLost: [Date];
  /** The database answers again. Any page may have changed in the meantime. */
  connectionRestored: [];
}

/** On which processes hear of the changes of others. */
export const changesChannel = 'page_changed';
/** On which workers hear that there may be deliveries. */
export const deliveriesChannel = 'deliveries_queued';
/** A notification can be lost, and a connection can go silent. */
const pollIntervalMs = 2_000;
/** After a failure. */
const retryIntervalMs = 500;
/** Commits within this time are notified of by one statement. */
const notifyDelayMs = 10;
/** A failed query can be a connection that was closed; only failures, or no response, for this long are an outage. */
const outageAfterMs = 2_000;
/** Must be longer than a process can fail to poll without noticing it. */
export const changeRetention = '10 minutes';

/**
 * The changes of all pages. Those of this process are known at the commit. Those of the others come by NOTIFY, which is
 * sent after the commit and not in it, since commits that notify wait for each other; and because such a notification
 * can be lost, the table is polled every two seconds, on the connection that listens: while all others are busy, the
 * database is not away. When that connection is lost, it is polled at once.
 */
export class ChangeFeed extends EventEmitter<ChangeFeedEvents> {
  private readonly seen = new Set<string>();
  /** Of this process, of which the others were not notified yet. */
  private readonly unsent: CommittedChange[] = [];
  private notifier: NodeJS.Timeout | undefined;
  /** The oldest transaction that was open at the last poll: all before it have been seen. */
  private since = '0';
  private lastResponseAt = Date.now();
  /** When the first poll began that has had no response; null after a response. */
  private waitingSince: number | null = null;
  private isLost = false;
  private isClosed = false;
  private timer: NodeJS.Timeout | undefined;
  private listening: Listening | undefined;

  private constructor(private readonly database: Database) {
    super();
    database.changes.on('committed', this.onCommitted);
  }

  static async open(database: Database): Promise<ChangeFeed> {
    const feed = new ChangeFeed(database);
    // No other process can use the embedded database.
    try {
      if (!database.embedded) await feed.watchOthers();
      return feed;
    } catch (error) {
      await feed.close();
      throw error;
    }
  }

  /** Milliseconds since the changes of other processes were last read. Nobody else uses the embedded database. */
  get lagMs(): number {
    return this.database.embedded ? 0 : Date.now() - this.lastResponseAt;
  }

  /** Ends it without waiting for the database, which may not respond. */
  async close(): Promise<void> {
    this.isClosed = true;
    clearTimeout(this.timer);
    clearTimeout(this.notifier);
    this.listening?.stop();
    this.database.changes.off('committed', this.onCommitted);
    this.removeAllListeners();
  }

  private readonly onCommitted = (change: CommittedChange): void => {
    if (!this.database.embedded) {
      this.seen.add(change.key);
      this.unsent.push(change);
      this.notifier ??= setTimeout(() => this.notify(), notifyDelayMs);
    }
    this.emit('changed', change);
  };

  /** Notifies of the changes that were committed since, by one statement at a time. */
  private async notify(): Promise<void> {
    const changes = this.unsent.splice(0);
    const notifications = changes.map(({ key }): [string, string] => [changesChannel, key]);
    if (changes.some(({ queuesDeliveries }) => queuesDeliveries)) notifications.push([deliveriesChannel, '']);
    await this.database
      .query('select pg_notify(channel, payload) from unnest($1::text[], $2::text[]) given (channel, payload)', [
        notifications.map(([name]) => name),
        notifications.map(([, payload]) => payload),
      ])
      .catch(() => {});
    const hasMore = this.unsent.length > 0 && !this.isClosed;
    this.notifier = hasMore ? setTimeout(() => this.notify(), notifyDelayMs) : undefined;
  }

  private async watchOthers(): Promise<void> {
    this.listening = this.database.listen(
      changesChannel,
      key => this.addKey(key),
      () => this.pollAtOnce(),
    );
    const [row] = await this.listening.query<{ xmin: string }>(
      'select pg_snapshot_xmin(pg_current_snapshot())::text as xmin',
    );
    this.since = row!.xmin;
    await this.poll(this.listening);
  }

  private addKey(key: string): void {
    if (this.seen.has(key)) return;
    this.seen.add(key);
    this.emit('changed', parseChangeKey(key));
  }

  private async poll(listening: Listening): Promise<void> {
    this.timer = undefined;
    this.waitingSince ??= Date.now();
    // A connection that went silent fails only after some seconds. In a process that was busy for long the response may
    // have arrived: it is read before `setImmediate`.
    const silence = setTimeout(() => setImmediate(() => this.reportOutage()), outageAfterMs + 1);
    let pauseMs = pollIntervalMs;
    try {
      await this.readTable(listening);
      this.lastResponseAt = Date.now();
      this.waitingSince = null;
      if (this.isLost) this.emit('connectionRestored');
      this.isLost = false;
    } catch (error) {
      if (!this.isClosed && toRefusal(error)?.code !== 'UNAVAILABLE')
        this.database.log.error({ err: error }, 'reading page changes failed');
      pauseMs = retryIntervalMs;
      this.reportOutage();
    }
    clearTimeout(silence);
    if (!this.isClosed) this.timer = setTimeout(() => this.poll(listening), pauseMs);
  }

  /** Unless a poll is in progress. */
  private pollAtOnce(): void {
    if (!this.timer || !this.listening) return;
    clearTimeout(this.timer);
    void this.poll(this.listening);
  }

  private reportOutage(): void {
    const { waitingSince } = this;
    if (this.isLost || waitingSince === null || Date.now() - waitingSince <= outageAfterMs) return;
    this.isLost = true;
    this.emit('connectionLost', new Date(this.lastResponseAt));
  }

  private async readTable(listening: Listening): Promise<void> {
    const { seen } = this;
    const rows = await listening.query<{ key: string | null; xmin: string }>(
      `select ${changeKeySql('c')} as key, pg_snapshot_xmin(pg_current_snapshot())::text as xmin
       from (select 1) one
       left join page_change c
         on c.transaction >= $1::text::xid8 and c.created_at > clock_timestamp() - interval '${changeRetention}'`,
      [this.since],
    );
    this.since = rows[0]!.xmin;
    const keys = new Set(rows.flatMap(({ key }) => key ?? []));
    // While a long transaction is open, each poll finds the same rows.
    for (const key of seen) if (!keys.has(key)) seen.delete(key);
    for (const key of keys) this.addKey(key);
  }
}
