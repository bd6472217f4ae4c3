/** Text with its style, as a chat shows it. */
export type Run = string | { style: Style; runs: Run[] };
type Style = 'strong' | 'em' | 's' | 'code' | 'u';

/** What begins at a position of a text, and where it ends. */
interface Found {
  run: Run;
  end: number;
}

export interface Markup {
  /** The longer ones first. */
  marks: [mark: string, style: Style][];
  /** Whether marks inside a word are plain text, as in `snake_case_name`. */
  ignoresMarksInWords: boolean;
  readLink: (text: string, start: number) => Found | undefined;
  isEscaped: (text: string, index: number) => boolean;
  unescape: (text: string) => string;
}

const link = (label: Run[], end: number): Found => ({ run: { style: 'u', runs: label }, end });

/** That of Slack: https://docs.slack.dev/messaging/formatting-message-text */
export const mrkdwn: Markup = {
  marks: [
    ['*', 'strong'],
    ['_', 'em'],
    ['~', 's'],
    ['`', 'code'],
  ],
  ignoresMarksInWords: true,
  readLink: (text, start) => {
    const end = text[start] === '<' ? text.indexOf('>', start) : -1;
    const [url, label = url] = text.slice(start + 1, end).split('|');
    return end < 0 ? undefined : link([mrkdwn.unescape(label!)], end + 1);
  },
  isEscaped: () => false,
  unescape: text => text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&'),
};

/** That of Discord, and of the facts of Teams. */
export const markdown: Markup = {
  marks: [
    ['**', 'strong'],
    ['_', 'em'],
    ['~~', 's'],
    ['`', 'code'],
  ],
  ignoresMarksInWords: false,
  readLink: (text, start) => {
    if (text.startsWith('<http', start)) {
      const end = text.indexOf('>', start);
      return end < 0 ? undefined : link([text.slice(start + 1, end)], end + 1);
    }
    const middle = text[start] === '[' ? text.indexOf('](<', start) : -1;
    const end = middle < 0 ? -1 : text.indexOf('>)', middle);
    return end < 0 ? undefined : link(toRuns(text.slice(start + 1, middle), markdown), end + 2);
  },
  isEscaped: (text, index) => text[index - 1] === '\\',
  unescape: text => text.replace(/\\([^\p{L}\p{N}\s])/gu, '$1'),
};

/** The text without its markup, whose style it has. */
export function toRuns(text: string, markup: Markup): Run[] {
  const runs: Run[] = [];
  let end = 0;
  for (let index = 0; index < text.length; ) {
    const found = markup.isEscaped(text, index)
      ? undefined
      : (markup.readLink(text, index) ?? readMark(text, index, markup));
    if (!found) {
      index++;
      continue;
    }
    runs.push(markup.unescape(text.slice(end, index)), found.run);
    index = end = found.end;
  }
  return [...runs, markup.unescape(text.slice(end))].filter(Boolean);
}

function readMark(text: string, start: number, markup: Markup): Found | undefined {
  const [mark, style] = markup.marks.find(([each]) => text.startsWith(each, start)) ?? [];
  if (!mark || !style) return undefined;
  let close = text.indexOf(mark, start + mark.length);
  while (close > 0 && markup.isEscaped(text, close)) close = text.indexOf(mark, close + 1);
  const inner = text.slice(start + mark.length, close);
  const end = close + mark.length;
  if (close < 0 || !inner.trim() || inner.includes('\n')) return undefined;
  if (markup.ignoresMarksInWords && (isWord(text[start - 1]) || isWord(text[end]))) return undefined;
  return { run: { style, runs: style === 'code' ? [markup.unescape(inner)] : toRuns(inner, markup) }, end };
}

const isWord = (character = ''): boolean => /[\p{L}\p{N}]/u.test(character);
