import { Parser, Renderer, type Tokens } from 'marked';
import { BoundedLexer } from './bounded-lexer.js';
import { cleanHtml } from './sanitize.js';
import { Rendered } from './rendered-text.js';

/**
 * The text of a comment without its Markdown and HTML. Blank lines stay as they were written; a list is one item a line, a table one row a line.
 * It runs in the request that writes the comment: hence a lexer with bounds.
 */
export function plainText(markdown: string): string {
  return rendered.of(markdown);
}

const rendered = new Rendered(
  markdown => {
    const tokens = new BoundedLexer(markdown).lex(markdown);
    const html = Parser.parse(tokens, { renderer: new PlainRenderer() });
    return withoutTags(html).trim();
  },
  8 * 1024 * 1024,
);

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
  const simple = cleanHtml(html, { allowedTags: [...breaking, 'img'], allowedAttributes: { img: ['alt'] } });
  // All text and every alt is escaped now: a "<" can only begin one of these few tags, each written in one way.
  return simple
    .replace(/<img(?: alt="([^"]*)")? \/>/g, '$1')
    .replace(/(?:<(?:br \/|\/[a-z0-9]+)>\n?)+/g, '\n')
    .replace(/<[a-z0-9]+>/g, '')
    .replace(/&(amp|lt|gt|quot);/g, (_reference, name: keyof typeof characters) => characters[name]);
}

const characters = { amp: '&', lt: '<', gt: '>', quot: '"' };
