import type { GraphQLError, GraphQLFormattedError } from 'graphql';
import { type Caller, describeRights, hasRoleOn } from '../../auth/access.js';
import { Refusal, unauthenticated } from '../../core/errors.js';
import { CoalescingQueue } from '../../core/coalescing-queue.js';
import type { ChangeFeed } from '../../db/change-feed/change-feed.js';
import type { Database } from '../../db/connection.js';
import { toRefusal } from '../../db/database-errors.js';
import { type EventStream, formatEvent } from '../../http/event-stream.js';
import type { ChangeSource, SubscriptionArguments } from '../change-subscription.js';

export interface Subscription {
  source: ChangeSource;
  args: SubscriptionArguments;
  /** Equal for subscriptions whose events are the same. */
  key: string;
  caller: Caller;
  /** Runs the document for an event. */
  read(cursor: string | null): Promise<{ text: string; errors: readonly GraphQLError[] }>;
}

/** A client of a subscription. */
export interface Watcher {
  stream: EventStream;
  /** The cursor of the last event that it has; null if it has none. */
  cursor: string | null;
  /** Its Authorization header, or its session behind `sessionPrefix`. */
  authorization: string | undefined;
}

interface Topic extends Pick<Subscription, 'read' | 'caller'> {
  watchers: Set<Watcher>;
  /** Whether its document was read once, and so its callers have access to all that it selects. */
  isAuthorized: boolean;
}

/** A record that is watched, with a topic for each document and kind of caller. */
interface WatchedRecord extends Pick<Subscription, 'source' | 'args'> {
  /** Its page. Undefined until its cursor is read: the change of any page may concern it. */
  pageId?: string;
  /** Whether callers without a token may follow it. */
  isOpen?: boolean;
  topics: Map<string, Topic>;
}

const mayFollow = (caller: Caller, { pageId, isOpen }: WatchedRecord): boolean =>
  caller.kind === 'anonymous' ? isOpen === true : hasRoleOn(caller, pageId);

/** No Authorization header that is accepted begins with it. */
export const sessionPrefix = 'Session ';

export interface BrokerDependencies {
  database: Database;
  feed: ChangeFeed;
  /** Throws UNAUTHENTICATED for a token that is no longer valid. */
  authenticate(authorization: string): Promise<Caller>;
  formatError(error: unknown): GraphQLFormattedError;
}

/** How often tokens are checked, and records that no change feed announces are read. */
const intervalMs = 1_000;
/** Topics of a record by kind of caller: all of them are read at each change. */
const maximumTopics: Record<Caller['kind'], number> = { anonymous: 50, token: 500, person: 500 };

/** PostgreSQL fails a statement with such a parameter. */
const isImpossibleText = (value: unknown): boolean =>
  typeof value === 'string' && (value.includes('\0') || !value.isWellFormed());

const completeEvent = formatEvent({ type: 'complete', data: '' });

/**
 * Sends the events of subscriptions. When a watched record has changed, each topic is read once, whatever the number of
 * its watchers. An event has the whole state, so changes that follow each other closely are one event, and a client
 * that comes back with the cursor of its last event misses nothing.
 */
export class SubscriptionBroker {
  private readonly records = new Map<string, WatchedRecord>();
  private readonly queue = new CoalescingQueue(key => this.refresh(key));
  private readonly timer = setInterval(() => this.tick(), intervalMs).unref();
  private isChecking = false;

  constructor(private readonly dependencies: BrokerDependencies) {
    const { feed } = dependencies;
    feed.on('changed', ({ pageId }) =>
      this.refreshWhere(record => !record.source.isPolled && (record.pageId ?? pageId) === pageId),
    );
    feed.on('connectionRestored', () => this.refreshWhere(() => true));
  }

  /** Adds a watcher, which gets its first event at once unless it has it. Throws THROTTLED before it opens a stream. */
  add({ source, args, key, caller, read }: Subscription, open: (onClose: () => void) => Watcher): void {
    const { after: _, ...identity } = args;
    const recordKey = JSON.stringify([source.cursorSql, identity]);
    const record: WatchedRecord = this.records.get(recordKey) ?? { source, args, topics: new Map() };
    const topic = record.topics.get(key) ?? { read, caller, watchers: new Set<Watcher>(), isAuthorized: false };
    const others = [...record.topics.values()].filter(other => other !== topic && other.caller.kind === caller.kind);
    if (others.length >= maximumTopics[caller.kind])
      throw new Refusal('THROTTLED', 'Too many different documents follow this record.', { retryAfter: 60 });
    this.records.set(recordKey, record);
    record.topics.set(key, topic);
    const watcher = open(() => {
      topic.watchers.delete(watcher);
      if (!topic.watchers.size) record.topics.delete(key);
      if (!record.topics.size) this.records.delete(recordKey);
    });
    topic.watchers.add(watcher);
    this.queue.add(recordKey);
  }

