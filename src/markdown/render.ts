import { setImmediate } from 'node:timers/promises';
import type sanitizeHtml from 'sanitize-html';
import { parser } from './parser.js';
import { RenderCache } from './render-cache.js';
import { sanitize } from './sanitize.js';

/**
 * The HTML of an update. The author's HTML passes the same allowlist as that of Markdown: without scripts, styles, and
 * requests to other origins, so that an image becomes its description. Headings start below those of the page.
 */
export function renderMarkdown(text: string): string {
  return cache.get(text);
}

/** Renders texts that are not cached, and yields to the event loop after each, since a page may have many long ones. */
export async function warmMarkdown(texts: Iterable<string>): Promise<void> {
  for (const text of texts) {
    if (cache.has(text)) continue;
    renderMarkdown(text);
    await setImmediate();
  }
}

const cache = new RenderCache(text => sanitize(parser.render(text), rules).trim(), 16 * 1024 * 1024);

const blockTags = ['p', 'br', 'hr', 'h4', 'h5', 'h6', 'blockquote', 'pre', 'ul', 'ol', 'li'];
const tableTags = ['table', 'thead', 'tbody', 'tr', 'th', 'td'];
const inlineTags = ['a', 'strong', 'b', 'em', 'i', 'del', 's', 'code', 'sub', 'sup', 'span'];

const rules: sanitizeHtml.IOptions = {
  allowedTags: [...blockTags, ...tableTags, ...inlineTags],
  // A table that is wider than the screen scrolls by itself, and tabindex makes it scrollable with the keyboard.
  allowedAttributes: { a: ['href', 'rel'], ol: ['start'], table: ['tabindex'] },
  allowedSchemes: ['http', 'https', 'mailto'],
  allowProtocolRelative: false,
  nestingLimit: 32,
  transformTags: {
    h1: 'h4',
    h2: 'h5',
    h3: 'h6',
    h4: 'h6',
    h5: 'h6',
    a: (_name, { href = '' }): sanitizeHtml.Tag =>
      /^(?:https?:\/\/|mailto:)/i.test(href)
        ? { tagName: 'a', attribs: { href, rel: 'nofollow noopener noreferrer ugc' } }
        : { tagName: 'span', attribs: {} },
    img: (_name, { alt = '' }) => ({ tagName: 'span', attribs: {}, text: alt }),
    ol: (_name, { start = '' }): sanitizeHtml.Tag => ({
      tagName: 'ol',
      attribs: /^\d{1,9}$/.test(start) ? { start } : {},
    }),
    table: () => ({ tagName: 'table', attribs: { tabindex: '0' } }),
  },
  // Empty headings and links confuse users of screen readers.
  exclusiveFilter: ({ tag, text, mediaChildren }) =>
    /^(?:a|h[1-6])$/.test(tag) && !text.trim() && !mediaChildren.length,
};
