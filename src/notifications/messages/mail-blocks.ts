import type { ColourName } from '../../pages/branding/colour.js';
import { escapeHtml } from '../../core/escape-html.js';
import type { Translator } from '../../i18n/translator.js';
import type { MessageSnapshot } from './message-snapshot.js';
import { toSingleLine } from '../../core/text/single-line.js';
import { createMailColourSchemes, type MailColours, type MailTone } from './mail-colours.js';
import { anchor, element, renderButton, renderMailFrame, renderMuted } from './mail-frame.js';

/** The page, or the service itself, in the header of a mail that is not about a notice. */
export interface MailSender {
  name: string;
  address: string;
  brand: Record<ColourName, string>;
  /** Absent: the header has the name. */
  images?: MessageSnapshot['page']['images'];
}

/** A part of a mail, for its plain text and for its HTML. */
interface MailBlock {
  renderText(translator: Translator): string;
  renderHtml(light: MailColours): string;
}

interface BlockMail {
  to: string;
  sender: MailSender;
  translator: Translator;
  tone?: MailTone;
  subject: string;
  /** The text that mail clients show beside the subject in their list. */
  preview: string;
  /** In the HTML alone: the plain text begins after the subject. */
  heading?: string;
  body: MailBlock[];
  footer: MailBlock[];
}

/** A mail to one person that belongs to no publication, in the frame of mails about notices. */
export function composeMail({ to, sender, translator, ...content }: BlockMail) {
  const { name, address, brand, images } = sender;
  const subject = toSingleLine(content.subject);
  const colours = createMailColourSchemes(brand, content.tone ?? 'plan');
  const { light } = colours;
  const headingStyle = `margin:0;font-size:24px;line-height:1.3;overflow-wrap:anywhere;color:${light.text}`;
  const heading = content.heading ? [element('h1', 'text', headingStyle, escapeHtml(content.heading))] : [];
  const texts = [...content.body, ...content.footer].map(block => block.renderText(translator)).filter(Boolean);
  return {
    to,
    pageName: name,
    subject,
    // The signature separator (RFC 3676, 4.3).
    text: `${texts.join('\n\n')}\n\n-- \n${name}\n${address}\n`,
    html: renderMailFrame({
      title: content.heading ?? subject,
      preview: content.preview,
      pageName: name,
      pageAddress: address,
      images,
      body: [...heading, ...content.body.map(block => block.renderHtml(light))].join('\n'),
      footer: content.footer.map(block => block.renderHtml(light)),
      colours,
      translator,
    }),
    // Suppresses out-of-office replies (RFC 3834).
    headers: { 'Auto-Submitted': 'auto-generated' },
  };
}

const renderParagraph = (html: string, { text }: MailColours, marginTop = 12) =>
  element('p', 'text', `margin:${marginTop}px 0 0;font-size:16px;line-height:1.55;color:${text}`, html);

export const paragraph = (text: string, marginTop?: number): MailBlock => ({
  renderText: () => text,
  renderHtml: light => renderParagraph(escapeHtml(text), light, marginTop),
});

export const code = (text: string): MailBlock => ({
  renderText: () => text,
  renderHtml: light =>
    element(
      'p',
      'text',
      'margin:24px 0 0;font-size:32px;line-height:1.3;font-weight:bold;letter-spacing:6px;direction:ltr;' +
        `font-family:Consolas,Menlo,monospace;color:${light.text}`,
      text,
    ),
});

/** A text with its line breaks, set off by a border. */
export const quotation = (text: string): MailBlock => ({
  renderText: () => text.replaceAll(/^/gm, '> '),
  renderHtml: light =>
    element(
      'p',
      'text border',
      `margin:16px 0 0;padding-inline-start:12px;border-inline-start:3px solid ${light.border};font-size:16px;` +
        `line-height:1.55;white-space:pre-wrap;overflow-wrap:anywhere;color:${light.text}`,
      escapeHtml(text),
    ),
});

/** A button, with the URL for mail clients that do not show the button. */
export const buttonWithUrl = (label: string, url: string): MailBlock => ({
  renderText: translator => translator.label(label, url),
  renderHtml: light =>
    [
      renderButton(url, label, light),
      renderMuted(anchor('link', url, `color:${light.link};overflow-wrap:anywhere`, url), light, 24),
    ].join('\n'),
});

export const heading = (text: string): MailBlock => ({
  renderText: () => text,
  renderHtml: ({ text: colour }) =>
    element('h2', 'text', `margin:28px 0 0;font-size:18px;line-height:1.3;color:${colour}`, escapeHtml(text)),
});

/** An entry of a list, with a second line of less weight; its title may be a link. */
export const entry = (title: string, detail: string, url?: string): MailBlock => ({
  renderText: () => [title, detail, url].filter(Boolean).join('\n'),
  renderHtml: light => {
    const muted = element('span', 'muted', `color:${light.muted}`, escapeHtml(detail));
    const name = url ? anchor('link', url, `color:${light.link}`, title) : escapeHtml(title);
    return renderParagraph(`${name}<br>${muted}`, light);
  },
});

export const footnote = (text: string): MailBlock => ({
  renderText: () => text,
  renderHtml: () => escapeHtml(text),
});

/** A link in the footer; the plain text ends with the address anyway. */
export const senderLink = ({ name, address }: MailSender): MailBlock => ({
  renderText: () => '',
  renderHtml: light => anchor('link', address, `color:${light.link}`, name),
});
