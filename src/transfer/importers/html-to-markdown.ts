import sanitizeHtml from 'sanitize-html';
import TurndownService from 'turndown';

const turndown = new TurndownService({ headingStyle: 'atx', codeBlockStyle: 'fenced', bulletListMarker: '*' });

const rules: sanitizeHtml.IOptions = {
  allowedTags: [...sanitizeHtml.defaults.allowedTags, 'del', 'img', 'ins'],
  allowedAttributes: { a: ['href', 'title'], code: ['class'], img: ['alt', 'src', 'title'] },
  // The time that Turndown takes grows with the cube of the depth, and its recursion ends.
  nestingLimit: 50,
};

const element =
  /<\/?(?:a|b|blockquote|br|code|div|em|h[1-6]|i|img|li|ol|p|pre|s|span|strong|table|u|ul)(?:\s[^<>]*)?\/?>/i;

/** In characters. What is longer cannot be imported, and its conversion would take minutes. */
const maxLength = 100_000;

/** Texts of other products are Markdown or HTML. One without elements is left as it is: a parser would escape it. */
export const htmlToMarkdown = (text: string): string =>
  text.length <= maxLength && element.test(text) ? turndown.turndown(sanitizeHtml(text, rules)) : text;
