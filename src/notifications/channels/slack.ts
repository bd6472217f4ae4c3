import { type MessageComponent, buildMessageContent, type MessageContent } from '../messages/content.js';
import { computeMailColours } from '../messages/mail-colours.js';
import { shorten } from '../../i18n/shorten.js';
import type { MessageSnapshot } from '../messages/message-snapshot.js';
import type { PageChannelDefinition } from './channel.js';
import { toChatMarkup } from './chat-markup.js';
import { toChatOutcome } from './outcome.js';
import { escapeMrkdwn, mrkdwnMarkup } from './slack-mrkdwn.js';

/** Slack, by an incoming webhook. It responds with "ok", or with the name of an error. */
export const slack: PageChannelDefinition<'chatA', 'SLACK'> = {
  name: 'chatA',
  enumName: 'SLACK',
  label: 'Slack',
  recipients: 'page',
  credentials: 'webhook',
  urlHint: 'Slack: your app, Incoming Webhooks.',
  concurrency: 8,
  preview: {
    description: 'The request body for Slack, as JSON.',
    render: snapshot => JSON.stringify(renderSlackMessage(snapshot), null, 2),
  },
  send: async ({ snapshot }, { url }, post) => toChatOutcome(await post(url, renderSlackMessage(snapshot))),
};

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

/** The body for a webhook: the subject, and an attachment with a coloured bar. `text` is for screen readers. */
export function renderSlackMessage(snapshot: MessageSnapshot): object {
  const content = buildMessageContent(snapshot);
  const { t } = content.translator;
  const timesTitle = t(snapshot.notice.type === 'planned' ? 'maintenance.window' : 'state.unplanned');
  const field = (title: string, value: string) =>
    mrkdwn(
      `*${escapeMrkdwn(title)}*\n${escapeMrkdwn(shorten(value, text => escapeMrkdwn(text).length <= maxFieldLength))}`,
    );
  const summary = shorten(
    `${content.page}: ${content.subject} (${content.headline})`,
    text => text.length <= maxSectionLength,
  );
  const subject = shorten(content.subject, text => text.length <= maxHeaderLength);
  const context = shorten(`${content.page} · ${content.publishedAt}`, text => text.length <= maxSectionLength / 6);
  const newest = content.newest && toChatMarkup(content.newest, maxSectionLength, mrkdwnMarkup);
  const fields = [
    field(t('history.state'), content.headline),
    ...(content.components.length
      ? [field(t('notice.affected'), content.components.map(renderComponent).join('\n'))]
      : []),
    ...(content.timeLines.length ? [field(timesTitle, content.timeLines.join('\n'))] : []),
  ];
  return {
    text: escapeMrkdwn(summary),
    blocks: [
      { type: 'header', text: { type: 'plain_text', text: `${toneEmoji[content.tone]} ${subject}`, emoji: true } },
    ],
    attachments: [
      {
        color: computeMailColours(snapshot.page.brand, content.tone, 'light').state,
        blocks: [
          ...(newest ? [{ type: 'section', text: mrkdwn(newest) }] : []),
          { type: 'section', fields },
          {
            type: 'actions',
            elements: [{ type: 'button', text: { type: 'plain_text', text: t('mail.view') }, url: content.link }],
          },
          { type: 'context', elements: [mrkdwn(escapeMrkdwn(context))] },
        ],
      },
    ],
    // Older webhooks show it beside the message. Slack would refuse the message if it could not load an image within
    // it.
    ...(snapshot.page.images?.logo && { icon_url: snapshot.page.images.logo.url }),
    unfurl_links: false,
    unfurl_media: false,
  };
}
