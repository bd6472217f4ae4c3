import type { MailLinks } from './mail-links.js';
import type { MessageSnapshot } from './message-snapshot.js';
import { renderMailHtml } from './mail-html.js';
import { renderMailText } from './mail-text.js';
import { buildMessageContent } from './content.js';

export interface Mail {
  subject: string;
  text: string;
  html: string;
}

export function renderMail(snapshot: MessageSnapshot, links: MailLinks): Mail {
  const content = buildMessageContent(snapshot);
  return {
    // Leading brackets are not part of the base subject (RFC 5256, 2.1): the e-mails of a notice stay in one thread.
    subject: `[${content.headline}] ${content.subject} – ${content.page}`,
    text: renderMailText(content, snapshot, links),
    html: renderMailHtml(content, snapshot, links),
  };
}
