import type { MessageSnapshot } from './message-snapshot.js';
import type { MailLinks } from './mail-links.js';
import { formatComponents, toReadableTextWithLinks, type MessageContent } from './content.js';

/** The plain text part: the newest update first. */
export function renderMailText(content: MessageContent, { page }: MessageSnapshot, links: MailLinks): string {
  const { t, label } = content.translator;
  const footer = [
    links.unsubscribe && t('mail.why', { page: content.page }),
    links.preferences && label(t('mail.preferences'), links.preferences),
    links.unsubscribe && label(t('mail.unsubscribe'), links.unsubscribe),
  ].filter(Boolean);
  const older = content.older.map(update => `${update.time}\n${toReadableTextWithLinks(update.content)}`);
  const parts = [
    label(content.headline, content.subject),
    links.postUpdate && label(t('mail.postUpdate'), links.postUpdate),
    content.newest && toReadableTextWithLinks(content.newest),
    t('notice.published', { time: content.publishedAt }),
    content.timeLines.join('\n'),
    content.components.length > 0 && label(t('notice.affected'), formatComponents(content)),
    label(t('mail.view'), content.link),
    older.length > 0 && [label(t('mail.earlier'), '').trim(), ...older].join('\n\n'),
    // The signature separator (RFC 3676, 4.3): mail clients fold what follows.
    ['-- ', content.page, page.address, page.supportEmail && label(t('support.title'), page.supportEmail), ...footer]
      .filter(Boolean)
      .join('\n'),
  ];
  return `${parts.filter(Boolean).join('\n\n')}\n`;
}
