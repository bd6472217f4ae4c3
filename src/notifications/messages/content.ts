import { toPlainText } from '../../content/markdown/plain-text.js';
import { toSingleLine } from '../../core/text/single-line.js';
import { defaultImpact, findWorstImpact } from '../../notices/impact.rules.js';
import { isPresent } from '../../notices/notice.states.js';
import { getNoticeTone } from '../../pages/branding/state-styles.js';
import type { MessageSnapshot, PublicationEvent } from './message-snapshot.js';
import { formatWindows, maxListedComponents } from './event.js';
import { type Translator, getTranslator } from '../../i18n/translator.js';
import { toTextRuns } from './text-runs.js';
import type { MailTone } from './mail-colours.js';

export interface MessageContent {
  translator: Translator;
  /** The state in a word or two; the type of a notice without states; or that this is a reminder. */
  headline: string;
  tone: MailTone;
  page: string;
  subject: string;
  /** Markdown; null where it would only repeat the headline, the subject or the window. */
  newest: string | null;
  /** The earlier updates, newest first. */
  older: { content: string /** With the state that it was posted with. */; time: string }[];
  publishedAt: string;
  /** The window in the page's zone and in UTC, or begin and end of an incident; then when the next update is due. */
  timeLines: string[];
  components: MessageComponent[];
  link: string;
}

export interface MessageComponent {
  name: string;
  /** In words, while the notice is present. */
  state: string | null;
}

/** With the state, unless an incident is open: it may take the place of the message that said so, such as an end. */
const describeCorrection = ({ notice: { type, state } }: MessageSnapshot, t: Translator['t']): string =>
  state && !(type === 'unplanned' && isPresent(state))
    ? `${t(`state.${state}`)} – ${t('mail.correction')}`
    : t('mail.correction');

export function buildMessageContent(snapshot: MessageSnapshot): MessageContent {
  const { page, notice, event, updates } = snapshot;
  const translator = getTranslator(page.locale);
  const { t } = translator;
  const headlines: Partial<Record<PublicationEvent, string>> = {
    reminder: t('mail.reminder'),
    update_due: t('mail.updateDue'),
    correction: describeCorrection(snapshot, t),
    postmortem: t('notice.postmortem'),
  };
  const headline = headlines[event] ?? t(`state.${notice.state ?? notice.type}`);
  const windows = formatPlannedWindows(snapshot, translator);
  const text = snapshot.text.trim();
  const nextUpdate = formatNextUpdate(snapshot, translator);
  const redundant = [
    notice.state && t(`state.${notice.state}`),
    notice.subject.trim(),
    windows.join('\n\n'),
    nextUpdate.join(),
  ];
  const formatTime = (iso: string) => translator.capitalize(translator.formatDateTime(new Date(iso), page.zone));
  const isCorrection = event === 'correction';
  // The published update is the first of the updates; a corrected one is any of them.
  const isPublished = ({ content }: { content: string }, index: number) =>
    (index === 0 || isCorrection) && content.trim() === text;
  const newest = isCorrection ? `${t('mail.correctionText')}\n\n${text}` : text;
  return {
    translator,
    headline,
    tone: determineTone(snapshot),
    page: toSingleLine(page.name),
    subject: toSingleLine(notice.subject),
    newest: text && !redundant.includes(newest) ? newest : null,
    older: updates
      .filter((update, index) => !isPublished(update, index))
      .map(({ content, createdAt, state, kind }) => ({
        content,
        time: [kind === 'postmortem' ? t('notice.postmortem') : state && t(`state.${state}`), formatTime(createdAt)]
          .filter(Boolean)
          .join(' · '),
      })),
    publishedAt: formatTime(snapshot.at),
    timeLines: [...formatTimeLines(snapshot, translator, windows), ...nextUpdate],
    components: listComponents(snapshot, translator),
    link: notice.link,
  };
}

/** As on the public page. A message has a colour also where the page has none. */
function determineTone({ notice: { type, state, components } }: MessageSnapshot): MailTone {
  const worst = findWorstImpact(components.flatMap(({ impact }) => impact ?? []));
  const tone = getNoticeTone(state ?? 'general', worst !== null && worst !== defaultImpact);
  if (tone !== 'none') return tone;
  return type === 'unplanned' ? 'ok' : 'plan';
}

