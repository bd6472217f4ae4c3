import { buildMessageContent, type MessageContent, toReadableTextWithLinks } from '../messages/content.js';
import { shorten } from '../../i18n/shorten.js';
import type { MessageSnapshot } from '../message-snapshot.js';
import type { HttpResponse, PageChannelDefinition } from './channel.js';
import { toOutcome } from './outcome.js';

/** Microsoft Teams, by the webhook of a workflow. */
export const teams: PageChannelDefinition<'chatB'> = {
  name: 'chatB',
  label: 'Microsoft Teams',
  recipients: 'page',
  credentials: 'webhook',
  concurrency: 8,
  preview: {
    description: 'The request body for Microsoft Teams, as JSON.',
    render: snapshot => JSON.stringify(renderTeamsMessage(snapshot), null, 2),
  },
  send: async ({ snapshot }, { url }, post) => toOutcome(withRealStatus(await post(url, renderTeamsMessage(snapshot)))),
};

/** Old connectors respond with 200, and with the real status in the text. */
function withRealStatus(response: HttpResponse): HttpResponse {
  const [, status] = /returned HTTP error (\d{3})/.exec(response.body) ?? [];
  return response.status === 200 && status ? { ...response, status: Number(status) } : response;
}

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
