import { setImmediate } from 'node:timers/promises';
import { Parser } from 'marked';
import type sanitizeHtml from 'sanitize-html';
import { BoundedLexer } from './bounded-lexer.js';
import { cleanHtml } from './sanitize.js';
import { Rendered } from './rendered-text.js';

/**
 * The HTML of an update. The writer's own HTML passes through the same small list as what Markdown makes. Nothing in it runs, is styled, or is
 * fetched from elsewhere: a picture is its description. Headings begin below those of the page, so that its outline stays whole.
 */
export function renderMarkdown(text: string): string {
  return rendered.of(text);
}

/** Renders what is not known yet, and lets others run after each: a page may have many long texts, and drawing it does not wait. */
export async function warmMarkdown(texts: Iterable<string>): Promise<void> {
  for (const text of texts) {
    if (rendered.has(text)) continue;
    renderMarkdown(text);
    await setImmediate();
  }
}

const rendered = new Rendered(
  text => cleanHtml(Parser.parse(new BoundedLexer(text).lex(text), { gfm: true }), rules).trim(),
  16 * 1024 * 1024,
);

const rules: sanitizeHtml.IOptions = {
  allowedTags: [
    ...[
      'p',
      'br',
      'hr',
      'h4',
      'h5',
      'h6',
      'blockquote',
      'pre',
      'ul',
      'ol',
      'li',
      'table',
      'thead',
      'tbody',
      'tr',
      'th',
      'td',
    ],
    ...['a', 'strong', 'b', 'em', 'i', 'del', 's', 'code', 'sub', 'sup', 'span'],
  ],
  // A table that is wider than the screen is scrolled by itself, with the keyboard too.
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
  // A heading or a link that says nothing is a trap for who listens to the page.
  exclusiveFilter: ({ tag, text, mediaChildren }) =>
    /^(?:a|h[1-6])$/.test(tag) && !text.trim() && !mediaChildren.length,
};
