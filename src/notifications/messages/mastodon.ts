import type { MessageSnapshot } from '../message-snapshot.js';
import { shorten } from './shorten.js';
import { toReadableText, buildMessageContent, formatPlannedWindows } from './content.js';

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
    ...(components.length ? [`${translator.t('notice.affected')}: ${translator.formatList(components)}`] : []),
  ].join('\n');
  const text = [`${headline}: ${subject} – ${page}`, newest && toReadableText(newest), facts]
    .filter(Boolean)
    .join('\n\n');
  const shortened = shorten(escapeMentions(text), candidate => countStatusLength(candidate) <= maxLength);
  return shortened ? `${shortened}\n\n${link}` : link;
}
