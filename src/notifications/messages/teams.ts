import type { MessageSnapshot } from '../message-snapshot.js';
import { shorten } from './shorten.js';
import { toReadableTextWithLinks, type MessageContent, buildMessageContent } from './content.js';

/** In bytes: a message to Teams may have 28 KB, the card included. For the text, the components and any other line. */
const maxBytes = { text: 4000, list: 2000, line: 500 };

const toneColour: Record<MessageContent['tone'], string> = { ok: 'good', warning: 'warning', plan: 'accent' };

/** A RichTextBlock shows its text as it is; a TextBlock would interpret Markdown. */
const textBlock = (text: string, style: object = {}, spacing = 'default') => ({
  type: 'RichTextBlock',
  spacing,
  inlines: [{ type: 'TextRun', text, ...style }],
});

/** The body for the webhook of a Teams workflow: an adaptive card in the envelope that workflows expect. */
export function renderTeamsMessage(snapshot: MessageSnapshot): object {
  const content = buildMessageContent(snapshot);
  const { t, formatList, direction } = content.translator;
  const limit = (text: string, bytes = maxBytes.line) =>
    shorten(text, candidate => Buffer.byteLength(candidate) <= bytes);
  const summary = limit(`${content.page}: ${content.subject} (${content.headline})`);
  const newest = content.newest && toReadableTextWithLinks(content.newest);
  const components = `${t('notice.affected')}: ${formatList(content.components)}`;
  const card = {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    fallbackText: summary,
    speak: summary,
    msteams: { width: 'Full' },
    rtl: direction === 'rtl',
    body: [
      textBlock(limit(content.page), { isSubtle: true }),
      textBlock(limit(content.subject), { size: 'large', weight: 'bolder' }, 'none'),
      textBlock(content.headline, { weight: 'bolder', color: toneColour[content.tone] }, 'small'),
      ...(newest ? [textBlock(limit(newest, maxBytes.text))] : []),
      ...content.timeLines.map(line => textBlock(line, { isSubtle: true }, 'small')),
      ...(content.components.length ? [textBlock(limit(components, maxBytes.list), { isSubtle: true }, 'small')] : []),
      textBlock(content.publishedAt, { isSubtle: true, size: 'small' }, 'small'),
    ],
    actions: [{ type: 'Action.OpenUrl', title: t('mail.view'), url: content.link }],
  };
  return {
    type: 'message',
    attachments: [{ contentType: 'application/vnd.microsoft.card.adaptive', contentUrl: null, content: card }],
  };
}
