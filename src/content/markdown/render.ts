import type sanitizeHtml from 'sanitize-html';
import { findPageImagePath, parsePageImagePath } from './page-image.js';
import { parser } from './parser.js';
import { RenderCache } from './render-cache.js';
import { sanitize } from './sanitize.js';

const linkRelation = 'nofollow noopener noreferrer ugc';
/** The sanitizer writes this element in one way. */
const imagePattern = /<img src="([^"]*)" alt="([^"]*)"([^>]*) \/>/g;

/**
 * The HTML of an update. The author's HTML passes the same allowlist as that of Markdown: without scripts, styles, and
 * requests to other origins, so that an image becomes its description, unless it is one of the page. Those are loaded
 * from `mount`, where the page is; null: they become links. Headings start below those of the page.
 */
export function renderMarkdown(text: string, mount: string | null = null): string {
  return cache
    .get(text)
    .replace(imagePattern, (_, url: string, alt: string, size: string) =>
      mount === null
        ? `<a href="${url}" rel="${linkRelation}">${alt || url}</a>`
        : `<img src="${mount}${findPageImagePath(url)}" alt="${alt}"${size} />`,
    );
}

/** Renders texts before they are used, as `RenderCache.warm` says. */
export const warmMarkdown = (texts: Iterable<string>): Promise<() => void> => cache.warm(texts);

const cache = new RenderCache(text => sanitize(parser.render(text), rules).trim(), 16 * 1024 * 1024);

const blockTags = ['p', 'br', 'hr', 'h4', 'h5', 'h6', 'blockquote', 'pre', 'ul', 'ol', 'li'];
const tableTags = ['table', 'thead', 'tbody', 'tr', 'th', 'td'];
const inlineTags = ['a', 'img', 'strong', 'b', 'em', 'i', 'del', 's', 'code', 'sub', 'sup', 'span'];

const rules: sanitizeHtml.IOptions = {
  allowedTags: [...blockTags, ...tableTags, ...inlineTags],
  // A table that is wider than the screen scrolls by itself, and tabindex makes it scrollable with the keyboard.
  allowedAttributes: {
    a: ['href', 'rel'],
    ol: ['start'],
    table: ['tabindex'],
    img: ['src', 'alt', 'width', 'height', 'loading'],
  },
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
        ? { tagName: 'a', attribs: { href, rel: linkRelation } }
        : { tagName: 'span', attribs: {} },
    img: (_name, { alt = '', src = '' }): sanitizeHtml.Tag => {
      const image = parsePageImagePath(findPageImagePath(src) ?? '');
      if (!image) return { tagName: 'span', attribs: {}, text: alt };
      const width = String(image.width);
      const height = String(image.height);
      return { tagName: 'img', attribs: { src, alt, width, height, loading: 'lazy' } };
    },
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
