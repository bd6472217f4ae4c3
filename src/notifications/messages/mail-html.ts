import { renderMarkdown } from '../../markdown/render.js';
import type { MessageSnapshot } from '../message-snapshot.js';
import { escapeHtml } from '../../core/escape-html.js';
import type { MailLinks } from './mail.js';
import { type MailColours, computeMailColours } from './mail-colours.js';
import { shorten } from '../../i18n/shorten.js';
import { toReadableText, type MessageContent } from './content.js';

const fonts = "font-family:-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";
const maxPreviewLength = 140;

/** An element with inline styles. */
const element = (tag: string, className: string, style: string, html: string) =>
  `<${tag} class="${className}" style="${style}">${html}</${tag}>`;

const anchor = (className: string, url: string, style: string, text: string) =>
  `<a class="${className}" href="${escapeHtml(url)}" style="${style}">${escapeHtml(text)}</a>`;

/**
 * The HTML part. Mail clients need tables for layout and styles on the elements themselves. The only style sheet is the
 * dark scheme, for clients that support one; it replaces their own guess of dark colours. Nothing is loaded remotely.
 */
export function renderMailHtml(content: MessageContent, snapshot: MessageSnapshot, links: MailLinks): string {
  const { page } = snapshot;
  const light = computeMailColours(snapshot, content.tone, 'light');
  const dark = computeMailColours(snapshot, content.tone, 'dark');
  const { direction, locale } = content.translator;
  const footer = renderFooter(content, snapshot, links, light);
  const footerHtml = footer.map((line, index) => renderMuted(line, light, index && 8)).join('\n');
  const pageLink = anchor(
    'header-text',
    page.address,
    `font-size:18px;font-weight:bold;color:${light.headerText};text-decoration:none`,
    content.page,
  );
  const bodyStyle = `margin:0;padding:0;background-color:${light.page};${fonts};-webkit-text-size-adjust:100%`;
  const tableAttributes =
    'role="presentation" class="page" width="100%" cellpadding="0" cellspacing="0" border="0" ' +
    `bgcolor="${light.page}" style="background-color:${light.page}"`;
  const headerAttributes =
    `align="center" class="header" bgcolor="${light.header}" ` +
    `style="background-color:${light.header};padding:20px 16px"`;
  return `<!DOCTYPE html>
<html lang="${locale}" dir="${direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(content.subject)}</title>
<style>${renderDarkStyle(dark)}</style>
</head>
<body class="page" style="${bodyStyle}">
<div style="display:none;max-height:0;overflow:hidden">${escapeHtml(renderPreview(content))}</div>
<table ${tableAttributes}>
<tr><td ${headerAttributes}>
${renderColumn(pageLink, direction)}
</td></tr>
<tr><td align="center" style="padding:28px 16px">
${renderColumn(
  `<div class="text" style="color:${light.text}">
${renderBody(content, light)}
</div>`,
  direction,
)}
</td></tr>
<tr><td align="center" class="border" style="padding:20px 16px 32px;border-top:1px solid ${light.border}">
${renderColumn(footerHtml, direction)}
</td></tr>
</table>
</body>
</html>
`;
}

function renderBody(content: MessageContent, light: MailColours): string {
  const { t, formatList } = content.translator;
  const { text, state, border } = light;
  const older = content.older.map(update =>
    element(
      'div',
      'border',
      `margin:16px 0 0;padding:16px 0 0;border-top:1px solid ${border}`,
      renderMuted(escapeHtml(update.time), light) + renderProse(update.content, light),
    ),
  );
  const headlineStyle = `margin:0;font-size:14px;line-height:1.5;font-weight:bold;color:${state}`;
  const subjectStyle = `margin:4px 0 0;font-size:24px;line-height:1.3;overflow-wrap:anywhere;color:${text}`;
  const timesStyle = `margin:16px 0 0;font-size:16px;line-height:1.5;color:${text}`;
  const olderTitleStyle = `margin:32px 0 0;font-size:18px;line-height:1.3;color:${text}`;
  const parts = [
    element('p', 'state', headlineStyle, escapeHtml(content.headline)),
    element('h1', 'text', subjectStyle, escapeHtml(content.subject)),
    renderMuted(escapeHtml(content.publishedAt), light, 4),
    content.newest ? renderProse(content.newest, light) : '',
    content.timeLines.length
      ? element('p', 'text', timesStyle, content.timeLines.map(line => escapeHtml(line)).join('<br>'))
      : '',
    content.components.length
      ? renderMuted(
          `${escapeHtml(t('notice.affected'))}: <strong>${escapeHtml(formatList(content.components))}</strong>`,
          light,
          16,
        )
      : '',
    renderButton(content.link, t('mail.view'), light),
    older.length ? element('h2', 'text', olderTitleStyle, escapeHtml(t('mail.earlier'))) : '',
    ...older,
  ];
  return parts.filter(Boolean).join('\n');
}

