import { Lexer, Parser, Renderer, type Token, Tokenizer, type Tokens, type TokensList } from 'marked';
import sanitizeHtml from 'sanitize-html';

/**
 * The text of a comment without its Markdown and HTML. Blank lines stay as they were written; a list is one item a line, a table one row a line.
 *
 * Anyone who may write a notice may write 65,535 hostile characters, and this runs in their request. Parsing Markdown takes time that grows with
 * the square of some inputs, memory that grows with the columns of a table times its rows, and a stack as deep as its nesting: hence the bounds
 * below. What is beyond them is still read, in smaller pieces, so that nothing is cut off; only markup that spans two pieces stays in the text.
 */
export function plainText(markdown: string): string {
  const tokens = new BoundedLexer(markdown).lex(markdown);
  const html = Parser.parse(tokens, { renderer: new PlainRenderer() });
  return withoutTags(html).trim();
}

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

class BoundedLexer extends Lexer {
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

/** Blocks as their text and the line ends that were written after them. Inline markup stays HTML: it may stand beside HTML that was written. */
class PlainRenderer extends Renderer {
  override space({ raw }: Tokens.Space): string {
    return onlyLineEnds(raw);
  }

  override heading({ tokens, raw }: Tokens.Heading): string {
    return this.parser.parseInline(tokens) + lineEnds(raw);
  }

  override paragraph({ tokens, raw }: Tokens.Paragraph): string {
    return this.parser.parseInline(tokens) + lineEnds(raw);
  }

  /** The text of a list item is a block, and holds the runs of text that are inline. */
  override text(token: Tokens.Text | Tokens.Escape): string {
    return super.text(token) + ('tokens' in token ? lineEnds(token.raw) : '');
  }

  override code({ text, raw }: Tokens.Code): string {
    return text.replace(/[&<]/g, character => (character === '&' ? '&amp;' : '&lt;')) + lineEnds(raw);
  }

  override blockquote({ tokens, raw }: Tokens.Blockquote): string {
    return this.parser.parse(tokens).trimEnd() + lineEnds(raw);
  }

  override list({ items, raw }: Tokens.List): string {
    return items.map(item => this.listitem(item)).join('\n') + lineEnds(raw);
  }

  override listitem({ tokens }: Tokens.ListItem): string {
    return this.parser.parse(tokens).trimEnd();
  }

  override checkbox(): string {
    return '';
  }

  override hr({ raw }: Tokens.Hr): string {
    return lineEnds(raw);
  }

  override table({ header, rows, raw }: Tokens.Table): string {
    const row = (cells: Tokens.TableCell[]) => cells.map(({ tokens }) => this.parser.parseInline(tokens)).join(' ');
    return [header, ...rows].map(row).join('\n') + lineEnds(raw);
  }
}

function lineEnds(raw: string): string {
  return onlyLineEnds(raw.slice(raw.trimEnd().length));
}

function onlyLineEnds(blanks: string): string {
  return blanks.replace(/[^\n]+/g, '');
}

/** Elements after which a browser begins a new line: let through as bare tags, to become line ends. */
const breaking = ['br', 'p', 'div', 'li', 'tr', 'blockquote', 'pre', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6'];

function withoutTags(html: string): string {
  const simple = sanitizeHtml(html, { allowedTags: [...breaking, 'img'], allowedAttributes: { img: ['alt'] } });
  // All text and every alt is escaped now: a "<" can only begin one of these few tags, each written in one way.
  return simple
    .replace(/<img(?: alt="([^"]*)")? \/>/g, '$1')
    .replace(/(?:<(?:br \/|\/[a-z0-9]+)>\n?)+/g, '\n')
    .replace(/<[a-z0-9]+>/g, '')
    .replace(/&(amp|lt|gt|quot);/g, (_reference, name: keyof typeof characters) => characters[name]);
}

const characters = { amp: '&', lt: '<', gt: '>', quot: '"' };
