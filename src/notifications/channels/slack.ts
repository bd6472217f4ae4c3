import { buildMessageContent, type MessageContent, toReadableTextWithLinks } from '../messages/content.js';
import { shorten } from '../../i18n/shorten.js';
import type { MessageSnapshot } from '../message-snapshot.js';
import type { PageChannelDefinition } from './channel.js';
import { toOutcome } from './outcome.js';

/** Slack, by an incoming webhook. It responds with "ok", or with the name of an error. */
export const slack: PageChannelDefinition<'chatA'> = {
  name: 'chatA',
  label: 'Slack',
  recipients: 'page',
  credentials: 'webhook',
  concurrency: 8,
  preview: {
    description: 'The request body for Slack, as JSON.',
    render: snapshot => JSON.stringify(renderSlackMessage(snapshot), null, 2),
  },
  send: async ({ snapshot }, { url }, post) => toOutcome(await post(url, renderSlackMessage(snapshot))),
};

/** Escapes the three control characters of Slack, without which there are no mentions and no links. */
const escapeMrkdwn = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** `verbatim` turns off the detection of names and URLs. */
const mrkdwn = (text: string) => ({ type: 'mrkdwn', text, verbatim: true });

/** Limits of Block Kit, in characters. */
const maxHeaderLength = 150;
const maxSectionLength = 3000;

const toneEmoji: Record<MessageContent['tone'], string> = {
  ok: ':large_green_circle:',
  warning: ':large_orange_circle:',
  plan: ':large_blue_circle:',
};

/** The body for an incoming webhook of Slack. `text` is for notifications and screen readers. */
export function renderSlackMessage(snapshot: MessageSnapshot): object {
  const content = buildMessageContent(snapshot);
  const { t, formatList } = content.translator;
  const section = (text: string) => ({ type: 'section', text: mrkdwn(text) });
  const facts = [
    ...content.timeLines,
    ...(content.components.length ? [`${t('notice.affected')}: ${formatList(content.components)}`] : []),
  ].join('\n');
  const fitsSection = (text: string) => escapeMrkdwn(text).length <= maxSectionLength;
  const summary = shorten(
    `${content.page}: ${content.subject} (${content.headline})`,
    text => text.length <= maxSectionLength,
  );
  const subject = shorten(content.subject, text => text.length <= maxHeaderLength);
  const context = shorten(`${content.page} · ${content.publishedAt}`, text => text.length <= maxSectionLength / 2);
  return {
    text: escapeMrkdwn(summary),
    blocks: [
      { type: 'header', text: { type: 'plain_text', text: subject, emoji: false } },
      section(`${toneEmoji[content.tone]} *${escapeMrkdwn(content.headline)}*`),
      ...(content.newest
        ? [section(escapeMrkdwn(shorten(toReadableTextWithLinks(content.newest), fitsSection)) || '…')]
        : []),
      ...(facts ? [section(escapeMrkdwn(shorten(facts, fitsSection)))] : []),
      section(`<${escapeMrkdwn(content.link)}|${escapeMrkdwn(t('mail.view')).replaceAll('|', '¦')}>`),
      { type: 'context', elements: [mrkdwn(escapeMrkdwn(context))] },
    ],
    unfurl_links: false,
    unfurl_media: false,
  };
}
