/** A statement and the name that it is prepared under. */
export interface NamedStatement {
  name: string;
  text: string;
}

/** In characters. A plan takes some 70 bytes of memory a character, on every connection that has prepared it. */
const maximumLength = 16_000;

/**
 * Gives names to prepared statements, since planning a read takes longer than running it, and neither the ORM nor its
 * query builder prepares. A text gets a name when it is seen for the second time; when all names are taken, that of the
 * least recently used text. There are `maximum` names, and none for a long text, so that no client can fill the memory
 * of the database's processes.
 */
export class StatementNames {
  /** In the order in which they were seen; at most `maximum`. */
  private readonly seenOnce = new Set<string>();
  /** By the length of the text: comparing long texts costs a tenth of hashing one. */
  private readonly byLength = new Map<number, NamedStatement[]>();
  /** The least recently used first. */
  private readonly byUse = new Set<NamedStatement>();

  constructor(
    private readonly prefix: string,
    private readonly maximum: number,
  ) {}

  /** Returns the statement with this text if it has a name; a name can have stood for another text before. */
  find(text: string): NamedStatement | undefined {
    if (text.length > maximumLength) return undefined;
    const known = this.byLength.get(text.length)?.find(statement => statement.text === text);
    if (known) {
      this.byUse.delete(known);
      this.byUse.add(known);
      return known;
    }
    if (this.seenOnce.delete(text)) return this.add(text);
    if (this.seenOnce.size === this.maximum) this.seenOnce.delete(first(this.seenOnce));
    this.seenOnce.add(text);
    return undefined;
  }

  private add(text: string): NamedStatement {
    const name = this.byUse.size < this.maximum ? `${this.prefix}${this.byUse.size}` : this.evict();
    const statement = { name, text };
    this.byUse.add(statement);
    this.byLength.set(text.length, [...(this.byLength.get(text.length) ?? []), statement]);
    return statement;
  }

  /** Forgets the least recently used statement, and returns its name. */
  private evict(): string {
    const statement = first(this.byUse);
    this.byUse.delete(statement);
    const { length } = statement.text;
    const others = this.byLength.get(length)!.filter(other => other !== statement);
    if (others.length) this.byLength.set(length, others);
    else this.byLength.delete(length);
    return statement.name;
  }
}

const first = <Value>(values: Set<Value>): Value => values.values().next().value!;