  close(): void {
    clearInterval(this.timer);
    this.queue.close();
  }

  private refreshWhere(isConcerned: (record: WatchedRecord) => boolean): void {
    for (const [key, record] of this.records) if (isConcerned(record)) this.queue.add(key);
  }

  private async refresh(key: string): Promise<void> {
    const record = this.records.get(key);
    if (!record) return;
    try {
      const cursor = await this.readCursor(record);
      // One after the other: the documents of a record shall not take all connections to the database.
      for (const topic of [...record.topics.values()])
        await this.sendTo(topic, mayFollow(topic.caller, record) ? cursor : null);
    } catch (error) {
      // The queue tries again.
      if (toRefusal(error)?.code === 'UNAVAILABLE') throw error;
      for (const { watchers } of record.topics.values()) this.refuse(watchers, error);
    }
  }

  private async readCursor(record: WatchedRecord): Promise<string | null> {
    const { source, args } = record;
    const parameters = source.parameters(args);
    if (parameters.some(isImpossibleText)) return null;
    const { database } = this.dependencies;
    const [row] = await database.query<{ cursor: string; pageId: string; isOpen?: boolean }>(
      source.cursorSql,
      parameters,
    );
    if (row) Object.assign(record, { pageId: row.pageId, isOpen: row.isOpen ?? false });
    return row?.cursor ?? null;
  }

  /**
   * Sends an event to the watchers that do not have it. The cursor is at most as new as what is read, so that a change
   * can come twice and never not at all. A new topic is read in any case, which checks the access of its callers.
   */
  private async sendTo(topic: Topic, cursor: string | null): Promise<void> {
    const isBehind = (watcher: Watcher) => cursor === null || watcher.cursor !== cursor;
    const watchers = [...topic.watchers];
    if (topic.isAuthorized && !watchers.some(isBehind)) return;
    const { text, errors } = await topic.read(cursor);
    const outage = errors
      .map(({ originalError }) => toRefusal(originalError))
      .find(found => found?.code === 'UNAVAILABLE');
    if (outage) throw outage;
    topic.isAuthorized = true;
    // Without the cursor where it was refused: it would tell that the record exists.
    const id = errors.length ? undefined : (cursor ?? undefined);
    const event = formatEvent({ id, type: 'next', data: text });
    const bytes = Buffer.from(event);
    for (const watcher of watchers) {
      if (errors.length) watcher.stream.end(event + completeEvent);
      else if (isBehind(watcher)) watcher.stream.send(bytes);
      watcher.cursor = cursor;
    }
  }

  private tick(): void {
    this.refreshWhere(({ source }) => source.isPolled === true);
    if (this.isChecking) return;
    this.isChecking = true;
    this.checkTokens().finally(() => {
      this.isChecking = false;
    });
  }

  /** Ends the streams of tokens that were revoked, or whose rights have changed. */
  private async checkTokens(): Promise<void> {
    const byAuthorization = new Map<string, { watcher: Watcher; rights: string }[]>();
    for (const { topics } of this.records.values())
      for (const { watchers, caller } of topics.values())
        for (const watcher of watchers) {
          const { authorization } = watcher;
          if (authorization === undefined) continue;
          const others = byAuthorization.get(authorization) ?? [];
          byAuthorization.set(authorization, others);
          others.push({ watcher, rights: describeRights(caller) });
        }
    for (const [authorization, watched] of byAuthorization) {
      const current = await this.findRights(authorization);
      for (const { watcher, rights } of watched)
        if (current !== undefined && current !== rights) this.refuse([watcher], unauthenticated());
    }
  }

  private refuse(watchers: Iterable<Watcher>, error: unknown): void {
    const data = JSON.stringify({ errors: [this.dependencies.formatError(error)] });
    for (const { stream } of watchers) stream.end(formatEvent({ type: 'next', data }) + completeEvent);
  }

  /** The current rights of a token; null if it is not valid, undefined if that cannot be found out now. */
  private async findRights(authorization: string): Promise<string | null | undefined> {
    try {
      return describeRights(await this.dependencies.authenticate(authorization));
    } catch (error) {
      return error instanceof Refusal && error.code === 'UNAUTHENTICATED' ? null : undefined;
    }
  }
}
