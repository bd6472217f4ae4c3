import type { PublicationPicture } from '../message-snapshot.js';
import { shortened } from './shorten.js';
import { readableText, contentOf, windowsIn } from './content.js';

const longest = 500;
const lengthOfLink = 23;

/**
 * As Mastodon counts, or more: our own link at the end is 23 characters whatever its length; of an address in the text that is longer it is not certain that
 * Mastodon knows it for one.
 */
export function statusLength(words: string): number {
  const others = words.replace(/https?:\/\/\S+/g, address => address.padEnd(lengthOfLink));
  return [...others].length + (words ? '\n\n'.length : 0) + lengthOfLink;
}

/** Text that is written for everybody calls nobody: an "@" before a name would. */
const uncalling = (text: string) => text.replace(/(?<![\w/=])@(?=\w)/g, '@\u200b');

/** A status for Mastodon: 500 characters at most, the link last and whole. */
export function statusOf(picture: PublicationPicture): string {
  const { texts, page, headline, subject, newest, components, link } = contentOf(picture);
  const facts = [
    ...windowsIn(picture, texts),
    ...(components.length ? [`${texts.t('notice.affected')}: ${texts.list(components)}`] : []),
  ].join('\n');
  const words = [`${headline}: ${subject} – ${page}`, newest && readableText(newest), facts]
    .filter(Boolean)
    .join('\n\n');
  const kept = shortened(uncalling(words), text => statusLength(text) <= longest);
  return kept ? `${kept}\n\n${link}` : link;
}
