import { type MessageComponent, buildMessageContent, type MessageContent } from '../messages/content.js';
import { computeMailColours } from '../messages/mail-colours.js';
import { shorten } from '../../i18n/shorten.js';
import type { MessageSnapshot } from '../messages/message-snapshot.js';
import type { PageChannelDefinition } from './channel.js';
import { toChatMarkup } from './chat-markup.js';
import { toChatOutcome } from './outcome.js';
import { escapeMrkdwn, mrkdwnMarkup } from './slack-mrkdwn.js';
import { chatHosts } from './webhook-formats.js';

/** Slack, by an incoming webhook. It responds with "ok", or with the name of an error. */
export const slack: PageChannelDefinition<'chatA', 'SLACK'> = {
  name: 'chatA',
  enumName: 'SLACK',
  label: 'Slack',
  recipients: 'page',
  credentials: 'webhook',
  urlHint: 'Slack: your app, Incoming Webhooks. Mattermost and Rocket.Chat: Integrations, Incoming Webhooks.',
  concurrency: 8,
  preview: {
    description: 'The request body for Slack, as JSON.',
    render: snapshot => JSON.stringify(renderSlackMessage(snapshot), null, 2),
  },
  send: async ({ snapshot }, { url }, post) => toChatOutcome(await post(url, renderSlackMessage(snapshot, url))),
};

/** Slack itself shows Block Kit. Chats with webhooks like those of Slack show none of it. */
const showsBlocks = (url: string) => chatHosts.slack.test(new URL(url).hostname);

/** `verbatim` turns off the detection of names and URLs. */
const mrkdwn = (text: string) => ({ type: 'mrkdwn', text, verbatim: true });

/** Limits of Block Kit, in characters. */
const maxHeaderLength = 120;
const maxSectionLength = 3000;
/** Of 2,000, without the title. */
const maxFieldLength = 1900;

const renderComponent = ({ name, state }: MessageComponent) => (state ? `${name} · ${state}` : name);

const toneEmoji: Record<MessageContent['tone'], string> = {
  ok: ':large_green_circle:',
  warn: ':large_orange_circle:',
  // A notice that recovers looks different from one that is still broken.
  part: ':large_yellow_circle:',
  down: ':red_circle:',
  plan: ':large_blue_circle:',
};

/** The body for the webhook at this address: that for Slack, or for a chat with webhooks like those of Slack. */
export function renderSlackMessage(snapshot: MessageSnapshot, url?: string): object {
  const parts = composeParts(snapshot);
  const { summary, logo } = parts;
  return {
    text: escapeMrkdwn(summary),
    ...(url === undefined || showsBlocks(url) ? renderBlocks(parts) : renderAttachment(parts)),
    // Older webhooks show it beside the message. Slack would refuse the message if it could not load an image within
    // it.
    ...(logo && { icon_url: logo }),
    unfurl_links: false,
    unfurl_media: false,
  };
}

/** What all forms of the message have, within the limits of Slack. */
function composeParts(snapshot: MessageSnapshot) {
  const content = buildMessageContent(snapshot);
  const { t } = content.translator;
  const timesTitle = t(snapshot.notice.type === 'planned' ? 'maintenance.window' : 'state.unplanned');
  const limit = (text: string, length: number) => shorten(text, part => part.length <= length);
  const field = (title: string, value: string) => ({
    title,
    value: escapeMrkdwn(shorten(value, text => escapeMrkdwn(text).length <= maxFieldLength)),
  });
  return {
    summary: limit(`${content.page}: ${content.subject} (${content.headline})`, maxSectionLength),
    title: `${toneEmoji[content.tone]} ${limit(content.subject, maxHeaderLength)}`,
    context: limit(`${content.page} · ${content.publishedAt}`, maxSectionLength / 6),
    text: content.newest && toChatMarkup(content.newest, maxSectionLength, mrkdwnMarkup),
    fields: [
      field(t('history.state'), content.headline),
      ...(content.components.length
        ? [field(t('notice.affected'), content.components.map(renderComponent).join('\n'))]
        : []),
      ...(content.timeLines.length ? [field(timesTitle, content.timeLines.join('\n'))] : []),
    ],
    color: computeMailColours(snapshot.page.brand, content.tone, 'light').state,
    link: content.link,
    view: t('mail.view'),
    logo: snapshot.page.images?.logo?.url,
  };
}
type Parts = ReturnType<typeof composeParts>;

/** The subject, and an attachment with a coloured bar. */
const renderBlocks = ({ title, text, fields, color, link, view, context }: Parts): object => ({
  blocks: [{ type: 'header', text: { type: 'plain_text', text: title, emoji: true } }],
  attachments: [
    {
      color,
      blocks: [
        ...(text ? [{ type: 'section', text: mrkdwn(text) }] : []),
        {
          type: 'section',
          fields: fields.map(field => mrkdwn(`*${escapeMrkdwn(field.title)}*\n${field.value}`)),
        },
        { type: 'actions', elements: [{ type: 'button', text: { type: 'plain_text', text: view }, url: link }] },
        { type: 'context', elements: [mrkdwn(escapeMrkdwn(context))] },
      ],
    },
  ],
});

/** The attachment of before Block Kit, which Mattermost, Rocket.Chat and Zulip show. */
const renderAttachment = ({ summary, title, text, fields, color, link, context }: Parts): object => ({
  attachments: [
    {
      color,
      fallback: escapeMrkdwn(`${summary} ${link}`),
      title: escapeMrkdwn(title),
      title_link: link,
      ...(text && { text }),
      fields: fields.map(field => ({ ...field, title: escapeMrkdwn(field.title), short: false })),
      footer: escapeMrkdwn(context),
      mrkdwn_in: ['text', 'fields'],
    },
  ],
});
