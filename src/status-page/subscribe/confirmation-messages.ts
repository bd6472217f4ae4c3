import type { TransactionalMail, TransactionalSms } from '../../subscribers/confirmation-sender.js';
import { type Link, buildLinkPath } from '../../subscribers/signed-link.js';
import type { RenderContext } from '../html/render-context.js';
import { getMessageImagePath } from '../../branding/brand-image.js';
import type { MessageSnapshot } from '../../notifications/message-snapshot.js';
import { escapeHtml } from '../../core/escape-html.js';
import { createMailColourSchemes } from '../../notifications/messages/mail-colours.js';
import {
  anchor,
  element,
  renderButton,
  renderMailFrame,
  renderMuted,
} from '../../notifications/messages/mail-frame.js';

/**
 * The URL of a signed link, at the mount the visitor uses (host or path), in their language: the page's own host may
 * not be reachable. The origin comes from the settings, never from the Host header.
 */
export function createLinkUrl({ view, urlFor }: RenderContext, key: Buffer, link: Link): string {
  return `${view.mount.origin}${urlFor(buildLinkPath(key, link))}`;
}

/** The mail contains no text of the visitor: otherwise anyone could use the form to send their text to others. */
export function composeLinkMail(context: RenderContext, key: Buffer, to: string, link: Link): TransactionalMail {
  const { translator, view } = context;
  const page = view.page.name;
  const url = createLinkUrl(context, key, link);
  const isNew = link.purpose === 'confirm';
  const subject = isNew
    ? translator.t('subscribe.mailSubject', { page })
    : `${translator.t('preferences.title')}: ${page}`;
  const body = translator.t(isNew ? 'subscribe.mailText' : 'preferences.mailText', { page });
  const button = translator.t(isNew ? 'subscribe.confirm' : 'preferences.change');
  const footnote = isNew ? translator.t('subscribe.mailIgnore') : null;
  return {
    to,
    pageName: page,
    subject: subject.replace(/[\s\p{Cc}]+/gu, ' '),
    text: `${[body, url, footnote].filter(Boolean).join('\n\n')}\n\n-- \n${page}\n${view.mount.canonical}\n`,
    html: renderLinkMail(context, { subject, body, url, button, footnote }),
    // Suppresses out-of-office replies (RFC 3834).
    headers: { 'Auto-Submitted': 'auto-generated' },
  };
}

export function composeCodeSms({ translator, view }: RenderContext, to: string, code: string): TransactionalSms {
  return { to, text: translator.t('subscribe.smsText', { code, page: view.page.name }) };
}

interface MailTexts {
  subject: string;
  body: string;
  url: string;
  button: string;
  footnote: string | null;
}

/** The images of the brand in the format and at the URL of mails. */
function toMessageImages({ images, mount }: RenderContext['view']): MessageSnapshot['page']['images'] {
  const toImage = (role: 'logo' | 'logoDark') => {
    const image = images[role];
    if (!image) return {};
    const { width, height } = image;
    return { [role]: { url: `${mount.canonical}${getMessageImagePath(role, image)}`, width, height } };
  };
  return { ...toImage('logo'), ...toImage('logoDark') };
}

/** The body in the frame that mails about notices have. */
function renderLinkMail({ view, translator }: RenderContext, texts: MailTexts): string {
  const { subject, body, url, button, footnote } = texts;
  const colours = createMailColourSchemes(view.brand, 'plan');
  const { light } = colours;
  const titleStyle = `margin:0;font-size:24px;line-height:1.3;overflow-wrap:anywhere;color:${light.text}`;
  const textStyle = `margin:12px 0 0;font-size:16px;line-height:1.55;color:${light.text}`;
  return renderMailFrame({
    title: subject,
    preview: body,
    pageName: view.page.name,
    pageAddress: view.mount.canonical,
    images: toMessageImages(view),
    body: [
      element('h1', 'text', titleStyle, escapeHtml(subject)),
      element('p', 'text', textStyle, escapeHtml(body)),
      renderButton(url, button, light),
      // For mail clients that do not show the button.
      renderMuted(anchor('link', url, `color:${light.link};overflow-wrap:anywhere`, url), light, 24),
    ].join('\n'),
    footer: [
      ...(footnote ? [escapeHtml(footnote)] : []),
      anchor('link', view.mount.canonical, `color:${light.link}`, view.page.name),
    ],
    colours,
    translator,
  });
}