/** The first, and how many others there are. */
function listComponents({ notice }: MessageSnapshot, { t }: Translator): MessageComponent[] {
  const listed = notice.components.slice(0, maxListedComponents).map(({ name, impact }) => {
    const state = notice.type === 'planned' ? 'maintenance' : impact;
    return { name: toSingleLine(name), state: isPresent(notice.state) && state ? t(`state.${state}`) : null };
  });
  const others = notice.components.length - listed.length;
  return others ? [...listed, { name: `+${others}`, state: null }] : listed;
}

/** "Card payments (Major outage) and Checkout (Degraded)" */
export const formatComponents = ({ components, translator }: MessageContent): string =>
  translator.formatList(components.map(({ name, state }) => (state ? `${name} (${state})` : name)));

/** Empty unless the notice is planned. */
export function formatPlannedWindows({ page, notice }: MessageSnapshot, translator: Translator): string[] {
  const { beginsAt, endsAt } = notice;
  return beginsAt && endsAt
    ? formatWindows({ beginsAt: new Date(beginsAt), endsAt: new Date(endsAt) }, translator, page.zone)
    : [];
}

function formatTimeLines({ page, notice, at }: MessageSnapshot, translator: Translator, windows: string[]): string[] {
  const { t } = translator;
  const { type, beginsAt, endsAt, beganAt, endedAt } = notice;
  const duration = (begin: string, end: string) =>
    translator.formatDuration(new Date(end).getTime() - new Date(begin).getTime());
  if (windows.length)
    return [
      ...windows,
      t('maintenance.duration', { duration: duration(beginsAt!, endsAt!) }),
      ...formatFurtherWindows(notice, translator, page.zone),
    ];
  if (type !== 'unplanned' || !beganAt) return [];
  const formatTime = (iso: string) => translator.formatDateTime(new Date(iso), page.zone);
  const began = t('notice.started', { time: formatTime(beganAt) });
  // The message says when it was published, which is mostly when the incident began.
  if (!endedAt && formatTime(beganAt) === formatTime(at)) return [];
  return endedAt
    ? [
        began,
        t('notice.ended', { time: formatTime(endedAt) }),
        t('notice.duration', { duration: duration(beganAt, endedAt) }),
      ]
    : [began];
}

/** "Further dates: 5 December 2026, 07:00–08:00 CET; ..."; empty unless it is a series. */
function formatFurtherWindows(
  { furtherWindows = [] }: MessageSnapshot['notice'],
  translator: Translator,
  zone: string,
) {
  const dates = furtherWindows.map(({ beginsAt, endsAt }) =>
    translator.formatTimeRange(new Date(beginsAt), new Date(endsAt), zone),
  );
  return dates.length ? [translator.t('maintenance.furtherDates', { dates: dates.join('; ') })] : [];
}

/** "Next update by 20 November 2026, 14:30 CET"; empty where none is due. */
export function formatNextUpdate({ page, notice }: MessageSnapshot, { t, formatDateTime }: Translator): string[] {
  const { nextUpdateBy } = notice;
  return nextUpdateBy ? [t('notice.nextUpdate', { time: formatDateTime(new Date(nextUpdateBy), page.zone) })] : [];
}

/** Markdown as plain text, with no more than one blank line in a row. */
export function toReadableText(markdown: string): string {
  return toPlainText(markdown)
    .toWellFormed()
    .replace(/[^\P{Control}\n\t]/gu, '')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

/** The same with the targets of links and the marks of list items, for channels with room for them. */
export function toReadableTextWithLinks(markdown: string): string {
  const runs = toTextRuns(markdown, '\n');
  return runs
    .map(({ text, link }, index) => {
      // A link may have several styles.
      if (!link || runs[index + 1]?.link === link) return text;
      let first = index;
      while (runs[first - 1]?.link === link) first -= 1;
      const label = runs.slice(first, index + 1).reduce((words, run) => words + run.text, '');
      return [label, `${label}/`, `mailto:${label}`].includes(link)
        ? text
        : `${text.trimEnd()} (${link.replace(/^mailto:/, '')})`;
    })
    .join('')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}
