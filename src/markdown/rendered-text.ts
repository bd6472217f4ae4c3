import { LRUCache } from 'lru-cache';

/** What texts became. An update is drawn again for every face and every minute of its page; what was asked for longest ago gives way. */
export class Rendered {
  readonly #known: LRUCache<string, string>;

  constructor(
    private readonly render: (text: string) => string,
    maxSize: number,
  ) {
    this.#known = new LRUCache({ maxSize, sizeCalculation: (made, text) => 200 + 2 * (made.length + text.length) });
  }

  of(text: string): string {
    let made = this.#known.get(text);
    if (made === undefined) {
      made = this.render(text);
      this.#known.set(text, made);
    }
    return made;
  }

  has(text: string): boolean {
    return this.#known.has(text);
  }
}
