import { isAlias, isMap, isScalar, isSeq, LineCounter, type Node, parseDocument, Scalar } from 'yaml';
import { suggest } from '../../core/suggest.js';
import { PageFileError } from './page-file.js';

export interface Entry {
  key: string;
  node: Node | null;
  line: number;
}

/** Each reads its anchor again, and aliases may lead to aliases: a few lines would be read billions of times. */
const maxAliases = 100;

/** Reads the nodes of a document, and collects what is wrong with them. */
export class YamlReader {
  private readonly problems: { line: number; text: string }[] = [];
  private readonly lines = new LineCounter();
  private aliases = 0;
  private readonly document;

  constructor(text: string) {
    // A schema without types: an id like 2017e840 is not a number, and `no` is not a boolean. A field says what it is.
    this.document = parseDocument(text, { lineCounter: this.lines, schema: 'failsafe', prettyErrors: false });
    for (const { pos, message } of this.document.errors)
      this.problems.push({ line: this.lines.linePos(pos[0]).line, text: message });
    this.throwProblems();
  }

  get root(): Node | null {
    return this.document.contents;
  }

  addProblem(line: number, text: string): void {
    this.problems.push({ line, text });
  }

  throwProblems(): void {
    if (!this.problems.length) return;
    throw new PageFileError(this.problems.toSorted((one, other) => one.line - other.line));
  }

  lineOf(node: Node | null): number {
    return this.lines.linePos(node?.range?.[0] ?? 0).line || 1;
  }

  /** The entries of a map with these keys. Other keys are mistakes. */
  readMap(node: Node | null, where: string, keys: readonly string[]): Entry[] {
    const map = this.resolve(node);
    if (!isMap(map)) {
      this.addProblem(this.lineOf(node), `${where} must have fields, such as ${keys[0]}.`);
      return [];
    }
    return map.items.flatMap(pair => {
      const key = String((pair.key as Scalar).value);
      const line = this.lineOf(pair.key as Node);
      if (keys.includes(key)) return [{ key, node: this.resolve(pair.value as Node | null), line }];
      this.addProblem(line, `${where} has no field ${key}. Did you mean ${suggest(key, keys)[0]}?`);
      return [];
    });
  }

  readList(node: Node | null, where: string): (Node | null)[] {
    const list = this.resolve(node);
    if (isSeq(list)) return list.items.map(item => this.resolve(item as Node | null));
    this.addProblem(this.lineOf(node), `${where} must be a list: lines that begin with a dash.`);
    return [];
  }

  /** The text of a scalar; null for an empty one, `~` and `null`. Undefined for anything else, which is a mistake. */
  readScalar({ key, node, line }: Entry, where: string): string | null | undefined {
    if (node === null) return null;
    if (!isScalar(node)) {
      this.addProblem(line, `${where}: ${key} must be a value, not a list and no fields of its own.`);
      return undefined;
    }
    const text = String(node.value);
    return node.type === Scalar.PLAIN && /^(|~|null)$/i.test(text) ? null : text;
  }

  private resolve(node: Node | null): Node | null {
    if (!isAlias(node)) return node;
    this.aliases += 1;
    if (this.aliases > maxAliases)
      throw new PageFileError([
        { line: this.lineOf(node), text: `At most ${maxAliases} aliases are read, with those in their anchors.` },
      ]);
    return node.resolve(this.document) ?? null;
  }
}
