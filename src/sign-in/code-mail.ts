import { defaultColours } from '../branding/colour.js';
import { escapeHtml } from '../core/escape-html.js';
import { getTranslator } from '../i18n/translator.js';
import { createMailColourSchemes } from '../notifications/messages/mail-colours.js';
import { element, renderMailFrame } from '../notifications/messages/mail-frame.js';
import type { TransactionalMail } from '../subscribers/confirmation-sender.js';

/** In English, like everything that is for operators. It has no text of who asked for it, and no link. */
export function composeCodeMail(to: string, code: string, origin: string): TransactionalMail {
  const pageName = 'All Clear';
  const { host } = new URL(origin);
  const title = 'Your code to sign in';
  const intro = `Enter this code at ${host}. It is valid for 15 minutes, and once:`;
  const footer = 'Didn’t ask for this? Ignore this e-mail. Never give the code to anybody who asks you for it.';
  const colours = createMailColourSchemes(defaultColours, 'plan');
  const { light } = colours;
  const textStyle = `margin:12px 0 0;font-size:16px;line-height:1.55;color:${light.text}`;
  const codeStyle =
    `margin:24px 0 0;font-size:32px;line-height:1.3;font-weight:bold;letter-spacing:6px;` +
    `font-family:Consolas,Menlo,monospace;color:${light.text}`;
  return {
    to,
    pageName,
    subject: `${code} is your code to sign in to ${host}`,
    text: `${intro}\n\n${code}\n\n${footer}\n\n-- \n${pageName}\n${origin}\n`,
    html: renderMailFrame({
      title,
      preview: `${code} is valid for 15 minutes.`,
      pageName,
      pageAddress: origin,
      images: undefined,
      body: [
        element('h1', 'text', `margin:0;font-size:24px;line-height:1.3;color:${light.text}`, title),
        element('p', 'text', textStyle, escapeHtml(intro)),
        element('p', 'text', codeStyle, code),
      ].join('\n'),
      footer: [escapeHtml(footer)],
      colours,
      translator: getTranslator('en'),
    }),
    // Suppresses out-of-office replies (RFC 3834).
    headers: { 'Auto-Submitted': 'auto-generated' },
  };
}
