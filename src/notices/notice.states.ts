export type NoticeType = 'unplanned' | 'planned' | 'general';
export const noticeTypes: NoticeType[] = ['unplanned', 'planned', 'general'];

export const unplannedStates = ['investigating', 'identified', 'recovering', 'resolved', 'false_alarm'] as const;
export const plannedStates = ['scheduled', 'cancelled', 'underway', 'complete'] as const;

export type UnplannedState = (typeof unplannedStates)[number];
export type PlannedState = (typeof plannedStates)[number];
export type NoticeState = UnplannedState | PlannedState;

/** Any state of the type may follow any other; a word that is not in its list is refused. */
export const statesOf: Record<NoticeType, readonly NoticeState[]> = {
  unplanned: unplannedStates,
  planned: plannedStates,
  general: [],
};

export const firstState: Record<NoticeType, NoticeState | null> = {
  unplanned: 'investigating',
  planned: 'scheduled',
  general: null,
};

/** "notice is ongoing": what degrades components and the page. */
export const presentStates: readonly NoticeState[] = ['investigating', 'identified', 'recovering', 'underway'];

/** "notice has not started". */
const futureStates: readonly NoticeState[] = ['scheduled'];

export interface Span {
  state: NoticeState | null;
  beganAt: Date | null;
  endedAt: Date | null;
}

type Effect = 'kept' | 'cleared' | 'now if unset';

/** State entered, what becomes of began_at, what becomes of ended_at. The interface document gives only the rows of a new notice; the rest is ours. */
const effects: Record<NoticeState, readonly [beganAt: Effect, endedAt: Effect]> = {
  investigating: ['now if unset', 'cleared'],
  identified: ['now if unset', 'cleared'],
  recovering: ['now if unset', 'cleared'],
  resolved: ['now if unset', 'now if unset'],
  false_alarm: ['now if unset', 'now if unset'],
  scheduled: ['cleared', 'cleared'],
  underway: ['now if unset', 'cleared'],
  complete: ['now if unset', 'now if unset'],
  cancelled: ['kept', 'now if unset'],
};

const apply: Record<Effect, (time: Date | null, now: Date) => Date | null> = {
  kept: time => time,
  cleared: () => null,
  'now if unset': (time, now) => time ?? now,
};

export function enter(state: NoticeState, span: { beganAt: Date | null; endedAt: Date | null }, now: Date): Span {
  const [beganAt, endedAt] = effects[state];
  return { state, beganAt: apply[beganAt](span.beganAt, now), endedAt: apply[endedAt](span.endedAt, now) };
}

export type TimelineState = 'future' | 'present' | 'past_recent' | 'past_distant';

/** In hours: "7 days" would be an hour more or less across a change of summer time, in a database session with such a zone. */
const recentHours = 7 * 24;

/** "past_recent means closed within the last 7 days": exactly 7 days is still recent. */
export function timelineState(state: NoticeState | null, endedAt: Date | null, now: Date): TimelineState {
  if (state && futureStates.includes(state)) return 'future';
  if (state && presentStates.includes(state)) return 'present';
  if (endedAt && endedAt.getTime() < now.getTime() - recentHours * 3_600_000) return 'past_distant';
  return 'past_recent';
}

/** The same rule for filters and answers that the database writes. A null state (general notices) falls through to the times. */
export function timelineStateSql(column: { state: string; endedAt: string }, now = 'statement_timestamp()'): string {
  return (
    `case when ${oneOf(column.state, futureStates)} then 'future'` +
    ` when ${presentSql(column.state)} then 'present'` +
    ` when ${column.endedAt} < ${now} - interval '${recentHours} hours' then 'past_distant'` +
    ` else 'past_recent' end`
  );
}

export function presentSql(stateColumn: string): string {
  return oneOf(stateColumn, presentStates);
}

/** The states are our own words, never a request's: they may stand in a statement as literals. */
function oneOf(column: string, states: readonly NoticeState[]): string {
  return `${column} in (${states.map(state => `'${state}'`).join(', ')})`;
}
