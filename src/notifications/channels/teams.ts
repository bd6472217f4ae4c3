import { buildMessageContent, formatComponents, type MessageContent } from '../messages/content.js';
import { toSingleLine } from '../../core/text/single-line.js';
import { type TextRun, toTextRuns } from '../messages/text-runs.js';
import { shorten } from '../../i18n/shorten.js';
import type { MessageSnapshot } from '../messages/message-snapshot.js';
import type { HttpResponse, Outcome, PageChannelDefinition } from './channel.js';
import { toChatOutcome } from './outcome.js';

export const teams: PageChannelDefinition<'chatB', 'TEAMS'> = {
  name: 'chatB',
  enumName: 'TEAMS',
  label: 'Microsoft Teams',
  recipients: 'page',
  credentials: 'webhook',
  urlHint: 'Teams: the channel, Workflows, “Post to a channel when a webhook request is received”.',
  concurrency: 8,
  preview: {
    description: 'The request body for Microsoft Teams, as JSON.',
    render: snapshot => JSON.stringify(renderTeamsMessage(snapshot), null, 2),
  },
  send: async ({ snapshot }, { url }, post) => toTeamsOutcome(await post(url, renderTeamsMessage(snapshot))),
};

/** A workflow answers 202 before it runs, whatever becomes of the message then. */
export function toTeamsOutcome(response: HttpResponse): Outcome {
  const outcome = toChatOutcome(withRealStatus(response));
  return outcome.kind === 'sent' && response.status === 202
    ? { ...outcome, response: `202 accepted: look into the channel whether it is there ${response.body}`.trim() }
    : outcome;
}

/** Old connectors respond with 200, and with the real status in the text. */
function withRealStatus(response: HttpResponse): HttpResponse {
  const [, status] = /returned HTTP error (\d{3})/.exec(response.body) ?? [];
  return response.status === 200 && status ? { ...response, status: Number(status) } : response;
}

/** In bytes: a message to Teams may have 28 KB, the card included. For the text, the components and any other line. */
const maxBytes = { text: 4000, list: 2000, line: 500 };

const toneColour: Record<MessageContent['tone'], string> = {
  ok: 'good',
  warn: 'warning',
  part: 'warning',
  down: 'attention',
  plan: 'accent',
};

/** A RichTextBlock shows its text as it is; a TextBlock would interpret Markdown. */
const textBlock = (text: string, style: object = {}, spacing = 'default') => ({
  type: 'RichTextBlock',
  spacing,
  inlines: [{ type: 'TextRun', text, ...style }],
});

/** The runs of a text with their styles, as many of them as `bytes` allow. */
function toInlines(markdown: string, bytes: number): object[] {
  const inlines: object[] = [];
  let bytesLeft = bytes;
  for (const run of toTextRuns(markdown)) {
    const text = shorten(run.text, part => Buffer.byteLength(part) <= bytesLeft);
    if (text) inlines.push({ type: 'TextRun', text, ...toStyle(run) });
    if (text !== run.text) break;
    bytesLeft -= Buffer.byteLength(text);
  }
  return inlines;
}

const toStyle = ({ isBold, isItalic, isQuoted, isStruck, isCode, link }: TextRun): object => ({
  ...(isBold && { weight: 'bolder' }),
  ...((isItalic || isQuoted) && { italic: true }),
  ...(isStruck && { strikethrough: true }),
  ...(isCode && { fontType: 'monospace' }),
  ...(link && { selectAction: { type: 'Action.OpenUrl', url: link } }),
});

/** The values of facts are Markdown, unlike those of text runs. */
const escapeMarkdown = (text: string) => text.replace(/[\\`*_{}[\]()#+!|<>~-]/g, '\\$&');

/** Teams leaves out an image that it cannot load. */
const renderLogo = ({ page: { images, name } }: MessageSnapshot): object[] =>
  images?.logo ? [{ type: 'Image', url: images.logo.url, altText: toSingleLine(name), height: '24px' }] : [];

/** The body for the webhook of a Teams workflow: an adaptive card in the envelope that workflows expect. */
export function renderTeamsMessage(snapshot: MessageSnapshot): object {
  const content = buildMessageContent(snapshot);
  const { t, direction } = content.translator;
  const timesTitle = t(snapshot.notice.type === 'planned' ? 'maintenance.window' : 'state.unplanned');
  const limit = (text: string, bytes = maxBytes.line) =>
    shorten(text, candidate => Buffer.byteLength(candidate) <= bytes);
  const summary = limit(`${content.page}: ${content.subject} (${content.headline})`);
  const fact = (title: string, value: string) => ({ title, value: limit(escapeMarkdown(value), maxBytes.list) });
  const newest = content.newest ? toInlines(content.newest, maxBytes.text) : [];
  const card = {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    fallbackText: summary,
    speak: summary,
    msteams: { width: 'Full' },
    rtl: direction === 'rtl',
    body: [
      ...renderLogo(snapshot),
      textBlock(limit(content.page), { isSubtle: true }),
      textBlock(limit(content.subject), { size: 'large', weight: 'bolder' }, 'none'),
      textBlock(content.headline, { weight: 'bolder', color: toneColour[content.tone] }, 'small'),
      ...(newest.length ? [{ type: 'RichTextBlock', spacing: 'default', inlines: newest }] : []),
      {
        type: 'FactSet',
        facts: [
          fact(t('history.state'), content.headline),
          ...(content.components.length ? [fact(t('notice.affected'), formatComponents(content))] : []),
          ...(content.timeLines.length ? [fact(timesTitle, content.timeLines.join(' · '))] : []),
        ],
      },
      textBlock(content.publishedAt, { isSubtle: true, size: 'small' }, 'small'),
    ],
    actions: [{ type: 'Action.OpenUrl', title: t('mail.view'), url: content.link }],
  };
  return wrapCard(card);
}

const wrapCard = (card: object): object => ({
  type: 'message',
  attachments: [{ contentType: 'application/vnd.microsoft.card.adaptive', contentUrl: null, content: card }],
});

/** A text with a button. */
export const renderTeamsLink = (text: string, button: string, url: string): object =>
  wrapCard({
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    body: [textBlock(text)],
    actions: [{ type: 'Action.OpenUrl', title: button, url }],
  });
