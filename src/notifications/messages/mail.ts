import type { MailLinks, RecipientLinks } from './mail-links.js';
import type { MessageSnapshot } from './message-snapshot.js';
import { prepareMailHtml } from './mail-html.js';
import { prepareMailText } from './mail-text.js';
import { buildMessageContent } from './content.js';

export interface Mail {
  subject: string;
  text: string;
  html: string;
}

/** A mail but for the links of a recipient: long texts take long to render, and are the same for all. */
interface PreparedMail {
  /** Of its texts together, in characters. */
  length: number;
  render(links: RecipientLinks): Mail;
}

export const renderMail = (snapshot: MessageSnapshot, { postUpdate, ...links }: MailLinks): Mail =>
  prepareMail(snapshot, postUpdate).render(links);

export function prepareMail(snapshot: MessageSnapshot, postUpdate?: MailLinks['postUpdate']): PreparedMail {
  const content = buildMessageContent(snapshot);
  const { olderCount, render: renderHtml } = prepareMailHtml(content, snapshot, postUpdate);
  const shown = { ...content, older: content.older.slice(0, olderCount) };
  const renderText = prepareMailText(shown, snapshot, postUpdate);
  // Leading brackets are not part of the base subject (RFC 5256, 2.1): the e-mails of a notice stay in one thread.
  const subject = `[${content.headline}] ${content.subject} – ${content.page}`;
  const render = (links: RecipientLinks) => ({ subject, text: renderText(links), html: renderHtml(links) });
  const { text, html } = render({ preferences: null, unsubscribe: null });
  return { length: text.length + html.length, render };
}
