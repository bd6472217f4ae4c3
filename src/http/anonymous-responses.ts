import type { Context } from 'koa';
import { LRUCache } from 'lru-cache';
import type { PageReads } from '../records/page-reads.js';
import { matchesEtag } from './etag.js';

interface CachedResponse {
  headers: Record<string, string>;
  body: Buffer;
}

const maxAgeMs = 1_000;
const maxBytes = 16 * 1024 * 1024;
const entryBytes = 500;
/** What belongs to the response, and not to the request that it was made for. */
const cachedHeaders = ['Cache-Control', 'Content-Encoding', 'Content-Type', 'ETag', 'Vary'];

/**
 * Keeps the responses to callers without a token for a second: all of them may see the same, and in an incident many
 * ask for the same. Callers with a token get each response under the rights that they have at that time.
 */
export class AnonymousResponses {
  private readonly responses = new LRUCache<string, CachedResponse | 'requested'>({
    maxSize: maxBytes,
    sizeCalculation: (entry, key) => entryBytes + key.length + (entry === 'requested' ? 0 : entry.body.length),
    ttl: maxAgeMs,
    // By default it compares with a time that may be a millisecond old.
    ttlResolution: 0,
  });

  /** Requests in progress, each until its response is cached. */
  private readonly running = new Map<string, Promise<void>>();

  /**
   * Answers a request whose response is cached. While the same request is in progress, it waits for that response: when
   * a response expires, one of its readers makes the next one, and the others are neither queued nor refused.
   */
  async respond(ctx: Context, request: string): Promise<boolean> {
    const running = this.running.get(request);
    if (running && !this.responses.has(request)) this.responses.set(request, 'requested');
    await running;
    const cached = this.responses.get(request);
    if (!cached || cached === 'requested') return false;
    ctx.status = 200;
    ctx.set(cached.headers);
    ctx.body = cached.body;
    if (matchesEtag(ctx.get('If-None-Match'), cached.headers.ETag)) ctx.status = 304;
    return true;
  }

  /** Makes the same requests wait until the returned function is called. */
  begin(request: string): () => void {
    if (this.running.has(request)) return () => {};
    const { promise, resolve } = Promise.withResolvers<void>();
    this.running.set(request, promise);
    return () => {
      this.running.delete(request);
      resolve();
    };
  }

  /**
   * Caches a response that was requested twice within a second: most are requested once. Only responses that read
   * pages are cached. `startedAt`: when its data was read, or before.
   */
  keep({ response }: Context, request: string, body: Buffer, reads: PageReads, startedAt: number): void {
    if (!reads.isComplete || !reads.pageIds.size) return;
    if (!this.responses.has(request)) return void this.responses.set(request, 'requested', { start: startedAt });
    const headers = cachedHeaders.map(name => [name, response.get(name)]).filter(([, value]) => value);
    // A small buffer is a view of a pool of 64 kB, and keeping it would keep the pool.
    const own = Buffer.from(new Uint8Array(body).buffer);
    this.responses.set(request, { headers: Object.fromEntries(headers), body: own }, { start: startedAt });
  }
}
