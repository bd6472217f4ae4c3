/** In characters. A plan takes some 70 bytes of memory a character, on every connection that has prepared it. */
const maxLength = 16_000;
const patternMatching = / i?like /;

/**
 * Names prepared statements, since planning a read takes longer than running it. A text gets a name when it is seen for
 * the second time, and keeps it: a name that stood for two texts would fail. There are `maximum` names, and none for a
 * long text, so that no client can fill the memory of the database's processes. A statement with a pattern has none
 * either: one plan for all values ignores how many rows a pattern and a page have, and can scan the rows of all pages.
 */
export class StatementNames {
  private readonly names = new Map<string, string>();
  private readonly seenOnce = new Set<string>();

  constructor(
    private readonly prefix: string,
    private readonly max: number,
  ) {}

  /** Undefined: the statement is not prepared. */
  find(text: string): string | undefined {
    const name = this.names.get(text);
    if (name || this.names.size === this.max || text.length > maxLength) return name;
    if (patternMatching.test(text)) return undefined;
    if (this.seenOnce.delete(text)) return this.add(text);
    if (this.seenOnce.size === this.max) this.seenOnce.clear();
    this.seenOnce.add(text);
    return undefined;
  }

  private add(text: string): string {
    const name = `${this.prefix}${this.names.size}`;
    this.names.set(text, name);
    if (this.names.size === this.max) this.seenOnce.clear();
    return name;
  }
}
