import { LRUCache } from 'lru-cache';

/** Caches rendered texts, since each route of a page, and each minute, renders the same updates again. */
export class RenderCache {
  readonly #cache: LRUCache<string, string>;

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
    let rendered = this.#cache.get(text);
    if (rendered === undefined) {
      rendered = this.render(text);
      this.#cache.set(text, rendered);
    }
    return rendered;
  }

  has(text: string): boolean {
    return this.#cache.has(text);
  }
}
