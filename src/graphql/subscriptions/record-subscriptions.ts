import type { ServerResponse } from 'node:http';
import type { GraphQLError, GraphQLFormattedError } from 'graphql';
import { type Caller, describeRights, findTurn, hasRoleOn } from '../../auth/access.js';
import { Refusal, unauthenticated } from '../../core/errors.js';
import { CoalescingQueue } from '../../core/queues/coalescing-queue.js';
import type { ChangeFeed } from '../../db/change-feed.js';
import type { Database } from '../../db/database.js';
import { toRefusal } from '../../db/database-errors.js';
import { type AccessCheck, end, type EventBroker, isBehind } from '../../http/event-broker.js';
import { formatEvent } from '../../http/event-stream.js';
import type { ChangeSource, SubscriptionArguments } from '../change-subscription.js';
import { takeTurns } from './topic-turns.js';

export interface Subscription {
  source: ChangeSource;
  args: SubscriptionArguments;
  /** Equal for subscriptions whose events are the same. */
  key: string;
  caller: Caller;
  /** Runs the document for an event. */
  read(cursor: string | null): Promise<{ text: string; errors: readonly GraphQLError[] }>;
}

interface Subscriber {
  /** The cursor of the last event that it has; null if it has none. */
  cursor: string | null;
  /** The type of events with data: none for the EventSource of a browser, which calls `onmessage` for them. */
  dataEvent: 'next' | undefined;
  /** Its Authorization header, or its session behind `sessionPrefix`. */
  authorization: string | undefined;
  /** Of the client: its IPv4 address or the IPv6 network of a customer. */
  network: string;
}

/** `network`: that of the first subscriber. */
interface Topic extends Pick<Subscription, 'read' | 'caller'>, Pick<Subscriber, 'dataEvent' | 'network'> {
  /** When its document was last read. Null: never, so that it is not known whether its callers have access. */
  readAt: number | null;
}

/** A record that is watched, with a topic for each document and kind of caller. */
interface WatchedRecord {
  source: ChangeSource;
  /** Of its `cursorSql`. */
  parameters: unknown[];
  /** Its page. Undefined until its cursor is read: the change of any page may concern it. */
  pageId?: string;
  /** Whether callers without a token may follow it. */
  isOpen?: boolean;
  /** Those that were read longest ago first. */
  topics: Map<string, Topic>;
  /** Of its group one record is read at a time: of its page, or of the first caller's where its page is not named. */
  group: string;
}

const mayFollow = (caller: Caller, { source, pageId, isOpen }: WatchedRecord): boolean =>
  caller.kind === 'anonymous' ? isOpen === true : source.isOfAllPages === true || hasRoleOn(caller, pageId);

/** No Authorization header that is accepted begins with it. */
export const sessionPrefix = 'Session ';

interface SubscriptionDependencies {
  broker: EventBroker;
  database: Database;
  feed: ChangeFeed;
  /** Throws UNAUTHENTICATED for a token that is no longer valid. */
  authenticate(authorization: string): Promise<Caller>;
  formatError(error: unknown): GraphQLFormattedError;
}

/** How often records that no change feed announces are read. */
const pollIntervalMs = 1_000;
/** Topics of a record by kind of caller: all of them are read at each change. */
const maxTopics: Record<Caller['kind'], number> = { anonymous: 50, token: 500, person: 500 };
/** Of these, those of the callers with a role on one page, so that they leave places to others. */
const shareOfPage = 0.5;
/** Of these, those that one network opened without a token, for the same reason. */
const maxTopicsOfNetwork = 5;
/** For how long the topics of a record are read before other records, and changes meanwhile, have their turn. */
const maxReadMs = 200;

/** PostgreSQL fails a statement with such a parameter. */
const isImpossibleText = (value: unknown): boolean =>
  typeof value === 'string' && (value.includes('\0') || !value.isWellFormed());

const completeEvent = formatEvent({ type: 'complete', data: '' });

/**
 * Publishes the events of subscriptions. When a watched record has changed, each topic is read once, whatever the
 * number of its watchers. An event has the whole state, so changes that follow each other closely are one event, and a
 * client that comes back with the cursor of its last event misses nothing.
 */
export class RecordSubscriptions {
  private readonly records = new Map<string, WatchedRecord>();
  private readonly queue = new CoalescingQueue(
    key => this.refresh(key),
    key => this.records.get(key)?.group ?? key,
  );
  private readonly timer = setInterval(
    () => this.refreshWhere(({ source }) => source.isPolled === true),
    pollIntervalMs,
  ).unref();

  constructor(private readonly dependencies: SubscriptionDependencies) {
    const { feed } = dependencies;
    feed.on('changed', ({ pageId }) =>
      this.refreshWhere(record => !record.source.isPolled && (record.pageId ?? pageId) === pageId),
    );
    feed.on('connectionRestored', () => this.refreshWhere(() => true));
  }

