import { shorten } from '../../i18n/shorten.js';
import { buildMessageContent } from '../messages/content.js';
import { computeMailColours } from '../messages/mail-colours.js';
import type { MessageSnapshot } from '../messages/message-snapshot.js';
import type { HttpResponse, Outcome, PageChannelDefinition } from './channel.js';
import { type ChatMarkup, toChatMarkup } from './chat-markup.js';
import { toChatOutcome } from './outcome.js';

/** Discord, by a webhook of a channel. */
export const discord: PageChannelDefinition<'discord', 'DISCORD'> = {
  name: 'discord',
  enumName: 'DISCORD',
  label: 'Discord',
  recipients: 'page',
  credentials: 'webhook',
  urlHint: 'Discord: the channel, Edit Channel, Integrations, Webhooks.',
  isOutsideV1: true,
  concurrency: 8,
  preview: {
    description: 'The request body for Discord, as JSON.',
    render: snapshot => JSON.stringify(renderDiscordMessage(snapshot), null, 2),
  },
  send: async ({ snapshot }, { url }, post) => toDiscordOutcome(await post(url, renderDiscordMessage(snapshot))),
};

/** What to do about errors of Discord, by their code. */
const advice: Record<number, string> = {
  220001: 'The channel is a forum: add ?thread_id=… to the URL, with the id of a post of it.',
  10003: 'The channel, or the thread that the URL names, does not exist any more.',
  10015: 'The webhook was deleted: make another one, and set its URL.',
  50083: 'The thread that the URL names is archived: open it again, or name another one.',
};

export function toDiscordOutcome(response: HttpResponse): Outcome {
  const outcome = toChatOutcome(response);
  const code = /"code":\s*(\d+)/.exec(response.body)?.[1];
  const words = outcome.kind === 'sent' || !code ? undefined : advice[Number(code)];
  return words ? { ...outcome, response: `${response.status} ${words} ${response.body}` } : outcome;
}

/** Limits of an embed in characters; all texts of it together may have 6,000. */
const maxLength = { title: 256, text: 3500, value: 1024, times: 500, line: 300 };

export const escapeMarkdown = (text: string) => text.replace(/[\\*_~`|<>[\]()#@:-]/g, '\\$&');

const markdownMarkup: ChatMarkup = {
  escapeText: escapeMarkdown,
  // A text with a URL is not shown as a link.
  formatLink: (url, text) => {
    const target = url.replaceAll('(', '%28').replaceAll(')', '%29');
    return /https?:/.test(text) ? `<${target}>` : `[${escapeMarkdown(text.replace(/\s+/g, ' '))}](<${target}>)`;
  },
  // Nothing can escape what ends it.
  formatCode: text => `\`${text.replaceAll('`', 'ˋ')}\``,
  bold: '**',
  italic: '_',
  struck: '~~',
};

/** The body for a webhook: one embed with a coloured bar. */
export function renderDiscordMessage(snapshot: MessageSnapshot): object {
  const content = buildMessageContent(snapshot);
  const { t } = content.translator;
  const cut = (text: string, length: number, escapePart = (part: string) => part) =>
    escapePart(shorten(text, part => escapePart(part).length <= length));
  const field = (name: string, value: string, { length = maxLength.value, inline = false } = {}) => ({
    name,
    value: cut(value, length, escapeMarkdown),
    inline,
  });
  const components = content.components.map(({ name, state }) => (state ? `${name} · ${state}` : name));
  const timesTitle = t(snapshot.notice.type === 'planned' ? 'maintenance.window' : 'state.unplanned');
  return {
    embeds: [
      {
        title: cut(content.subject, maxLength.title, escapeMarkdown),
        url: content.link,
        color: Number.parseInt(computeMailColours(snapshot.page.brand, content.tone, 'light').state.slice(1), 16),
        ...(content.newest && { description: toChatMarkup(content.newest, maxLength.text, markdownMarkup) }),
        fields: [
          field(t('history.state'), content.headline, { inline: true }),
          ...(components.length ? [field(t('notice.affected'), components.join('\n'))] : []),
          ...(content.timeLines.length
            ? [field(timesTitle, content.timeLines.join('\n'), { length: maxLength.times })]
            : []),
        ],
        footer: { text: cut(`${content.page} · ${content.publishedAt}`, maxLength.line) },
      },
    ],
    ...(snapshot.page.images?.logo && { avatar_url: snapshot.page.images.logo.url }),
    allowed_mentions: { parse: [] },
  };
}
