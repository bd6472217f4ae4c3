import type { IncomingMessage, ServerResponse } from 'node:http';
import { type EventBroker, end } from '../../http/event-broker.js';
import { formatEvent } from '../../http/event-stream.js';
import type { VisitorCheck } from './page-gate.js';
import type { PageGeneration } from './page-generation.js';
import { writeOptions, writePlainText } from './write-response.js';

/** The longest id that is compared; a client can send anything. */
const maxIdLength = 20;

/** A page and who may see it: when that changes, the streams end, and clients that may still see it connect again. */
const createTopicKey = ({ id, snapshot }: PageGeneration): string => JSON.stringify(['page', id, snapshot.page.access]);

const formatChange = (changeId: string): string => formatEvent({ id: changeId, data: changeId });

/**
 * The event streams of pages. An event says that the page has changed, and its id is the page's change count. It is
 * sent when the new generation is served, so that a client that then requests the page gets what changed.
 */
export class PageEvents {
  /** The topics that are watched, by page id. */
  private readonly topicKeys = new Map<string, string>();

  constructor(private readonly broker: EventBroker) {}

  isWatched(pageId: string): boolean {
    return this.topicKeys.has(pageId);
  }

  respond(
    request: IncomingMessage,
    response: ServerResponse,
    generation: PageGeneration,
    query: string,
    isStillAllowed?: VisitorCheck,
  ): void {
    if (request.method === 'OPTIONS') writeOptions(request, response);
    else if (request.method !== 'GET')
      writePlainText(response, 405, 'This path accepts GET only.\n', { Allow: 'GET, OPTIONS' });
    else if (this.broker.isFull(request))
      writePlainText(response, 503, 'Too many event streams are open.\n', { 'Retry-After': '60' });
    else {
      const lastId = request.headers['last-event-id'] ?? new URLSearchParams(query).get('after');
      this.open(response, generation, lastId === null ? null : String(lastId).slice(0, maxIdLength), isStillAllowed);
    }
  }

  /** Notifies the clients whose page is older than this generation. */
  announce(generation: PageGeneration): void {
    const key = createTopicKey(generation);
    if (this.topicKeys.get(generation.id) !== key) this.end(generation.id);
    else this.broker.publish(key, generation.changeId, formatChange(generation.changeId));
  }

  end(pageId: string): void {
    end(this.broker.getWatchers(this.topicKeys.get(pageId) ?? ''));
  }

  /**
   * A client that returns sends the id of its last event as Last-Event-ID; one that comes with a page sends that page's
   * as `after`. If the page has changed since, its first event comes at once.
   */
  private open(
    response: ServerResponse,
    generation: PageGeneration,
    lastId: string | null,
    isStillAllowed: VisitorCheck | undefined,
  ): void {
    const { id: pageId, changeId } = generation;
    const key = createTopicKey(generation);
    if (this.topicKeys.get(pageId) !== key) this.end(pageId);
    this.topicKeys.set(pageId, key);
    const { stream } = this.broker.open(key, response, {
      cursor: changeId,
      access: isStillAllowed && { key: isStillAllowed, isAllowed: isStillAllowed },
      headers: { 'Access-Control-Allow-Origin': '*' },
      onClose: () => {
        if (!this.broker.isWatched(key) && this.topicKeys.get(pageId) === key) this.topicKeys.delete(pageId);
      },
    });
    // An id without data is not an event for the client, which only remembers it.
    stream.send((lastId ?? changeId) === changeId ? `id: ${changeId}\n\n` : formatChange(changeId));
  }
}
