import { shorten } from '../../i18n/shorten.js';
import { type TextRun, toTextRuns } from '../messages/text-runs.js';

/** How a chat writes styled text. */
export interface ChatMarkup {
  /** Takes the meaning from the characters that the chat interprets. */
  escapeText(text: string): string;
  formatLink(url: string, text: string): string;
  formatCode(text: string): string;
  bold: string;
  italic: string;
  struck: string;
}

/** Of Markdown that is parsed for a message of some thousand characters. */
const maxSourceLength = 32_768;

/** Markdown in the markup of a chat, in as many characters as its message may have. */
export function toChatMarkup(markdown: string, maxLength: number, markup: ChatMarkup): string {
  const isCut = markdown.length > maxSourceLength;
  const source = isCut ? `${markdown.slice(0, maxSourceLength).toWellFormed()}…` : markdown;
  let result = '';
  for (const run of toTextRuns(source)) {
    const next = result + formatRun(run, /\n$|^$/.test(result), markup);
    if (next.length > maxLength) return cutOff(result, run, maxLength, markup);
    result = next;
  }
  return result.trim();
}

/** The last run is cut without its style, so that no mark lacks its counterpart. */
function cutOff(result: string, { text }: TextRun, maxLength: number, { escapeText }: ChatMarkup): string {
  return result + escapeText(shorten(text, part => result.length + escapeText(part).length <= maxLength)) || '…';
}

function formatRun(
  { text, link, isBold, isItalic, isStruck, isCode, isQuoted }: TextRun,
  isLineStart: boolean,
  { escapeText, formatLink, formatCode, bold, italic, struck }: ChatMarkup,
): string {
  // A pattern for the three parts takes quadratic time for blanks.
  const content = text.trim();
  const start = content ? text.indexOf(content) : text.length;
  const [before, after] = [text.slice(0, start), text.slice(start + content.length)];
  const isInline = content && !content.includes('\n');
  let formatted =
    content && (link ? formatLink(link, content) : isCode && isInline ? formatCode(content) : escapeText(content));
  // A mark must touch the text, and cannot span lines.
  if (isInline) {
    if (isBold) formatted = `${bold}${formatted}${bold}`;
    if (isItalic) formatted = `${italic}${formatted}${italic}`;
    if (isStruck) formatted = `${struck}${formatted}${struck}`;
  }
  const line = `${before}${formatted}${after}`;
  if (!isQuoted) return line;
  return `${isLineStart && !line.startsWith('\n') ? '> ' : ''}${line.replace(/\n(?!\n)(?=.)/g, '\n> ')}`;
}