/** Lines of HTML. */
function renderFooter(
  content: MessageContent,
  { page }: MessageSnapshot,
  links: MailLinks,
  light: MailColours,
): string[] {
  const { t } = content.translator;
  const link = (url: string, text: string) =>
    anchor('link', url, `color:${light.link};text-decoration:underline`, text);
  const support = page.supportEmail
    ? ` · ${escapeHtml(t('support.title'))}: ${link(`mailto:${page.supportEmail}`, page.supportEmail)}`
    : '';
  return [
    link(page.address, content.page) + support,
    links.unsubscribe ? escapeHtml(t('mail.why', { page: content.page })) : '',
    [
      links.preferences && link(links.preferences, t('mail.preferences')),
      links.unsubscribe && link(links.unsubscribe, t('mail.unsubscribe')),
    ]
      .filter(Boolean)
      .join(' · '),
  ].filter(Boolean);
}

/** The text that mail clients show beside the subject in their list. */
function renderPreview({ newest, timeLines }: MessageContent): string {
  const text = newest ? toReadableText(newest).replace(/\s+/g, ' ') : timeLines.join(', ');
  return shorten(text, candidate => candidate.length <= maxPreviewLength);
}

const renderMuted = (html: string, { muted }: MailColours, marginTop = 0) =>
  element('p', 'muted', `margin:${marginTop}px 0 0;font-size:14px;line-height:1.5;color:${muted}`, html);

const renderProse = (markdown: string, light: MailColours) => {
  const html = applyInlineStyles(renderMarkdown(markdown), light);
  return `<div style="font-size:16px;line-height:1.55;overflow-wrap:break-word">${html}</div>`;
};

/** 600 pixels at most. Outlook does not support max-width, and uses the table in the conditional comment. */
function renderColumn(html: string, direction: string): string {
  const align = direction === 'rtl' ? 'right' : 'left';
  return `<!--[if mso]><table role="presentation" width="600" align="center"><tr><td><![endif]-->
<div style="max-width:600px;margin:0 auto;text-align:${align};${fonts}">
${html}
</div>
<!--[if mso]></td></tr></table><![endif]-->`;
}

function renderButton(url: string, text: string, { button, buttonText }: MailColours): string {
  const cellStyle = `background-color:${button};border-radius:6px;padding:12px 20px`;
  const linkStyle = `font-size:16px;font-weight:bold;color:${buttonText};text-decoration:none`;
  const cell = `<td class="button" bgcolor="${button}" style="${cellStyle}">`;
  return [
    '<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:24px 0 0"><tr>',
    `${cell}${anchor('button-text', url, linkStyle, text)}</td></tr></table>`,
  ].join('');
}

/** The sanitizer allows only these tags, written in one way, and escapes every "<" of the text. */
function applyInlineStyles(html: string, { link, border, muted }: MailColours): string {
  const mono = 'font-family:Consolas,Menlo,monospace;font-size:14px';
  const cell = `border:1px solid ${border};padding:6px 8px;text-align:start`;
  const styles: Record<string, string> = {
    p: 'margin:12px 0 0',
    ul: 'margin:12px 0 0;padding:0 24px',
    ol: 'margin:12px 0 0;padding:0 24px',
    li: 'margin:4px 0 0',
    h4: 'margin:20px 0 0;font-size:18px',
    h5: 'margin:20px 0 0;font-size:16px',
    h6: 'margin:20px 0 0;font-size:16px',
    pre: `margin:12px 0 0;white-space:pre-wrap;${mono}`,
    code: mono,
    hr: `margin:16px 0 0;border:0;border-top:1px solid ${border}`,
    blockquote: `margin:12px 0 0;padding:0 12px;border-inline-start:3px solid ${border};color:${muted}`,
    table: 'margin:12px 0 0;border-collapse:collapse',
    th: cell,
    td: cell,
    a: `color:${link};text-decoration:underline`,
  };
  const classes: Record<string, string> = {
    a: 'link',
    blockquote: 'muted border',
    th: 'border',
    td: 'border',
    hr: 'border',
  };
  return html.replace(/<([a-z]+[1-6]?)(?=[ >])/g, (tag, name: string) => {
    const classAttribute = classes[name] ? ` class="${classes[name]}"` : '';
    return styles[name] ? `${tag}${classAttribute} style="${styles[name]}"` : tag;
  });
}

function renderDarkStyle(dark: MailColours): string {
  const rules = [
    `.page{background-color:${dark.page}!important}`,
    `.text{color:${dark.text}!important}`,
    `.muted{color:${dark.muted}!important}`,
    `.border{border-color:${dark.border}!important}`,
    `.link{color:${dark.link}!important}`,
    `.header{background-color:${dark.header}!important}`,
    `.header-text{color:${dark.headerText}!important}`,
    `.state{color:${dark.state}!important}`,
    `.button{background-color:${dark.button}!important}`,
    `.button-text{color:${dark.buttonText}!important}`,
  ];
  const root = ':root{color-scheme:light dark;supported-color-schemes:light dark}';
  return `${root}@media (prefers-color-scheme:dark){${rules.join('')}}`;
}
