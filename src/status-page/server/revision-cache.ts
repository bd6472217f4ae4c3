import { LRUCache } from 'lru-cache';
import type { CompressedResponse } from './compressed-response.js';
import type { PageRevision } from './page-revision.js';

export interface CachedResponse {
  revision: PageRevision;
  response: CompressedResponse;
}

/** A cache of responses, limited by size, each of which is deleted with the revision that it was rendered from. */
export class RevisionCache<Cached extends CachedResponse = CachedResponse> {
  private readonly keysByRevision = new WeakMap<PageRevision, Set<string>>();
  private readonly entries = new LRUCache<string, Cached>({
    max: 20_000,
    maxSize: 64 * 1024 * 1024,
    sizeCalculation: ({ response }, key) => response.sizeBytes + 2 * key.length,
    dispose: ({ revision }, key) => this.keysByRevision.get(revision)?.delete(key),
  });

  get size(): number {
    return this.entries.size;
  }

  get(key: string): Cached | undefined {
    return this.entries.get(key);
  }

  has(key: string): boolean {
    return this.entries.has(key);
  }

  set(key: string, entry: Cached): void {
    this.entries.set(key, entry);
    // A response that is larger than the whole cache is not stored.
    if (!this.entries.has(key)) return;
    const keys = this.keysByRevision.get(entry.revision);
    if (keys) keys.add(key);
    else this.keysByRevision.set(entry.revision, new Set([key]));
  }

  deleteRevision(revision: PageRevision): void {
    for (const key of this.keysByRevision.get(revision) ?? []) this.entries.delete(key);
    this.keysByRevision.delete(revision);
  }
}
