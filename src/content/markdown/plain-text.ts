import { findPageImagePath } from './page-image.js';
import { parser } from './parser.js';
import { RenderCache } from './render-cache.js';
import { sanitize } from './sanitize.js';

/**
 * The text of a comment without Markdown and HTML. Blocks keep blank lines; list items and table rows are lines. An
 * image is its description, with its URL if it is one of a page.
 */
export function toPlainText(markdown: string): string {
  return cache.get(markdown);
}

const cache = new RenderCache(markdown => removeTags(renderBlocks(markdown)).trim(), 8 * 1024 * 1024);

/** Renders blocks as text with line breaks. Inline markup stays HTML, since it may be mixed with the author's. */
function renderBlocks(markdown: string): string {
  let html = '';
  let previousEnd = 0;
  let rowEnd = 0;
  /** Replaces the line breaks of the source before the next block. */
  let separator: string | null = null;
  const append = (content: string, [start, end]: [number, number]) => {
    html += (separator ?? '\n'.repeat(Math.max(start - previousEnd, 0) + 1)) + content;
    separator = null;
    previousEnd = end;
  };
  const tokens = parser.parse(markdown, {});
  for (const [index, token] of tokens.entries()) {
    const previous = tokens[index - 1];
    const isFirst = previous?.type !== token.type.replace('_open', '_close');
    switch (token.type) {
      case 'list_item_open':
        if (!isFirst) separator = '\n';
        break;
      case 'tr_open':
        if (previous?.type !== 'thead_open') separator = '\n';
        rowEnd = token.map![1];
        break;
      case 'th_open':
      case 'td_open':
        if (!isFirst) separator = ' ';
        break;
      case 'table_close':
        previousEnd = rowEnd;
        break;
      case 'inline':
        append(
          parser.renderer.render([token], parser.options, {}),
          previous?.map ?? token.map ?? [previousEnd, previousEnd],
        );
        break;
      case 'fence':
      case 'code_block':
        append(token.content.replace(/\n$/, '').replaceAll('&', '&amp;').replaceAll('<', '&lt;'), token.map!);
        break;
      case 'html_block':
        append(token.content.trimEnd(), token.map!);
    }
  }
  return html;
}

/** Elements after which browsers start a new line. Sanitizing keeps them as bare tags, which become line breaks. */
const lineBreakingTags = ['br', 'p', 'div', 'li', 'tr', 'blockquote', 'pre', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6'];

function removeTags(html: string): string {
  const bareTags = sanitize(html, {
    allowedTags: [...lineBreakingTags, 'img'],
    allowedAttributes: { img: ['alt'] },
    transformTags: { img: (tagName, { alt = '', src = '' }) => ({ tagName, attribs: { alt: describe(alt, src) } }) },
  });
  // All text and every alt is escaped now: a "<" can only start one of these few tags, each written in one way.
  return bareTags
    .replace(/<img(?: alt="([^"]*)")? \/>/g, '$1')
    .replace(/(?:<(?:br \/|\/[a-z0-9]+)>\n?)+/g, '\n')
    .replace(/<[a-z0-9]+>/g, '')
    .replace(/&(amp|lt|gt|quot);/g, (_reference, name: keyof typeof characters) => characters[name]);
}

function describe(alt: string, src: string): string {
  if (!findPageImagePath(src)) return alt;
  return alt ? `${alt} (${src})` : src;
}

const characters = { amp: '&', lt: '<', gt: '>', quot: '"' };
