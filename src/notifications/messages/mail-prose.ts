import { renderMarkdown } from '../../content/markdown/render.js';
import { escapeHtml } from '../../core/escape-html.js';
import type { MessageContent } from './content.js';
import type { MailColours } from './mail-colours.js';
import type { MessageSnapshot } from './message-snapshot.js';

/**
 * Of the HTML of all texts of a mail. It is encoded for each recipient, and an element is twenty times as long as its
 * mark in Markdown.
 */
const maxBytes = 250_000;

export interface MailProse {
  /** Empty where there is none. */
  newest: string;
  /** Of the earlier updates, the newest ones for which there is room. */
  older: string[];
}

/** The texts of a mail as HTML. A newest one that is too long has no styles and no elements. */
export function renderMailProse(
  { newest, older }: MessageContent,
  { page }: MessageSnapshot,
  light: MailColours,
): MailProse {
  let left = maxBytes;
  // Mail clients cannot load the images of a private page, so that they become links.
  const mount = page.isPrivate ? null : `${page.address}/`;
  const render = (markdown: string): string | null => {
    const html = renderMarkdown(markdown, mount);
    const prose = html.length > maxBytes ? null : frame(applyInlineStyles(html, light));
    const bytes = prose === null ? maxBytes : Buffer.byteLength(prose);
    left -= bytes;
    return left < 0 ? null : prose;
  };
  const first = newest === null ? '' : (render(newest) ?? frame(escapeHtml(newest), ';white-space:pre-wrap'));
  const rendered: string[] = [];
  for (const { content } of older) {
    const prose = left > 0 ? render(content) : null;
    if (prose === null) break;
    rendered.push(prose);
  }
  return { newest: first, older: rendered };
}

/** The text of the operator may have another direction than the mail. */
function frame(html: string, furtherStyle = ''): string {
  const style = 'font-size:16px;line-height:1.55;overflow-wrap:break-word;text-align:start';
  return `<div dir="auto" style="${style}${furtherStyle}">${html}</div>`;
}

/** The sanitizer allows only these tags, written in one way, and escapes every "<" of the text. */
function applyInlineStyles(html: string, { link, border, muted }: MailColours): string {
  const mono = 'font-family:Consolas,Menlo,monospace;font-size:14px';
  const cell = `border:1px solid ${border};padding:8px 12px;text-align:start`;
  const styles: Record<string, string> = {
    p: 'margin:12px 0 0',
    ul: 'margin:12px 0 0;padding:0 24px',
    ol: 'margin:12px 0 0;padding:0 24px',
    li: 'margin:4px 0 0',
    h4: 'margin:20px 0 0;font-size:18px',
    h5: 'margin:20px 0 0;font-size:16px',
    h6: 'margin:20px 0 0;font-size:16px',
    pre: `margin:12px 0 0;padding:8px 12px;border:1px solid ${border};border-radius:6px;white-space:pre-wrap;${mono}`,
    code: mono,
    hr: `margin:16px 0 0;border:0;border-top:1px solid ${border}`,
    blockquote: `margin:12px 0 0;padding:0 12px;border-inline-start:3px solid ${border};color:${muted}`,
    table: 'margin:12px 0 0;border-collapse:collapse',
    th: cell,
    td: cell,
    a: `color:${link};text-decoration:underline`,
    img: 'max-width:100%;height:auto',
  };
  const classes: Record<string, string> = {
    a: 'link',
    blockquote: 'muted border',
    th: 'border',
    td: 'border',
    hr: 'border',
    pre: 'border',
  };
  return html.replace(/<([a-z]+[1-6]?)(?=[ >])/g, (tag, name: string) => {
    const classAttribute = classes[name] ? ` class="${classes[name]}"` : '';
    return styles[name] ? `${tag}${classAttribute} style="${styles[name]}"` : tag;
  });
}
