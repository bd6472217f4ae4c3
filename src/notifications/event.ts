import type { Notice } from '../notices/notice.entity.js';
import { type NoticeState, presentStates } from '../notices/notice.states.js';
import type { Texts } from '../i18n/translator.js';
import type { PublicationEvent } from './message-snapshot.js';

/** What a notice was before the change that is told. */
export type Before = Pick<Notice, 'state' | 'beginsAt' | 'endsAt'>;

type Told = Pick<Notice, 'type' | 'state' | 'subject' | 'beginsAt' | 'endsAt'>;

/** A state that was entered, and that has an event of its own. */
const entered: Partial<Record<NoticeState, PublicationEvent>> = {
  resolved: 'closed',
  false_alarm: 'closed',
  scheduled: 'scheduled',
  underway: 'begun',
  complete: 'completed',
  cancelled: 'cancelled',
};

/**
 * Without `before` the notice is new. An incident that was over and is open again was opened again. The first that is told of a notice is that it is there: who opened it
 * quietly, and tells of it by an update, reaches those who hear of openings alone.
 */
export function eventOf(notice: Told, before: Before | null, isFirst = false): PublicationEvent {
  if (before && isFirst && !isOver(notice)) return eventOf(notice, null);
  if (!before && notice.type === 'general') return 'announced';
  if (!notice.state || before?.state === notice.state) return 'updated';
  const wasOpen = before?.state && presentStates.includes(before.state);
  return entered[notice.state] ?? (wasOpen ? 'updated' : 'opened');
}

const isOver = ({ state }: Told) => state !== null && state !== 'scheduled' && !presentStates.includes(state);

/** "with the comment as its text, else the new state, else the new window (page zone and UTC), else the subject" */
export function textOf(
  notice: Told,
  before: Before | null,
  comment: string | null,
  texts: Texts,
  zone: string,
): string {
  if (comment !== null) return comment;
  if (notice.state && before?.state !== notice.state) return texts.t(`state.${notice.state}`);
  const isMoved =
    notice.beginsAt?.getTime() !== before?.beginsAt?.getTime() ||
    notice.endsAt?.getTime() !== before?.endsAt?.getTime();
  return before && isMoved ? windowText(notice, texts, zone) : notice.subject;
}

/** In the zone of the page, and in UTC where that is another. */
export function windowsOf(
  { beginsAt, endsAt }: { beginsAt: Date; endsAt: Date },
  texts: Texts,
  zone: string,
): string[] {
  return [...new Set([zone, 'UTC'].map(one => texts.capital(texts.window(beginsAt, endsAt, one))))];
}

/** The same as a text that is told: whoever writes the window beside it knows it by these very letters. */
export function windowText(
  { beginsAt, endsAt }: Pick<Told, 'beginsAt' | 'endsAt'>,
  texts: Texts,
  zone: string,
): string {
  return windowsOf({ beginsAt: beginsAt!, endsAt: endsAt! }, texts, zone).join('\n\n');
}
