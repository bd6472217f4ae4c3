import { shorten } from '../../i18n/shorten.js';
import { type TextRun, toTextRuns } from '../messages/text-runs.js';

/** Escapes the three control characters of Slack, without which there are no mentions and no links. */
export const escapeMrkdwn = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** Nothing can escape the characters that end a link, so they are replaced. */
const formatLink = (url: string, text: string) =>
  `<${escapeMrkdwn(url.replaceAll('|', '%7C'))}|${escapeMrkdwn(text.replaceAll('|', '¦').replace(/\s+/g, ' '))}>`;

/** Markdown as mrkdwn, the markup of Slack, in as many characters as a section may have. */
export function toMrkdwn(markdown: string, maxLength: number): string {
  let result = '';
  for (const run of toTextRuns(markdown)) {
    const next = result + formatRun(run, /\n$|^$/.test(result));
    if (next.length > maxLength) return cutOff(result, run, maxLength);
    result = next;
  }
  return result.trim();
}

/** The last run is cut without its style, so that no mark lacks its counterpart. */
function cutOff(result: string, { text }: TextRun, maxLength: number): string {
  return result + escapeMrkdwn(shorten(text, part => result.length + escapeMrkdwn(part).length <= maxLength)) || '…';
}

function formatRun(
  { text, link, isBold, isItalic, isStruck, isCode, isQuoted }: TextRun,
  isLineStart: boolean,
): string {
  const [, before, content, after] = /^(\s*)(.*?)(\s*)$/s.exec(text)!;
  let formatted = content && (link ? formatLink(link, content!) : escapeMrkdwn(content!));
  // A mark must touch the text, and cannot span lines.
  if (content && !content.includes('\n')) {
    if (isCode) formatted = `\`${formatted}\``;
    if (isBold) formatted = `*${formatted}*`;
    if (isItalic) formatted = `_${formatted}_`;
    if (isStruck) formatted = `~${formatted}~`;
  }
  const line = `${before}${formatted}${after}`;
  if (!isQuoted) return line;
  return `${isLineStart && !line.startsWith('\n') ? '> ' : ''}${line.replace(/\n(?!\n)(?=.)/g, '\n> ')}`;
}
