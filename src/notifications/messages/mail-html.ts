import { renderMarkdown } from '../../content/markdown/render.js';
import type { MessageSnapshot } from './message-snapshot.js';
import { escapeHtml } from '../../core/escape-html.js';
import type { MailLinks, RecipientLinks } from './mail-links.js';
import { createMailColourSchemes, type MailColours } from './mail-colours.js';
import { anchor, element, renderButton, renderMailFrame, renderMuted } from './mail-frame.js';
import { shorten } from '../../i18n/shorten.js';
import { toReadableText, type MessageContent } from './content.js';

const maxPreviewLength = 140;

/** Returns what renders the HTML for a recipient: long texts take long, and are the same for all. */
export function prepareMailHtml(
  content: MessageContent,
  snapshot: MessageSnapshot,
  postUpdate: MailLinks['postUpdate'],
): (links: RecipientLinks) => string {
  const { page } = snapshot;
  const colours = createMailColourSchemes(page.brand, content.tone);
  const frame = {
    title: content.subject,
    preview: renderPreview(content),
    pageName: content.page,
    pageAddress: page.address,
    images: page.images,
    body: renderBody(content, snapshot, postUpdate, colours.light),
    colours,
    translator: content.translator,
  };
  return links => renderMailFrame({ ...frame, footer: renderFooter(content, snapshot, links, colours.light) });
}

function renderBody(
  content: MessageContent,
  snapshot: MessageSnapshot,
  postUpdate: MailLinks['postUpdate'],
  light: MailColours,
): string {
  const { t } = content.translator;
  const { text, state, border } = light;
  const older = content.older.map(update =>
    element(
      'div',
      'border',
      `margin:16px 0 0;padding:16px 0 0;border-top:1px solid ${border}`,
      renderMuted(escapeHtml(update.time), light) + renderProse(update.content, snapshot, light),
    ),
  );
  const headlineStyle = `margin:0;font-size:14px;line-height:1.5;font-weight:bold;color:${state}`;
  const subjectStyle = `margin:4px 0 0;font-size:24px;line-height:1.3;overflow-wrap:anywhere;color:${text}`;
  const timesStyle = `margin:16px 0 0;font-size:16px;line-height:1.5;color:${text}`;
  const olderTitleStyle = `margin:32px 0 0;font-size:18px;line-height:1.3;color:${text}`;
  const parts = [
    element('p', 'state', headlineStyle, escapeHtml(content.headline)),
    element('h1', 'text', subjectStyle, `<bdi>${escapeHtml(content.subject)}</bdi>`),
    renderMuted(escapeHtml(content.publishedAt), light, 4),
    postUpdate ? renderButton(postUpdate, t('mail.postUpdate'), light) : '',
    content.newest ? renderProse(content.newest, snapshot, light) : '',
    content.timeLines.length
      ? element('p', 'text', timesStyle, content.timeLines.map(line => escapeHtml(line)).join('<br>'))
      : '',
    renderComponents(content, light, timesStyle),
    postUpdate
      ? renderMuted(anchor('link', content.link, `color:${light.link}`, t('mail.view')), light, 16)
      : renderButton(content.link, t('mail.view'), light),
    older.length ? element('h2', 'text', olderTitleStyle, escapeHtml(t('mail.earlier'))) : '',
    ...older,
  ];
  return parts.filter(Boolean).join('\n');
}

/** The names in one line; where components have a state, each in a line of its own. */
function renderComponents({ components, translator }: MessageContent, { muted }: MailColours, style: string): string {
  if (!components.length) return '';
  const label = (html: string) => translator.label(escapeHtml(translator.t('notice.affected')), html);
  // A name may have another direction than the mail.
  const isolate = (name: string) => `<bdi>${escapeHtml(name)}</bdi>`;
  if (!components.some(({ state }) => state)) {
    const names = translator.formatList(components.map(({ name }) => isolate(name)));
    return element('p', 'text', style, label(`<strong>${names}</strong>`));
  }
  const renderState = (state: string) => element('span', 'muted', `color:${muted}`, ` · ${escapeHtml(state)}`);
  const lines = components.map(
    ({ name, state }) => `<strong>${isolate(name)}</strong>${state ? renderState(state) : ''}`,
  );
  return element('p', 'text', style, [label('').trim(), ...lines].join('<br>'));
}

/** Lines of HTML. */
function renderFooter(
  content: MessageContent,
  { page }: MessageSnapshot,
  links: RecipientLinks,
  light: MailColours,
): string[] {
  const { t, label } = content.translator;
  const link = (url: string, text: string) =>
    anchor('link', url, `color:${light.link};text-decoration:underline`, text);
  const support = page.supportEmail
    ? ` · ${label(escapeHtml(t('support.title')), link(`mailto:${page.supportEmail}`, page.supportEmail))}`
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

/**
 * The text of the operator may have another direction than the mail. Mail clients cannot load the images of a private
 * page, so that they become links.
 */
const renderProse = (markdown: string, { page }: MessageSnapshot, light: MailColours) => {
  const html = applyInlineStyles(renderMarkdown(markdown, page.isPrivate ? null : `${page.address}/`), light);
  const style = 'font-size:16px;line-height:1.55;overflow-wrap:break-word;text-align:start';
  return `<div dir="auto" style="${style}">${html}</div>`;
};

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
