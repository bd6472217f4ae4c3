import { buildMessageContent, formatPlannedWindows, toReadableText } from '../messages/content.js';
import { shorten } from '../../i18n/shorten.js';
import type { MessageSnapshot } from '../messages/message-snapshot.js';
import type { HttpResponse, OutgoingMessage, PageChannelDefinition, PostJson, Target } from './channel.js';
import { toChatOutcome } from './outcome.js';

/** Mastodon. The first status of a notice starts a thread, and all others reply to it. */
export const mastodon: PageChannelDefinition<'social', 'MASTODON'> = {
  name: 'social',
  enumName: 'MASTODON',
  label: 'Mastodon',
  recipients: 'page',
  credentials: 'server and token',
  urlHint: 'Such as https://mastodon.social.',
  concurrency: 8,
  preview: { description: 'The status for Mastodon.', render: renderMastodonStatus },
  async send(message, target, post) {
    const { thread } = message.recipient;
    let response = await postStatus(message, target, thread, post);
    // The first status was deleted: start a new thread.
    const isThreadGone = thread !== null && response.status === 404;
    if (isThreadGone) response = await postStatus(message, target, null, post);
    const outcome = toChatOutcome(response);
    const id = outcome.kind === 'sent' ? parseStatusId(response.body) : null;
    if (!id) return outcome;
    return { kind: 'sent', response: `${response.status} ${id}`, thread: isThreadGone ? id : (thread ?? id) };
  },
};

function postStatus(
  { messageId, snapshot }: OutgoingMessage,
  { url, token = '' }: Target,
  thread: string | null,
  post: PostJson,
): Promise<HttpResponse> {
  const status = {
    status: renderMastodonStatus(snapshot),
    // A test message belongs to no notice, and is visible only to the account itself.
    visibility: snapshot.notice.token ? 'public' : 'direct',
    language: snapshot.page.locale.slice(0, 2),
    ...(thread && { in_reply_to_id: thread }),
  };
  return post(`${url.replace(/(?<!\/)\/+$/, '')}/api/v1/statuses`, status, {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    // The same at every attempt of a delivery and unique among services, so that no retry posts the status twice.
    'idempotency-key': messageId.replace(/[<>]/g, ''),
  });
}

/** The id is stored and sent back: null unless it is a plain text of reasonable length. */
function parseStatusId(body: string): string | null {
  try {
    const { id } = JSON.parse(body) as { id?: unknown };
    return typeof id === 'string' && /^[\x21-\x7e]{1,100}$/.test(id) ? id : null;
  } catch {
    return null;
  }
}

const maxLength = 500;
const linkLength = 23;

/**
 * The length as Mastodon counts it, or more. The link at the end counts 23 whatever its length; a longer URL in the
 * text counts in full, since Mastodon may not recognise it as one.
 */
export function countStatusLength(text: string): number {
  const padded = text.replace(/https?:\/\/\S+/g, url => url.padEnd(linkLength));
  return [...padded].length + (text ? '\n\n'.length : 0) + linkLength;
}

/** Breaks mentions, since an "@" before a name would notify that account. */
const escapeMentions = (text: string) => text.replace(/(?<![\w/=])@(?=\w)/g, '@\u200b');

/** A status for Mastodon: 500 characters at most, with the whole link at the end. */
export function renderMastodonStatus(snapshot: MessageSnapshot): string {
  const { translator, page, headline, subject, newest, components, link } = buildMessageContent(snapshot);
  const facts = [
    ...formatPlannedWindows(snapshot, translator),
    ...(components.length
      ? [translator.label(translator.t('notice.affected'), translator.formatList(components.map(({ name }) => name)))]
      : []),
  ].join('\n');
  const text = [`${translator.label(headline, subject)} – ${page}`, newest && toReadableText(newest), facts]
    .filter(Boolean)
    .join('\n\n');
  const shortened = shorten(escapeMentions(text), candidate => countStatusLength(candidate) <= maxLength);
  return shortened ? `${shortened}\n\n${link}` : link;
}
