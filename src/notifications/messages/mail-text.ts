import type { MessageSnapshot } from './message-snapshot.js';
import type { MailLinks, RecipientLinks } from './mail-links.js';
import { formatComponents, toReadableTextWithLinks, type MessageContent } from './content.js';

/** The plain text part, the newest update first: returns what adds the links of a recipient. */
export function prepareMailText(
  content: MessageContent,
  { page }: MessageSnapshot,
  postUpdate: MailLinks['postUpdate'],
): (links: RecipientLinks) => string {
  const { t, label } = content.translator;
  const older = content.older.map(update => `${update.time}\n${toReadableTextWithLinks(update.content)}`);
  const parts = [
    label(content.headline, content.subject),
    postUpdate && label(t('mail.postUpdate'), postUpdate),
    content.newest && toReadableTextWithLinks(content.newest),
    t('notice.published', { time: content.publishedAt }),
    content.timeLines.join('\n'),
    content.components.length > 0 && label(t('notice.affected'), formatComponents(content)),
    label(t('mail.view'), content.link),
    older.length > 0 && [label(t('mail.earlier'), '').trim(), ...older].join('\n\n'),
    // The signature separator (RFC 3676, 4.3): mail clients fold what follows.
    ['-- ', content.page, page.address, page.supportEmail && label(t('support.title'), page.supportEmail)]
      .filter(Boolean)
      .join('\n'),
  ];
  const text = parts.filter(Boolean).join('\n\n');
  return ({ preferences, unsubscribe }) => {
    const footer = [
      unsubscribe && t('mail.why', { page: content.page }),
      preferences && label(t('mail.preferences'), preferences),
      unsubscribe && label(t('mail.unsubscribe'), unsubscribe),
    ];
    return `${[text, ...footer.filter(Boolean)].join('\n')}\n`;
  };
}
