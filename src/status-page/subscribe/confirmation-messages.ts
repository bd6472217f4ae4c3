import type { DirectMail, DirectSms } from '../../subscribers/confirmation-sender.js';
import { type Link, linkPath } from '../../subscribers/signed-link.js';
import type { Canvas } from '../html/render-context.js';
import { html, textOf } from '../html/html.js';
import { paletteOf } from '../html/palette.js';

/**
 * The link that leads to where the visitor is, in their language: below a path of the service too, where the page's own host may not be reachable. Made of settings,
 * never of what the request says of its host.
 */
export function linkFor({ view, to }: Canvas, key: Buffer, link: Link): string {
  return `${view.place.origin}${to(linkPath(key, link))}`;
}

/** Nothing in it is the visitor's own words: a form that anybody can send is no way to write to others. */
export function linkMail(canvas: Canvas, key: Buffer, to: string, link: Link): DirectMail {
  const { texts, view } = canvas;
  const page = view.page.name;
  const address = linkFor(canvas, key, link);
  const isNew = link.purpose === 'confirm';
  const subject = isNew ? texts.t('subscribe.mailSubject', { page }) : `${texts.t('preferences.title')}: ${page}`;
  const body = texts.t(isNew ? 'subscribe.mailText' : 'preferences.mailText', { page });
  const button = texts.t(isNew ? 'subscribe.confirm' : 'preferences.change');
  const last = isNew ? texts.t('subscribe.mailIgnore') : null;
  return {
    to,
    about: page,
    subject: subject.replace(/[\s\p{Cc}]+/gu, ' '),
    text: `${[body, address, last].filter(Boolean).join('\n\n')}\n\n-- \n${page}\n${view.place.canonical}\n`,
    html: textOf(drawn(canvas, { subject, body, address, button, last })),
    // Out of office answers are of no use to anybody.
    headers: { 'Auto-Submitted': 'auto-generated' },
  };
}

export function codeSms({ texts, view }: Canvas, to: string, code: string): DirectSms {
  return { to, text: texts.t('subscribe.smsText', { code, page: view.page.name }) };
}

interface Words {
  subject: string;
  body: string;
  address: string;
  button: string;
  last: string | null;
}

/** Styles stand at the elements: mail programs know nothing else. */
function drawn({ view, texts }: Canvas, { subject, body, address, button, last }: Words) {
  const colours = paletteOf(view, 'light');
  const font = 'font:16px/1.5 system-ui,-apple-system,Segoe UI,Roboto,Arial,sans-serif';
  const buttonStyle = `display:inline-block;padding:12px 24px;border-radius:8px;background:${colours.button};color:${colours['button-text']};font-weight:600;text-decoration:none`;
  return html`
    <!doctype html>
    <html lang="${view.locale}" dir="${texts.direction}">
    <head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${subject}</title></head>
    <body style="margin:0;padding:24px;background:${colours.page};color:${colours.text};${font}">
      <div style="max-width:560px;margin:0 auto">
        <h1 style="margin:0 0 16px;font-size:20px" dir="auto">${view.page.name}</h1>
        <p style="margin:0 0 24px">${body}</p>
        <p style="margin:0 0 24px"><a href="${address}" style="${buttonStyle}">${button}</a></p>
        <p style="margin:0 0 24px;font-size:13px;color:${colours.quiet};overflow-wrap:anywhere">${address}</p>
        ${last && html`<p style="margin:0;font-size:13px;color:${colours.quiet}">${last}</p>`}
      </div>
    </body>
    </html>`;
}
