import { LRUCache } from 'lru-cache';
import type { CompressedResponse } from './compressed-response.js';
import type { PageGeneration } from './page-generation.js';

export interface CachedResponse {
  generation: PageGeneration;
  response: CompressedResponse;
}

/** A cache of responses, limited by size. Deleting a generation deletes its responses. */
export class GenerationCache<Cached extends CachedResponse = CachedResponse> {
  private readonly keysByGeneration = new WeakMap<PageGeneration, Set<string>>();
  private readonly entries = new LRUCache<string, Cached>({
    max: 20_000,
    maxSize: 32 * 1024 * 1024,
    sizeCalculation: ({ response }, key) => response.sizeBytes + 2 * key.length,
    dispose: ({ generation }, key) => this.keysByGeneration.get(generation)?.delete(key),
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
    const keys = this.keysByGeneration.get(entry.generation);
    if (keys) keys.add(key);
    else this.keysByGeneration.set(entry.generation, new Set([key]));
  }

  deleteGeneration(generation: PageGeneration): void {
    for (const key of this.keysByGeneration.get(generation) ?? []) this.entries.delete(key);
    this.keysByGeneration.delete(generation);
  }
}
