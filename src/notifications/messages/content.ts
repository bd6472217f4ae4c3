import { plainText } from '../../markdown/plain-text.js';
import { presentStates } from '../../notices/notice.states.js';
import type { PublicationPicture } from '../message-snapshot.js';
import { windowsOf } from '../event.js';
import { type Texts, textsOf } from '../../i18n/translator.js';

/** What every channel says, before it is given the form of one. */
export interface MessageContent {
  texts: Texts;
  /** What has happened, in a word or two: the state, the kind of the notice where it has none, or that this is a reminder. */
  headline: string;
  tone: 'ok' | 'warning' | 'plan';
  page: string;
  subject: string;
  /** Markdown; null where it would only repeat the headline, the subject or the window. */
  newest: string | null;
  /** Newest first. */
  older: { content: string; time: string }[];
  time: string;
  /** Whole lines: the window in the page's zone and in UTC and how long it is, or when it began and ended. */
  times: string[];
  components: string[];
  link: string;
}

export function contentOf(picture: PublicationPicture): MessageContent {
  const { page, notice, event, updates } = picture;
  const texts = textsOf(page.locale);
  const headline =
    event === 'reminder'
      ? texts.t('mail.reminder')
      : texts.t(notice.state ? `state.${notice.state}` : `state.${notice.type}`);
  const window = windowsIn(picture, texts);
  const said = picture.text.trim();
  const repeats = [notice.state && texts.t(`state.${notice.state}`), notice.subject.trim(), window.join('\n\n')];
  const moment = (iso: string) => texts.capital(texts.dateTime(new Date(iso), page.zone));
  // The update that is told stands among the updates already.
  const earlier = updates[0]?.content.trim() === said ? updates.slice(1) : updates;
  return {
    texts,
    headline,
    tone: toneOf(picture),
    page: onOneLine(page.name),
    subject: onOneLine(notice.subject),
    newest: said && !repeats.includes(said) ? said : null,
    older: earlier.map(({ content, createdAt }) => ({ content, time: moment(createdAt) })),
    time: moment(picture.at),
    times: timesOf(picture, texts, window),
    components: notice.components.map(({ name }) => onOneLine(name)),
    link: notice.link,
  };
}

function toneOf({ notice: { type, state } }: PublicationPicture): MessageContent['tone'] {
  if (type === 'planned') return state === 'complete' ? 'ok' : 'plan';
  return state && presentStates.includes(state) ? 'warning' : 'ok';
}

/** Of a planned notice; none of others. */
export function windowsIn({ page, notice: { beginsAt, endsAt } }: PublicationPicture, texts: Texts): string[] {
  return beginsAt && endsAt
    ? windowsOf({ beginsAt: new Date(beginsAt), endsAt: new Date(endsAt) }, texts, page.zone)
    : [];
}

function timesOf({ page, notice }: PublicationPicture, texts: Texts, window: string[]): string[] {
  const { type, beginsAt, endsAt, beganAt, endedAt } = notice;
  const apart = (begin: string, end: string) => texts.duration(new Date(end).getTime() - new Date(begin).getTime());
  if (window.length) return [...window, texts.t('maintenance.duration', { duration: apart(beginsAt!, endsAt!) })];
  if (type !== 'unplanned' || !beganAt) return [];
  const time = (iso: string) => texts.dateTime(new Date(iso), page.zone);
  const began = texts.t('notice.started', { time: time(beganAt) });
  return endedAt
    ? [
        began,
        texts.t('notice.ended', { time: time(endedAt) }),
        texts.t('notice.duration', { duration: apart(beganAt, endedAt) }),
      ]
    : [began];
}

/** Names and subjects may hold line ends and other controls, which have a meaning of their own in headers and in chats. */
export function onOneLine(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\p{Control}\u2028\u2029\s]+/gu, ' ')
    .trim();
}

/** The text of Markdown, with no more than one blank line in a row. */
export function readableText(markdown: string): string {
  return plainText(markdown)
    .toWellFormed()
    .replace(/[^\P{Control}\n\t]/gu, '')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

/** The same where there is room for what only markup tells: where a link leads, and which lines are a list. */
export function fullText(markdown: string): string {
  const withAddresses = markdown.replace(linkPattern, (_, text: string, address: string) =>
    text.trim() === address ? address : `${text} (${address})`,
  );
  return readableText(
    withAddresses.replace(/^([ \t]{0,3})[-*+] (?=\S)/gm, '$1• ').replace(/^([ \t]{0,3}\d{1,9})\. (?=\S)/gm, '$1\\. '),
  );
}

/** Bounded, since a comment may have 65,535 characters and be nothing but brackets. */
const linkPattern = /(?<![!\\])\[([^[\]\n]{1,500})\]\((https?:\/\/[^\s()]{1,1000})\)/g;
