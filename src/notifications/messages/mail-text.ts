import type { PublicationPicture } from '../message-snapshot.js';
import type { MailLinks } from './mail.js';
import { fullText, type MessageContent } from './content.js';

/** The mail for who reads text: the newest first. */
export function mailText(told: MessageContent, { page }: PublicationPicture, links: MailLinks): string {
  const { t, list } = told.texts;
  const footer = [
    links.unsubscribe && t('mail.why', { page: told.page }),
    links.preferences && `${t('mail.preferences')}: ${links.preferences}`,
    links.unsubscribe && `${t('mail.unsubscribe')}: ${links.unsubscribe}`,
  ].filter(Boolean);
  const parts = [
    `${told.headline}: ${told.subject}`,
    told.newest && fullText(told.newest),
    told.time,
    told.times.join('\n'),
    told.components.length > 0 && `${t('notice.affected')}: ${list(told.components)}`,
    `${t('mail.view')}: ${told.link}`,
    told.older.length > 0 &&
      [`${t('mail.earlier')}:`, ...told.older.map(({ content, time }) => `${time}\n${fullText(content)}`)].join('\n\n'),
    // The line by which mail programs know a signature, and fold it.
    ['-- ', told.page, page.address, page.supportEmail && `${t('support.title')}: ${page.supportEmail}`, ...footer]
      .filter(Boolean)
      .join('\n'),
  ];
  return `${parts.filter(Boolean).join('\n\n')}\n`;
}
