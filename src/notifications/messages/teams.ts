import type { PublicationPicture } from '../message-snapshot.js';
import { shortened } from './shorten.js';
import { fullText, type MessageContent, contentOf } from './content.js';

/** A message to Teams has 28 KB at most, the card around the texts included. Octets; those of the text, of the components and of a line. */
const longest = { text: 4000, list: 2000, line: 500 };

const colour: Record<MessageContent['tone'], string> = { ok: 'good', warning: 'warning', plan: 'accent' };

/** A block whose text is shown as it is: the other kind of block takes Markdown. */
const block = (text: string, looks: object = {}, spacing = 'default') => ({
  type: 'RichTextBlock',
  spacing,
  inlines: [{ type: 'TextRun', text, ...looks }],
});

/** What is posted to the webhook of a workflow of Teams: an adaptive card in the envelope that workflows take. */
export function teamsMessage(picture: PublicationPicture): object {
  const told = contentOf(picture);
  const { t, list, direction } = told.texts;
  const short = (text: string, most = longest.line) => shortened(text, one => Buffer.byteLength(one) <= most);
  const summary = short(`${told.page}: ${told.subject} (${told.headline})`);
  const newest = told.newest && fullText(told.newest);
  const content = {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    fallbackText: summary,
    speak: summary,
    msteams: { width: 'Full' },
    rtl: direction === 'rtl',
    body: [
      block(short(told.page), { isSubtle: true }),
      block(short(told.subject), { size: 'large', weight: 'bolder' }, 'none'),
      block(told.headline, { weight: 'bolder', color: colour[told.tone] }, 'small'),
      ...(newest ? [block(short(newest, longest.text))] : []),
      ...told.times.map(line => block(line, { isSubtle: true }, 'small')),
      ...(told.components.length
        ? [block(short(`${t('notice.affected')}: ${list(told.components)}`, longest.list), { isSubtle: true }, 'small')]
        : []),
      block(told.time, { isSubtle: true, size: 'small' }, 'small'),
    ],
    actions: [{ type: 'Action.OpenUrl', title: t('mail.view'), url: told.link }],
  };
  return {
    type: 'message',
    attachments: [{ contentType: 'application/vnd.microsoft.card.adaptive', contentUrl: null, content }],
  };
}
