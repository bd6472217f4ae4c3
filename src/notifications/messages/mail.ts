import { LRUCache } from 'lru-cache';
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

interface PreparedMail {
  /** In characters. */
  length: number;
  render(links: RecipientLinks): Mail;
}

/** What is the same for all recipients, of the publications that are sent at the same time: 16 MB, about. */
const prepared = new LRUCache<MessageSnapshot, PreparedMail>({
  maxSize: 16 * 1024 * 1024,
  sizeCalculation: ({ length }) => 2 * length,
});

export function renderMail(snapshot: MessageSnapshot, links: MailLinks): Mail {
  if (links.postUpdate) return prepareMail(snapshot, links.postUpdate).render(links);
  const mail = prepared.get(snapshot) ?? prepareMail(snapshot, null);
  prepared.set(snapshot, mail);
  return mail.render(links);
}

function prepareMail(snapshot: MessageSnapshot, postUpdate: MailLinks['postUpdate']): PreparedMail {
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
