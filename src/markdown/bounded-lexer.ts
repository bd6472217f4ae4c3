import { Lexer, type Token, Tokenizer, type TokensList } from 'marked';

const bounds = {
  /** Quotes and lists inside each other. */
  nesting: 8,
  /** Table cells, taken as the most columns of any line times all lines: rows too short are filled up. */
  cells: 30_000,
  /** Sum over all runs of text of their length times their marks: what 65,535 characters of prose, in paragraphs of usual length, come to. */
  work: 2_000_000,
  /** Length of a piece of a run for which no work is left; short enough for the worst of them. */
  piece: 64,
};

/** Not only what is markup: the end of a bare address is sought by trying every mark behind it. */
const mark = /[^\p{Letter}\p{Number}\s]/gu;

/**
 * Anyone who may write a notice may write 65,535 hostile characters. Parsing Markdown takes time that grows with the square of some inputs, memory
 * that grows with the columns of a table times its rows, and a stack as deep as its nesting: hence the bounds. What is beyond them is still read,
 * in smaller pieces, so that nothing is cut off; only markup that spans two pieces stays in the text.
 */
export class BoundedLexer extends Lexer {
  #nesting = 0;
  #work = 0;

  constructor(markdown: string) {
    const tokenizer = new Tokenizer();
    super({ gfm: true, tokenizer });
    // The grammar without tables. Refusing one table after the other would take the square of their number.
    if (cellsAtMost(markdown) > bounds.cells) tokenizer.rules.block = Lexer.rules.block.normal;
  }

  override blockTokens(source: string, tokens?: Token[], lastParagraphClipped?: boolean): Token[];
  override blockTokens(source: string, tokens?: TokensList, lastParagraphClipped?: boolean): TokensList;
  override blockTokens(source: string, tokens: Token[] = [], lastParagraphClipped?: boolean): Token[] {
    if (this.#nesting === bounds.nesting) {
      tokens.push({ type: 'text', raw: source, text: source, tokens: this.inline(source) });
      return tokens;
    }
    this.#nesting++;
    super.blockTokens(source, tokens, lastParagraphClipped);
    this.#nesting--;
    return tokens;
  }

  override inlineTokens(source: string, tokens: Token[] = []): Token[] {
    if (source.length <= bounds.piece) return super.inlineTokens(source, tokens);
    const work = source.length * (source.match(mark)?.length ?? 0);
    if (this.#work + work <= bounds.work) {
      this.#work += work;
      return super.inlineTokens(source, tokens);
    }
    for (const piece of pieces(source)) super.inlineTokens(piece, tokens);
    return tokens;
  }
}

function cellsAtMost(markdown: string): number {
  const lines = markdown.split(/\r\n|\r|\n/);
  const columns = lines.reduce((most, line) => Math.max(most, line.split('|').length), 0);
  return columns * lines.length;
}

/** After a blank where there is one, so that words stay whole. */
function* pieces(source: string): Generator<string> {
  let start = 0;
  while (start < source.length) {
    const piece = source.slice(start, start + bounds.piece);
    const blank = start + piece.length < source.length ? Math.max(piece.lastIndexOf(' '), piece.lastIndexOf('\n')) : -1;
    const whole = blank === -1 ? piece : piece.slice(0, blank + 1);
    yield whole;
    start += whole.length;
  }
}
