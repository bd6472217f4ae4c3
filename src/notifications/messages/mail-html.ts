import type { MessageSnapshot } from './message-snapshot.js';
import { escapeHtml } from '../../core/escape-html.js';
import type { MailLinks, RecipientLinks } from './mail-links.js';
import { createMailColourSchemes, type MailColours } from './mail-colours.js';
import { anchor, element, renderButton, renderMailFrame, renderMuted } from './mail-frame.js';
import { type MailProse, renderMailProse } from './mail-prose.js';
import { shorten } from '../../i18n/shorten.js';
import { toReadableText, type MessageContent } from './content.js';

const maxPreviewLength = 140;

interface PreparedHtml {
  /** How many of the earlier updates it has. */
  olderCount: number;
  render(links: RecipientLinks): string;
}

/** Returns what renders the HTML for a recipient: long texts take long, and are the same for all. */
export function prepareMailHtml(
  content: MessageContent,
  snapshot: MessageSnapshot,
  postUpdate: MailLinks['postUpdate'],
): PreparedHtml {
  const { page } = snapshot;
  const colours = createMailColourSchemes(page.brand, content.tone);
  const prose = renderMailProse(content, snapshot, colours.light);
  const frame = {
    title: content.subject,
    preview: renderPreview(content),
    pageName: content.page,
    pageAddress: page.address,
    images: page.images,
    body: renderBody(content, prose, postUpdate, colours.light),
    colours,
    translator: content.translator,
  };
  const render = (links: RecipientLinks) =>
    renderMailFrame({ ...frame, footer: renderFooter(content, snapshot, links, colours.light) });
  return { olderCount: prose.older.length, render };
}

function renderBody(
  content: MessageContent,
  prose: MailProse,
  postUpdate: MailLinks['postUpdate'],
  light: MailColours,
): string {
  const { t } = content.translator;
  const { text, state, border } = light;
  const older = prose.older.map((html, index) =>
    element(
      'div',
      'border',
      `margin:16px 0 0;padding:16px 0 0;border-top:1px solid ${border}`,
      renderMuted(escapeHtml(content.older[index]!.time), light) + html,
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
    prose.newest,
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
