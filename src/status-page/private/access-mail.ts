import { escapeHtml } from '../../core/escape-html.js';
import { createMailColourSchemes } from '../../notifications/messages/mail-colours.js';
import { element, renderMailFrame } from '../../notifications/messages/mail-frame.js';
import type { TransactionalMail } from '../../subscribers/confirmation-sender.js';
import type { RenderContext } from '../html/render-context.js';

/** A mail with the code by which a visitor sees a private page. It has no text of the visitor, and no link. */
export function composeAccessMail({ view, translator }: RenderContext, to: string, code: string): TransactionalMail {
  const page = view.page.name;
  const sentence = translator.t('subscribe.smsText', { code, page });
  const ignore = translator.t('subscribe.mailIgnore');
  const colours = createMailColourSchemes(view.brand, 'plan');
  const { text } = colours.light;
  const codeStyle =
    'margin:24px 0 0;font-size:32px;line-height:1.3;font-weight:bold;letter-spacing:6px;direction:ltr;' +
    `font-family:Consolas,Menlo,monospace;color:${text}`;
  return {
    to,
    pageName: page,
    subject: sentence.replace(/[\s\p{Cc}]+/gu, ' '),
    text: `${sentence}\n\n${ignore}\n\n-- \n${page}\n${view.mount.canonical}\n`,
    html: renderMailFrame({
      title: sentence,
      preview: sentence,
      pageName: page,
      pageAddress: view.mount.canonical,
      images: undefined,
      body: [
        element('p', 'text', `margin:0;font-size:16px;line-height:1.55;color:${text}`, escapeHtml(sentence)),
        element('p', 'text', codeStyle, code),
      ].join('\n'),
      footer: [escapeHtml(ignore)],
      colours,
      translator,
    }),
    // Suppresses out-of-office replies (RFC 3834).
    headers: { 'Auto-Submitted': 'auto-generated' },
  };
}
