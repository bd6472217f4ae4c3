import type { Context } from 'koa';
import { LRUCache } from 'lru-cache';
import type { PageVersions } from '../db/page-versions.js';
import type { PageReads } from '../records/page-reads.js';
import { matchesEtag } from './etag.js';

interface CachedResponse {
  /** Of its pages, read before its data was; null where these were not known yet. */
  versions: string | null;
  /** The number of its request: later ones began later. */
  number: number;
  headers: Record<string, string>;
  body: Buffer;
}

interface Entry {
  /** What the response was read from. */
  pageIds: readonly string[];
  response: CachedResponse;
}

/** A request that is in progress. */
export interface AnonymousRequest {
  /** Caches its response. Only responses that read nothing but pages are cached. */
  keep(ctx: Pick<Context, 'response'>, body: Buffer, reads: PageReads): void;
  /** Lets the same requests go on, which wait for this one. */
  end(): void;
}

const maxAgeMs = 1_000;
const maxBytes = 16 * 1024 * 1024;
const entryBytes = 500;
/** Where the requests in progress fail, each of the others goes on by itself. */
const maxWaits = 3;
/** More pages are not compared: each is a version to read. */
const maxPages = 10;
/** What belongs to the response, and not to the request that it was made for. */
const cachedHeaders = ['Cache-Control', 'Content-Encoding', 'Content-Type', 'ETag', 'Vary'];

/**
 * Keeps the responses to callers without a token for a second: all of them may see the same, and in an incident many
 * ask for the same. A response is sent while the versions of its pages are those that it was read at, so that none is
 * older than a change that was committed before its request, by whichever process. Callers with a token get each
 * response under the rights that they have at that time.
 */
export class AnonymousResponses {
  private readonly entries = new LRUCache<string, Entry>({
    maxSize: maxBytes,
    sizeCalculation: ({ response }, key) => entryBytes + key.length + response.body.length,
    ttl: maxAgeMs,
    // By default it compares with a time that may be a millisecond old.
    ttlResolution: 0,
  });

  /** Requests in progress, each until its response is cached. */
  private readonly running = new Map<string, Promise<void>>();
  private begun = 0;

  constructor(private readonly versions: Pick<PageVersions, 'read'>) {}

  /**
   * Answers a request whose response is cached, and returns null. While the same request is in progress, it waits for
   * that response: when a response expires, one of its readers makes the next one, and the others are neither queued
   * nor refused. Must be called before the data of the response is read.
   */
  async begin(ctx: Context, request: string): Promise<AnonymousRequest | null> {
    const { begun } = this;
    let entry: Entry | undefined;
    let versions: string | null = null;
    // One that was in progress may have read its data before this request; the one after it has not.
    for (let waits = 0; waits < maxWaits; waits++) {
      const running = this.running.get(request);
      if (running) await running;
      entry = this.entries.get(request);
      if (!entry) break;
      if (entry.response.number > begun) return this.send(ctx, entry.response);
      versions = await this.versions.read(entry.pageIds);
      const { response } = this.entries.get(request) ?? entry;
      if (response.number > begun || response.versions === versions) return this.send(ctx, response);
      if (!this.running.has(request)) break;
    }
    return this.start(request, entry?.pageIds ?? [], versions);
  }

  private send(ctx: Context, { headers, body }: CachedResponse): null {
    ctx.status = 200;
    ctx.set(headers);
    ctx.body = body;
    if (matchesEtag(ctx.get('If-None-Match'), headers.ETag)) ctx.status = 304;
    return null;
  }

  /** `versions`: those of the pages that the response before was read from. */
  private start(request: string, versionsOf: readonly string[], versions: string | null): AnonymousRequest {
    const startedAt = performance.now();
    const number = ++this.begun;
    const { promise, resolve } = Promise.withResolvers<void>();
    const isFirst = !this.running.has(request);
    if (isFirst) this.running.set(request, promise);
    return {
      keep: ({ response }, body, reads) => {
        const pageIds = [...reads.pageIds].toSorted();
        if (!reads.isComplete || !pageIds.length || pageIds.length > maxPages) return;
        const headers = cachedHeaders.map(name => [name, response.get(name)]).filter(([, value]) => value);
        const entry: Entry = {
          pageIds,
          response: {
            versions: pageIds.join() === versionsOf.join() ? versions : null,
            number,
            headers: Object.fromEntries(headers),
            // A small buffer is a view of a pool of 64 kB, and keeping it would keep the pool.
            body: Buffer.from(new Uint8Array(body).buffer),
          },
        };
        this.entries.set(request, entry, { start: startedAt });
      },
      end: () => {
        if (isFirst) this.running.delete(request);
        resolve();
      },
    };
  }
}
