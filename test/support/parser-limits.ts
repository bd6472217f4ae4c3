/** What reads, in the main thread, what somebody else has written. */
export interface Parser<Input> {
  /** What is read. */
  input: string;
  /** The bound of what it reads, or of the work. */
  bound: string;
  /** Where the bound is enforced: a file below src, and a name in it. */
  enforced: readonly [file: string, name: string];
  read(input: Input): unknown;
  /** The slowest inputs that were found, at the bound. `attempt` makes another text of each, for caches. */
  worst: Readonly<Record<string, (attempt: number) => Input>>;
  /** Above the bound: refused by a throw or null, or not read any further. */
  beyond: () => Input;
  /** Whether an input above the bound is read to the bound alone, and not refused. */
  isCut?: boolean;
}

export const define = <Input>(parser: Parser<Input>) => parser as Parser<unknown>;

export const KB = 1024;
export const MB = 1024 * KB;
/** What a text has room for, of a repeated part. */
export const fill = (part: string, length: number) => part.repeat(Math.floor(length / part.length));
export const list = <Item>(count: number, create: (index: number) => Item) =>
  Array.from({ length: count }, (_, i) => create(i));
