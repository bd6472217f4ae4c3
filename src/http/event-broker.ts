import type { IncomingMessage, ServerResponse } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import type { Logger } from '../core/logger.js';
import { toRefusal } from '../db/database-errors.js';
import type { EventStream, EventStreams } from './event-stream.js';

/** The access that a watcher had when it connected. Its stream ends when it has it no more. */
export interface AccessCheck {
  /** Watchers with the same key are checked together. */
  key: unknown;
  isAllowed(): Promise<boolean>;
  formatLastEvent?(): string;
}

interface Watcher {
  stream: EventStream;
  /** The cursor of the last event that it has; null if it has none. */
  cursor: string | null;
  access: AccessCheck | undefined;
}

interface WatcherOptions {
  cursor: string | null;
  access?: AccessCheck;
  headers?: Record<string, string>;
  onClose?(): void;
}

interface Topic {
  watchers: Set<Watcher>;
  /** While it is sent. */
  latest: { cursor: string | null; event: Buffer };
  isSending: boolean;
}

/** Events that are sent before other requests get their turn: each takes about 10 microseconds. */
const batchSize = 500;

const checkIntervalMs = 1_000;

export const isBehind = (watcher: Watcher, cursor: string | null): boolean =>
  cursor === null || watcher.cursor !== cursor;

/** Sends server-sent events to the watchers of topics. Each event has the whole state: only the latest counts. */
export class EventBroker {
  private readonly topics = new Map<string, Topic>();
  private readonly timer = setInterval(() => this.checkAccess(), checkIntervalMs).unref();
  private isChecking = false;

  constructor(
    private readonly streams: EventStreams,
    private readonly log: Logger,
  ) {}

  get openCount(): number {
    return this.streams.openCount;
  }

  isFull(request: IncomingMessage): boolean {
    return this.streams.isFull(request);
  }

  close(): void {
    clearInterval(this.timer);
    this.streams.close();
  }

  isWatched(key: string): boolean {
    return this.topics.has(key);
  }

  getWatchers(key: string): Watcher[] {
    return [...(this.topics.get(key)?.watchers ?? [])];
  }

  /** Begins a response whose stream gets the events of a topic. `onClose` is called after the watcher is removed. */
  open(key: string, response: ServerResponse, { cursor, access, headers = {}, onClose }: WatcherOptions): Watcher {
    const topic = this.topics.get(key) ?? createTopic();
    this.topics.set(key, topic);
    const stream = this.streams.open(response, headers, () => {
      topic.watchers.delete(watcher);
      if (!topic.watchers.size) this.topics.delete(key);
      onClose?.();
    });
    const watcher: Watcher = { stream, cursor, access };
    topic.watchers.add(watcher);
    return watcher;
  }

  /** Sends an event to the watchers that do not have it. */
  publish(key: string, cursor: string | null, event: string): void {
    const topic = this.topics.get(key);
    if (!topic) return;
    topic.latest = { cursor, event: Buffer.from(event) };
    if (!topic.isSending) void sendLatest(topic);
  }

  private async checkAccess(): Promise<void> {
    if (this.isChecking) return;
    this.isChecking = true;
    const byKey = Map.groupBy(
      [...this.topics.values()].flatMap(({ watchers }) => [...watchers].filter(({ access }) => access)),
      ({ access }) => access!.key,
    );
    // One after the other: the checks must not take all connections to the database.
    for (const watchers of byKey.values()) {
      const { isAllowed, formatLastEvent } = watchers[0]!.access!;
      try {
        if (!(await isAllowed())) end(watchers, formatLastEvent?.());
      } catch (error) {
        // Nothing is known until the database is available again.
        if (toRefusal(error)?.code === 'UNAVAILABLE') break;
        this.log.error({ err: error }, 'failed to check the access of an event stream');
      }
    }
    this.isChecking = false;
  }
}

const nothing: Topic['latest'] = { cursor: null, event: Buffer.alloc(0) };

const createTopic = (): Topic => ({
  watchers: new Set(),
  latest: nothing,
  isSending: false,
});

export function end(watchers: Iterable<Watcher>, lastEvent?: string): void {
  for (const { stream } of watchers) stream.end(lastEvent);
}

/** Sends the latest event in batches, and what has become the latest meanwhile. */
async function sendLatest(topic: Topic): Promise<void> {
  topic.isSending = true;
  let latest: Topic['latest'];
  do {
    latest = topic.latest;
    let sent = 0;
    for (const watcher of topic.watchers) {
      if (!isBehind(watcher, latest.cursor)) continue;
      watcher.cursor = latest.cursor;
      watcher.stream.send(latest.event);
      sent += 1;
      if (sent % batchSize === 0) await setImmediate();
      if (topic.latest !== latest) break;
    }
  } while (topic.latest !== latest);
  // An event can have megabytes, and there are thousands of topics.
  topic.latest = nothing;
  topic.isSending = false;
}
