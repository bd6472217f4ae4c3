import type { IncomingMessage, ServerResponse } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import type { Logger } from '../../core/logger.js';
import { toRefusal } from '../../db/database-errors.js';
import { type EventStream, type EventStreams, formatEvent } from '../../http/event-stream.js';
import type { PageRevision } from './page-revision.js';
import { writeOptions, writePlainText } from './write-response.js';

/** A client that receives an event when a page has changed. */
interface PageWatcher {
  stream: EventStream;
  /** The id of the last event that it has, or of the page that it shows. */
  lastId: string;
  isStillAllowed: AccessCheck | undefined;
}

/** Whether the visitor of a private page may still see it. */
export type AccessCheck = () => Promise<boolean>;

/** The clients of a page. */
interface PageWatchers {
  all: Set<PageWatcher>;
  /** Who saw the page when they connected. */
  access: string;
  latestId: string;
  isSending: boolean;
}

/** So many events are sent before other requests have their turn: each takes some 10 microseconds. */
const batchSize = 500;

/** How often visitors of private pages are checked. */
const checkIntervalMs = 1_000;

/** The longest id that is compared; a client can send anything. */
const maxIdLength = 20;

/**
 * The event streams of pages. An event says that the page has changed, and its id is the page's change count. It is
 * sent when the new revision is served, so that a client that then requests the page gets what changed.
 */
export class PageEvents {
  private readonly watchers = new Map<string, PageWatchers>();

  private readonly timer = setInterval(() => this.checkAccess(), checkIntervalMs).unref();
  private isChecking = false;

  constructor(
    private readonly streams: EventStreams,
    private readonly log: Logger,
  ) {}

  close(): void {
    clearInterval(this.timer);
  }

  isWatched(pageId: string): boolean {
    return this.watchers.has(pageId);
  }

  respond(
    request: IncomingMessage,
    response: ServerResponse,
    revision: PageRevision,
    query: string,
    isStillAllowed?: AccessCheck,
  ): void {
    if (request.method === 'OPTIONS') writeOptions(request, response);
    else if (request.method !== 'GET')
      writePlainText(response, 405, 'This path accepts GET only.\n', { Allow: 'GET, OPTIONS' });
    else if (this.streams.isFull)
      writePlainText(response, 503, 'Too many event streams are open.\n', { 'Retry-After': '60' });
    else {
      const lastId = request.headers['last-event-id'] ?? new URLSearchParams(query).get('after');
      this.open(response, revision, lastId === null ? null : String(lastId).slice(0, maxIdLength), isStillAllowed);
    }
  }

  /** Tells the clients of a page that have an older one. */
  announce(revision: PageRevision): void {
    const watchers = this.watchers.get(revision.id);
    if (!watchers) return;
    // Who still may see the page connects again.
    if (watchers.access !== describeAccess(revision)) this.end(revision.id);
    else {
      watchers.latestId = revision.changeId;
      if (!watchers.isSending) void sendLatest(watchers);
    }
  }

  /** Ends the streams of a page that was deleted. */
  end(pageId: string): void {
    for (const { stream } of this.watchers.get(pageId)?.all ?? []) stream.end();
  }

  /**
   * A client that returns sends the id of its last event as Last-Event-ID; one that comes with a page sends that page's
   * as `after`. If the page has changed since, its first event comes at once.
   */
  private open(
    response: ServerResponse,
    revision: PageRevision,
    lastId: string | null,
    isStillAllowed: AccessCheck | undefined,
  ): void {
    const { id: pageId, changeId } = revision;
    const access = describeAccess(revision);
    let watchers = this.watchers.get(pageId);
    // Their access has ended, and they are being closed.
    if (watchers?.access !== access) {
      this.end(pageId);
      watchers = { all: new Set(), access, latestId: changeId, isSending: false };
      this.watchers.set(pageId, watchers);
    }
    const { all } = watchers;
    const stream = this.streams.open(response, { 'Access-Control-Allow-Origin': '*' }, () => {
      all.delete(watcher);
      if (!all.size && this.watchers.get(pageId) === watchers) this.watchers.delete(pageId);
    });
    const watcher: PageWatcher = { stream, lastId: lastId ?? changeId, isStillAllowed };
    all.add(watcher);
    // An id without data is no event for the client, which only remembers it.
    if (watcher.lastId === changeId) stream.send(`id: ${changeId}\n\n`);
    else send(watcher, changeId, formatChange(changeId));
  }

  /** Ends the streams of visitors who have lost their access without a change of the page. */
  private async checkAccess(): Promise<void> {
    if (this.isChecking) return;
    this.isChecking = true;
    try {
      // One after the other: the checks shall not take all connections to the database.
      for (const { all } of [...this.watchers.values()])
        for (const { stream, isStillAllowed } of [...all])
          if (isStillAllowed && !(await isStillAllowed())) stream.end();
    } catch (error) {
      // Without the database nothing can be found out, and nothing changes.
      if (toRefusal(error)?.code !== 'UNAVAILABLE') this.log.error({ err: error }, 'failed to check event streams');
    } finally {
      this.isChecking = false;
    }
  }
}

const describeAccess = ({ snapshot }: PageRevision): string => JSON.stringify(snapshot.page.access ?? null);

/** Sends the latest change in batches, and what has become the latest meanwhile. */
async function sendLatest(watchers: PageWatchers): Promise<void> {
  watchers.isSending = true;
  let id: string;
  do {
    id = watchers.latestId;
    const event = formatChange(id);
    let sent = 0;
    for (const watcher of watchers.all) {
      if (watcher.lastId === id) continue;
      send(watcher, id, event);
      sent += 1;
      if (sent % batchSize === 0) await setImmediate();
      if (watchers.latestId !== id) break;
    }
  } while (watchers.latestId !== id);
  watchers.isSending = false;
}

/** The bytes of an event, which all watchers of the page get. */
const formatChange = (id: string): Buffer => Buffer.from(formatEvent({ id, data: id }));

function send(watcher: PageWatcher, id: string, event: Buffer): void {
  watcher.lastId = id;
  watcher.stream.send(event);
}
