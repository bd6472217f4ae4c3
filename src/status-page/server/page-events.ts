import type { IncomingMessage, ServerResponse } from 'node:http';
import { type EventStream, type EventStreams, formatEvent } from '../../http/event-stream.js';
import type { PageRevision } from './page-revision.js';
import { writeOptions, writePlainText } from './write-response.js';

/** A client that receives an event when a page has changed. */
interface PageWatcher {
  stream: EventStream;
  /** The id of the last event that it has, or of the page that it shows. */
  lastId: string;
}

/** The longest id that is compared; a client can send anything. */
const maxIdLength = 20;

/**
 * The event streams of pages. An event says that the page has changed, and its id is the page's change count. It is sent
 * when the new revision is served, so that a client that then requests the page gets what changed.
 */
export class PageEvents {
  private readonly watchers = new Map<string, Set<PageWatcher>>();

  constructor(private readonly streams: EventStreams) {}

  isWatched(pageId: string): boolean {
    return this.watchers.has(pageId);
  }

  respond(request: IncomingMessage, response: ServerResponse, revision: PageRevision, query: string): void {
    if (request.method === 'OPTIONS') writeOptions(request, response);
    else if (request.method !== 'GET')
      writePlainText(response, 405, 'This path accepts GET only.\n', { Allow: 'GET, OPTIONS' });
    else if (this.streams.isFull)
      writePlainText(response, 503, 'Too many event streams are open.\n', { 'Retry-After': '60' });
    else {
      const lastId = request.headers['last-event-id'] ?? new URLSearchParams(query).get('after');
      this.open(response, revision, lastId === null ? null : String(lastId).slice(0, maxIdLength));
    }
  }

  /** Tells the clients of a page that have an older one. */
  announce(pageId: string, id: string): void {
    for (const watcher of this.watchers.get(pageId) ?? []) if (watcher.lastId !== id) this.send(watcher, id);
  }

  /** Ends the streams of a page that was deleted. */
  end(pageId: string): void {
    for (const { stream } of this.watchers.get(pageId) ?? []) stream.end();
  }

  /**
   * A client that returns sends the id of its last event as Last-Event-ID; one that comes with a page sends that page's
   * as `after`. If the page has changed since, its first event comes at once.
   */
  private open(response: ServerResponse, { id: pageId, changeId }: PageRevision, lastId: string | null): void {
    const watchers = this.watchers.get(pageId) ?? new Set();
    this.watchers.set(pageId, watchers);
    const stream = this.streams.open(response, { 'Access-Control-Allow-Origin': '*' }, () => {
      watchers.delete(watcher);
      if (!watchers.size && this.watchers.get(pageId) === watchers) this.watchers.delete(pageId);
    });
    const watcher: PageWatcher = { stream, lastId: lastId ?? changeId };
    watchers.add(watcher);
    // An id without data is no event for the client, which only remembers it.
    if (watcher.lastId === changeId) stream.send(`id: ${changeId}\n\n`);
    else this.send(watcher, changeId);
  }

  private send(watcher: PageWatcher, id: string): void {
    watcher.lastId = id;
    watcher.stream.send(formatEvent({ id, data: id }));
  }
}
