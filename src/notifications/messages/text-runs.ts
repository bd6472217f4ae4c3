import { renderMarkdown } from '../../content/markdown/render.js';

/** A stretch of text in one style. Line breaks are part of the text. */
export interface TextRun {
  text: string;
  isBold: boolean;
  isItalic: boolean;
  isStruck: boolean;
  isCode: boolean;
  isQuoted: boolean;
  link: string | undefined;
}

/** An element of sanitized HTML, a text between two, or the `href` of a link. The sanitizer writes tags in one way. */
const tokenPattern = /<(\/?)([a-z0-9]+)((?:\s[^>]*)?)>|([^<]+)/g;

/** Has no meaning, but that of a line break where line breaks are kept. */
const breakBeforeBlock = /\n(?=<\/?(?:ul|ol|li|p|blockquote|pre|table|h[456])[ >])/g;

const characters: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'" };
const decode = (text: string) => text.replace(/&(?:amp|lt|gt|quot|#39);/g, entity => characters[entity]!);

const styleOf: Record<string, 'isBold' | 'isItalic' | 'isStruck' | 'isCode' | 'isQuoted'> = {
  strong: 'isBold',
  b: 'isBold',
  h4: 'isBold',
  h5: 'isBold',
  h6: 'isBold',
  th: 'isBold',
  em: 'isItalic',
  i: 'isItalic',
  del: 'isStruck',
  s: 'isStruck',
  code: 'isCode',
  blockquote: 'isQuoted',
};

/** What separates a block from the one before it. */
const separators: Record<string, string> = {
  p: '\n\n',
  blockquote: '\n\n',
  pre: '\n\n',
  table: '\n\n',
  h4: '\n\n',
  h5: '\n\n',
  h6: '\n\n',
  hr: '\n\n',
  li: '\n',
  tr: '\n',
};

/**
 * Markdown as runs of styled text, for messages that are neither HTML nor Markdown. It is rendered and sanitized as for
 * the page, so a link leads where it does there, and nothing else has a meaning. `lineBreak` is one within a paragraph.
 */
export function toTextRuns(markdown: string, lineBreak: ' ' | '\n' = ' '): TextRun[] {
  const runs: TextRun[] = [];
  const open: string[] = [];
  /** The next number of each open list; null where it has bullets. */
  const numbers: (number | null)[] = [];
  let link: string | undefined;
  let pending = '';
  const append = (text: string) => {
    // Blocks are separated, not terminated: nothing stands before the first.
    const separator = runs.length ? pending : '';
    pending = '';
    const style = { isBold: false, isItalic: false, isStruck: false, isCode: false, isQuoted: false };
    for (const tag of open) if (styleOf[tag]) style[styleOf[tag]] = true;
    if (separator)
      runs.push({
        ...style,
        isBold: false,
        isItalic: false,
        isStruck: false,
        isCode: false,
        text: separator,
        link: undefined,
      });
    runs.push({ ...style, text, link });
  };
  const separate = (tag: string) => {
    const isList = tag === 'ul' || tag === 'ol';
    const separator = isList ? (numbers.length ? '\n' : '\n\n') : (separators[tag] ?? '');
    if (separator.length > pending.length) pending = separator;
  };
  for (const [, slash, tag, attributes = '', text] of renderMarkdown(markdown, null)
    .replace(breakBeforeBlock, '')
    .matchAll(tokenPattern)) {
    if (text !== undefined) {
      // Line breaks between blocks have no meaning.
      if (open.includes('pre') || text.trim() || !text.includes('\n'))
        append(toSafeText(open.includes('pre') ? text : text.replace(/\n/g, lineBreak)));
      continue;
    }
    if (tag === 'br') {
      append('\n');
    } else if (slash) {
      open.splice(open.lastIndexOf(tag!), 1);
      if (tag === 'a') link = undefined;
      if (tag === 'ul' || tag === 'ol') numbers.pop();
      separate(tag!);
      if (tag === 'td' || tag === 'th') append(' ');
    } else {
      separate(tag!);
      open.push(tag!);
      if (tag === 'a') link = decode(/ href="([^"]*)"/.exec(attributes)?.[1] ?? '');
      if (tag === 'ul') numbers.push(null);
      if (tag === 'ol') numbers.push(Number(/ start="(\d+)"/.exec(attributes)?.[1] ?? 1));
      if (tag === 'li') append(nextListMark(numbers));
    }
  }
  return runs;
}

function nextListMark(numbers: (number | null)[]): string {
  const indent = '    '.repeat(Math.max(numbers.length - 1, 0));
  const number = numbers.at(-1) ?? null;
  if (number === null) return `${indent}• `;
  numbers[numbers.length - 1] = number + 1;
  return `${indent}${number}. `;
}

/** Without control characters, which have a meaning in some chats. */
const toSafeText = (text: string) =>
  decode(text)
    .toWellFormed()
    .replace(/[^\P{Control}\n\t]/gu, '');
