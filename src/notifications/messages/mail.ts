import type { PublicationPicture } from '../message-snapshot.js';
import { mailHtml } from './mail-html.js';
import { mailText } from './mail-text.js';
import { contentOf } from './content.js';

/** Signed addresses for who gets the mail; null where there is none. */
export interface MailLinks {
  preferences: string | null;
  unsubscribe: string | null;
}

export interface Mail {
  subject: string;
  text: string;
  html: string;
}

export function mailOf(picture: PublicationPicture, links: MailLinks): Mail {
  const told = contentOf(picture);
  return {
    // What stands in brackets in front is no part of a subject (RFC 5256, 2.1): the mails of a notice stay one thread, and the state is seen first.
    subject: `[${told.headline}] ${told.subject} – ${told.page}`,
    text: mailText(told, picture, links),
    html: mailHtml(told, picture, links),
  };
}
