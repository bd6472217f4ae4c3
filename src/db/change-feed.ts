import { EventEmitter } from 'node:events';
import type { Database } from './database.js';
import { toRefusal } from './database-errors.js';
import type { ChangePosition } from './change-position.js';
import { ChangeReader } from './change-reader.js';
import { type CommittedChange, type PageChange, parseChangeKey } from './committed-changes.js';
import type { Listening } from './listen.js';

interface ChangeFeedEvents {
  /** A committed transaction of any process changed a page. Emitted at least once for each change. */
  changed: [PageChange];
  /** The database has not answered since this time of the process's clock. Emitted once per outage. */
  connectionLost: [Date];
  /** The database answers again. Any page may have changed in the meantime. */
  connectionRestored: [];
  /** The clock of this process or of the database was set: their difference is another. */
  clockSet: [];
}

/** On which processes hear of the changes of others. */
export const changesChannel = 'page_changed';
/** On which workers hear that there may be deliveries. */
export const deliveriesChannel = 'deliveries_queued';
/** A notification can be lost, and a connection can go silent. */
const pollIntervalMs = 2_000;
/** After a failure. */
const retryIntervalMs = 500;
/** By how much a clock must be set to be noticed: a response takes less. */
const clockStepMs = 5_000;
/** Commits within this time are notified of by one statement. */
const notifyDelayMs = 10;
/** A failed query can be a connection that was closed; only failures, or no response, for this long are an outage. */
const outageAfterMs = 2_000;

/**
 * The changes of all pages. Those of this process are known at the commit. Those of the others come by NOTIFY, which is
 * sent after the commit and not in it, since commits that notify wait for each other; and because such a notification
 * can be lost, the table is polled every two seconds, on the connection that listens: while all others are busy, the
 * database is not away. When that connection is lost, it is polled at once.
 */
export class ChangeFeed extends EventEmitter<ChangeFeedEvents> {
  /** Undefined: no other process can use the embedded database. */
  private reader: ChangeReader | undefined;
  /** Of this process, of which the others were not notified yet. */
  private readonly unsent: CommittedChange[] = [];
  private notifier: NodeJS.Timeout | undefined;
  /** Times of `performance.now()`: the clock of the machine can be set. */
  private lastResponseAt = performance.now();
  /** When the first poll began that has had no response; null after a response. */
  private waitingSince: number | null = null;
  /** How far the clock of the database is ahead of that of this process. */
  private clockDifferenceMs: number | null = null;
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
    try {
      if (!database.embedded) await feed.watchOthers();
      return feed;
    } catch (error) {
      await feed.close();
      throw error;
    }
  }

  /** Undefined: there are no replicas, which would have to reach it. */
  private get position(): ChangePosition | undefined {
    return this.database.replicas?.position;
  }

  /** Milliseconds since the changes of other processes were last read. Nobody else uses the embedded database. */
  get lagMs(): number {
    return this.database.embedded ? 0 : performance.now() - this.lastResponseAt;
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
    if (this.reader) {
      this.position?.add();
      this.reader.add(change.key);
      this.unsent.push(change);
      this.notifier ??= setTimeout(() => this.notify(), notifyDelayMs);
    }
    this.emit('changed', change);
  };

  /** Notifies of the changes that were committed since, by one statement at a time. */
  private async notify(): Promise<void> {
    const changes = this.unsent.splice(0);
    const { query } = this.database;
    const position = await this.position?.locate(query).catch(() => undefined);
    const notifications = changes.map(({ key }): [string, string] => [
      changesChannel,
      position === undefined ? key : `${key} ${position}`,
    ]);
    if (changes.some(({ queuesDeliveries }) => queuesDeliveries)) notifications.push([deliveriesChannel, '']);
    await query('select pg_notify(channel, payload) from unnest($1::text[], $2::text[]) given (channel, payload)', [
      notifications.map(([name]) => name),
      notifications.map(([, payload]) => payload),
    ]).catch(() => {});
    const hasMore = this.unsent.length > 0 && !this.isClosed;
    this.notifier = hasMore ? setTimeout(() => this.notify(), notifyDelayMs) : undefined;
  }

  private async watchOthers(): Promise<void> {
    const listening = this.database.listen(
      changesChannel,
      payload => this.onNotification(payload),
      () => this.pollAtOnce(),
    );
    this.listening = listening;
    this.reader = new ChangeReader(listening.query);
    await this.poll(this.reader, listening.query);
  }

  /** The payload is a key, with the position of its change where the other process reads replicas. */
  private onNotification(payload: string): void {
    const [key, position] = payload.split(' ') as [string, string | undefined];
    if (!this.reader!.add(key)) return;
    if (position === undefined) this.position?.add();
    else this.position?.addBefore(Number(position));
    this.emitKey(key);
  }

  private emitKey(key: string): void {
    this.emit('changed', parseChangeKey(key));
  }

  private async poll(reader: ChangeReader, query: Listening['query']): Promise<void> {
    this.timer = undefined;
    this.waitingSince ??= performance.now();
    // A connection that went silent fails only after some seconds. In a process that was busy for long the response may
    // have arrived: it is read before `setImmediate`.
    const silence = setTimeout(() => setImmediate(() => this.reportOutage()), outageAfterMs + 1);
    let pauseMs = pollIntervalMs;
    try {
      const keys = await reader.read();
      await this.position?.locate(query).catch(() => this.position?.add());
      for (const key of keys) this.emitKey(key);
      this.lastResponseAt = performance.now();
      this.waitingSince = null;
      this.compareClocks(Date.parse(reader.readAt!));
      if (this.isLost) this.emit('connectionRestored');
      this.isLost = false;
    } catch (error) {
      if (!this.isClosed && toRefusal(error)?.code !== 'UNAVAILABLE')
        this.database.log.error({ err: error }, 'reading page changes failed');
      pauseMs = retryIntervalMs;
      this.reportOutage();
    }
    clearTimeout(silence);
    if (!this.isClosed) this.timer = setTimeout(() => this.poll(reader, query), pauseMs);
  }

  private compareClocks(databaseMs: number): void {
    const differenceMs = databaseMs - Date.now();
    const before = this.clockDifferenceMs ?? differenceMs;
    const wasSet = Math.abs(differenceMs - before) > clockStepMs;
    this.clockDifferenceMs = wasSet ? differenceMs : before;
    if (wasSet) this.emit('clockSet');
  }

  /** Unless a poll is in progress. */
  private pollAtOnce(): void {
    if (!this.timer || !this.reader || !this.listening) return;
    clearTimeout(this.timer);
    void this.poll(this.reader, this.listening.query);
  }

  private reportOutage(): void {
    const { waitingSince } = this;
    if (this.isLost || waitingSince === null || performance.now() - waitingSince <= outageAfterMs) return;
    this.isLost = true;
    this.emit('connectionLost', new Date(Date.now() - this.lagMs));
  }
}
