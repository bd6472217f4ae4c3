import { setImmediate } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';

/** Caches rendered texts, since each route of a page, and each minute, renders the same updates again. */
export class RenderCache {
  readonly #cache: LRUCache<string, string>;
  /** Texts that are rendered before they are used, by holder. */
  readonly #held = new Map<symbol, Map<string, string>>();

  /** `maxSize` in bytes, about. */
  constructor(
    private readonly render: (text: string) => string,
    maxSize: number,
  ) {
    this.#cache = new LRUCache({
      maxSize,
      sizeCalculation: (rendered, text) => 200 + 2 * (rendered.length + text.length),
    });
  }

  get(text: string): string {
    return this.#find(text) ?? this.#add(text);
  }

  /**
   * Renders texts that are not cached, and yields to the event loop after each, since a page may have many long ones.
   * They are held, whatever the size of the cache, until the function that it returns is called, or one of them fails.
   */
  async warm(texts: Iterable<string>): Promise<() => void> {
    const holder = Symbol();
    const held = new Map<string, string>();
    const release = () => void this.#held.delete(holder);
    this.#held.set(holder, held);
    try {
      for (const text of texts) {
        const found = this.#find(text);
        held.set(text, found ?? this.#add(text));
        if (found === undefined) await setImmediate();
      }
    } catch (error) {
      release();
      throw error;
    }
    return release;
  }

  #find(text: string): string | undefined {
    const cached = this.#cache.get(text);
    if (cached !== undefined) return cached;
    for (const held of this.#held.values()) if (held.has(text)) return held.get(text);
    return undefined;
  }

  #add(text: string): string {
    const rendered = this.render(text);
    this.#cache.set(text, rendered);
    return rendered;
  }
}
