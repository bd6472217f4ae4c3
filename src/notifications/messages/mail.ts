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

type RenderFor = (links: RecipientLinks) => Mail;

/** What is the same for all recipients, of the publications that are sent at the same time. */
const prepared = new LRUCache<MessageSnapshot, RenderFor>({ max: 4 });

export function renderMail(snapshot: MessageSnapshot, links: MailLinks): Mail {
  if (links.postUpdate) return prepareMail(snapshot, links.postUpdate)(links);
  const render = prepared.get(snapshot) ?? prepareMail(snapshot, null);
  prepared.set(snapshot, render);
  return render(links);
}

function prepareMail(snapshot: MessageSnapshot, postUpdate: MailLinks['postUpdate']): RenderFor {
  const content = buildMessageContent(snapshot);
  const renderText = prepareMailText(content, snapshot, postUpdate);
  const renderHtml = prepareMailHtml(content, snapshot, postUpdate);
  // Leading brackets are not part of the base subject (RFC 5256, 2.1): the e-mails of a notice stay in one thread.
  const subject = `[${content.headline}] ${content.subject} – ${content.page}`;
  return links => ({ subject, text: renderText(links), html: renderHtml(links) });
}
