import type { TransactionalMail, TransactionalSms } from '../../subscribers/confirmation-sender.js';
import { type Link, buildLinkPath } from '../../subscribers/signed-link.js';
import type { RenderContext } from '../html/render-context.js';
import { html, renderToString } from '../html/html.js';
import { createPalette } from '../html/palette.js';

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
    html: renderToString(renderMailHtml(context, { subject, body, url, button, footnote })),
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

/** Inline styles only: many mail clients ignore style sheets. */
function renderMailHtml({ view, translator }: RenderContext, { subject, body, url, button, footnote }: MailTexts) {
  const colours = createPalette(view, 'light');
  const font = 'font:16px/1.5 system-ui,-apple-system,Segoe UI,Roboto,Arial,sans-serif';
  const buttonColours = `background:${colours.button};color:${colours['button-text']}`;
  const buttonText = `${buttonColours};font-weight:600;text-decoration:none`;
  const buttonStyle = `display:inline-block;padding:12px 24px;border-radius:8px;${buttonText}`;
  return html`
    <!doctype html>
    <html lang="${view.locale}" dir="${translator.direction}">
    <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <title>${subject}</title>
    </head>
    <body style="margin:0;padding:24px;background:${colours.page};color:${colours.text};${font}">
      <div style="max-width:560px;margin:0 auto">
        <h1 style="margin:0 0 16px;font-size:20px" dir="auto">${view.page.name}</h1>
        <p style="margin:0 0 24px">${body}</p>
        <p style="margin:0 0 24px"><a href="${url}" style="${buttonStyle}">${button}</a></p>
        <p style="margin:0 0 24px;font-size:13px;color:${colours.quiet};overflow-wrap:anywhere">${url}</p>
        ${footnote && html`<p style="margin:0;font-size:13px;color:${colours.quiet}">${footnote}</p>`}
      </div>
    </body>
    </html>`;
}