  /** Opens a stream, which gets its first event at once unless it has it. Throws THROTTLED before it opens it. */
  open({ source, args, key, caller, read }: Subscription, response: ServerResponse, subscriber: Subscriber): void {
    const parameters = source.parameters(args, caller);
    const recordKey = JSON.stringify([source.cursorSql, parameters]);
    const { dataEvent, network } = subscriber;
    const topicKey = JSON.stringify([recordKey, key, dataEvent]);
    const [page] = findTurn(caller);
    const group = typeof args.pageId === 'string' ? args.pageId : page;
    const record: WatchedRecord = this.records.get(recordKey) ?? {
      source,
      parameters,
      topics: new Map(),
      group,
    };
    const topic = record.topics.get(topicKey) ?? { read, caller, dataEvent, network, readAt: null };
    const others = [...record.topics.values()].filter(other => other !== topic && other.caller.kind === caller.kind);
    const ofNetwork = caller.kind === 'anonymous' ? others.filter(other => other.network === network) : [];
    const max = maxTopics[caller.kind];
    const ofPage = caller.kind === 'anonymous' ? [] : others.filter(other => findTurn(other.caller)[0] === page);
    if (others.length >= max || ofPage.length >= max * shareOfPage || ofNetwork.length >= maxTopicsOfNetwork)
      throw new Refusal('THROTTLED', 'Too many different documents follow this record.', { retryAfter: 60 });
    this.records.set(recordKey, record);
    record.topics.set(topicKey, topic);
    this.dependencies.broker.open(topicKey, response, {
      cursor: subscriber.cursor,
      access: this.createAccessCheck(subscriber, caller),
      onClose: () => {
        if (!this.dependencies.broker.isWatched(topicKey)) record.topics.delete(topicKey);
        if (!record.topics.size) this.records.delete(recordKey);
      },
    });
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
      const until = performance.now() + maxReadMs;
      // One after the other: the documents of a record must not take all connections to the database.
      for (const [topicKey, topic] of takeTurns(record.topics)) {
        if (performance.now() >= until) return this.queue.add(key);
        await this.publish(topicKey, topic, record, mayFollow(topic.caller, record) ? cursor : null);
      }
    } catch (error) {
      // The queue tries again.
      if (toRefusal(error)?.code === 'UNAVAILABLE') throw error;
      for (const [topicKey, topic] of record.topics)
        end(this.dependencies.broker.getWatchers(topicKey), this.formatLastEvent(topic, error));
    }
  }

  private async readCursor(record: WatchedRecord): Promise<string | null> {
    const { source, parameters } = record;
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
   * Publishes an event if a watcher does not have it. The cursor is at most as new as what is read, so that a change
   * can come twice and never not at all. A new topic is read in any case, which checks the access of its callers.
   */
  private async publish(topicKey: string, topic: Topic, { topics }: WatchedRecord, cursor: string | null) {
    const { broker } = this.dependencies;
    const watchers = broker.getWatchers(topicKey);
    // Without a cursor the document is refused, which ends the streams.
    const isAwaited = cursor === null ? watchers.length > 0 : watchers.some(watcher => isBehind(watcher, cursor));
    if (topic.readAt !== null && !isAwaited) return;
    if (topics.delete(topicKey)) topics.set(topicKey, topic);
    const startedAt = performance.now();
    const { text, errors } = await topic.read(cursor);
    const outage = errors
      .map(({ originalError }) => toRefusal(originalError))
      .find(refusal => refusal?.code === 'UNAVAILABLE');
    if (outage) throw outage;
    topic.readAt = startedAt;
    // Without the cursor where it was refused: it would tell that the record exists.
    if (errors.length) end(watchers, formatEvent({ type: topic.dataEvent, data: text }) + completeEvent);
    else broker.publish(topicKey, cursor, formatEvent({ id: cursor ?? undefined, type: topic.dataEvent, data: text }));
  }

  /** Whether a token or session has the rights that it had, so that streams of revoked and changed ones end. */
  private createAccessCheck(subscriber: Subscriber, caller: Caller): AccessCheck | undefined {
    const { authorization, dataEvent } = subscriber;
    if (authorization === undefined) return undefined;
    const rights = describeRights(caller);
    return {
      key: JSON.stringify([authorization, rights, dataEvent]),
      isAllowed: async () => {
        try {
          return describeRights(await this.dependencies.authenticate(authorization)) === rights;
        } catch (error) {
          if (error instanceof Refusal && error.code === 'UNAUTHENTICATED') return false;
          throw error;
        }
      },
      formatLastEvent: () => this.formatLastEvent(subscriber, unauthenticated()),
    };
  }

  private formatLastEvent({ dataEvent }: Pick<Subscriber, 'dataEvent'>, error: unknown): string {
    const data = JSON.stringify({ errors: [this.dependencies.formatError(error)] });
    return formatEvent({ type: dataEvent, data }) + completeEvent;
  }
}
