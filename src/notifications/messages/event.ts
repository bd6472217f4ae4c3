import { showsUtc } from '../../i18n/dates.js';
import type { ShownImpact } from '../../notices/impact.rules.js';
import { type NoticeState, type NoticeType, presentStates } from '../../notices/notice.states.js';
import type { Translator } from '../../i18n/translator.js';
import type { PublicationEvent } from './message-snapshot.js';

export interface NoticeBefore {
  state: NoticeState | null;
  beginsAt: Date | null;
  endsAt: Date | null;
}

interface NoticeFields extends NoticeBefore {
  type: NoticeType;
  subject: string;
}

/** The event of entering a state; the other states have none. */
const eventOnEntry: Partial<Record<NoticeState, PublicationEvent>> = {
  resolved: 'closed',
  false_alarm: 'closed',
  scheduled: 'scheduled',
  underway: 'begun',
  complete: 'completed',
  cancelled: 'cancelled',
};

/**
 * Without `before` the notice is new. Reopening an incident is `opened` again. The first publication of a notice that
 * is not over announces the notice itself, also when it is an update: recipients of openings alone must not miss a
 * notice that was created unpublished.
 */
export function determineEvent(notice: NoticeFields, before: NoticeBefore | null, isFirst = false): PublicationEvent {
  if (before && isFirst && !isOver(notice)) return determineEvent(notice, null);
  if (!before && notice.type === 'general') return 'announced';
  if (!notice.state || before?.state === notice.state) return 'updated';
  const wasOpen = before?.state && presentStates.includes(before.state);
  return eventOnEntry[notice.state] ?? (wasOpen ? 'updated' : 'opened');
}

const isOver = ({ state }: NoticeFields) => state !== null && state !== 'scheduled' && !presentStates.includes(state);

/** "with the comment as its text, else the new state, else the new window (page zone and UTC), else the subject" */
export function composeText(
  notice: NoticeFields,
  before: NoticeBefore | null,
  comment: string | null,
  translator: Translator,
  zone: string,
): string {
  if (comment !== null) return comment;
  if (notice.state && before?.state !== notice.state) return translator.t(`state.${notice.state}`);
  const isWindowChanged =
    notice.beginsAt?.getTime() !== before?.beginsAt?.getTime() ||
    notice.endsAt?.getTime() !== before?.endsAt?.getTime();
  return before && isWindowChanged ? formatWindowText(notice, translator, zone) : notice.subject;
}

export interface CorrectedComponents {
  affected: readonly { name: string; impact?: ShownImpact }[];
  /** Which an earlier message named. */
  unaffected: readonly { name: string }[];
}

/** How many components a message names that people read. A notice can name 2,000. */
export const maxListedComponents = 100;

const listFirst = (names: readonly string[]): string[] => {
  const others = names.length - maxListedComponents;
  return others > 0 ? [...names.slice(0, maxListedComponents), `+${others}`] : [...names];
};

/** "Affected components: Card payments (Major outage)" and "Not affected: Checkout", each unless there are none. */
export function composeComponentsText(
  { type, state }: Pick<NoticeFields, 'type' | 'state'>,
  { affected, unaffected }: CorrectedComponents,
  { t, formatList }: Translator,
): string {
  const isPresentIncident = type === 'unplanned' && state !== null && presentStates.includes(state);
  const describe = ({ name, impact }: CorrectedComponents['affected'][number]) =>
    impact && isPresentIncident ? `${name} (${t(`state.${impact}`)})` : name;
  const lines = [
    { label: t('notice.affected'), names: affected.map(describe) },
    { label: t('notice.unaffected'), names: unaffected.map(({ name }) => name) },
  ];
  return lines
    .filter(({ names }) => names.length)
    .map(({ label, names }) => t('label.value', { label, value: formatList(listFirst(names)) }))
    .join('\n\n');
}

/** In the zone of the page, and in UTC where that is different. */
export function formatWindows(
  { beginsAt, endsAt }: { beginsAt: Date; endsAt: Date },
  translator: Translator,
  zone: string,
): string[] {
  const format = (timeZone: string) => translator.capitalize(translator.formatTimeRange(beginsAt, endsAt, timeZone));
  return (showsUtc([beginsAt, endsAt], zone) ? [zone] : [zone, 'UTC']).map(format);
}

/** The same as one text. Messages compare the publication's text with it, so that they do not repeat the window. */
export function formatWindowText(
  { beginsAt, endsAt }: Pick<NoticeFields, 'beginsAt' | 'endsAt'>,
  translator: Translator,
  zone: string,
): string {
  return formatWindows({ beginsAt: beginsAt!, endsAt: endsAt! }, translator, zone).join('\n\n');
}
