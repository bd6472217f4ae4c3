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

  /** Keeps a rendered text until `release`, whatever the size of the cache. Returns whether it had to be rendered. */
  hold(text: string, holder: symbol): boolean {
    const found = this.#find(text);
    const held = this.#held.get(holder) ?? new Map<string, string>();
    this.#held.set(holder, held.set(text, found ?? this.#add(text)));
    return found === undefined;
  }

  release(holder: symbol): void {
    this.#held.delete(holder);
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
