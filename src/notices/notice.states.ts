export type NoticeType = 'unplanned' | 'planned' | 'general';
/** What an update is: an entry of the timeline, or the one text about a notice that is over. */
export type UpdateKind = 'update' | 'postmortem';
export const noticeTypes: NoticeType[] = ['unplanned', 'planned', 'general'];

export const unplannedStates = ['investigating', 'identified', 'recovering', 'resolved', 'false_alarm'] as const;
export const plannedStates = ['scheduled', 'cancelled', 'underway', 'complete'] as const;

export type UnplannedState = (typeof unplannedStates)[number];
export type PlannedState = (typeof plannedStates)[number];
export type NoticeState = UnplannedState | PlannedState;

/** Any state of a type can follow any other of that type. Other values are refused. */
export const statesByType: Record<NoticeType, readonly NoticeState[]> = {
  unplanned: unplannedStates,
  planned: plannedStates,
  general: [],
};

/** The states that a notice can move to: all of its type but its own. */
export const nextStatesSql = (column: { type: string; state: string }): string => {
  const branches = noticeTypes.map(type => {
    const states = statesByType[type].map(state => `'${state}'`).join(', ');
    return `when '${type}' then array_remove(array[${states}]::text[], ${column.state})`;
  });
  return `case ${column.type} ${branches.join(' ')} end`;
};

export const initialStates: Record<NoticeType, NoticeState | null> = {
  unplanned: 'investigating',
  planned: 'scheduled',
  general: null,
};

/** The state into which the event `close` moves an open notice of a type. */
export const closedStates: Record<NoticeType, NoticeState | null> = {
  unplanned: 'resolved',
  planned: 'complete',
  general: null,
};

/** "notice is ongoing": the states that degrade components and the page. */
export const presentStates: readonly NoticeState[] = ['investigating', 'identified', 'recovering', 'underway'];

export const isPresent = (state: NoticeState | null | undefined): boolean =>
  state !== null && state !== undefined && presentStates.includes(state);

/** "notice has not started". */
const futureStates: readonly NoticeState[] = ['scheduled'];

/** Neither over nor without states. */
export const isOpen = (state: NoticeState | null): boolean =>
  state !== null && (futureStates.includes(state) || presentStates.includes(state));

interface Span {
  state: NoticeState | null;
  beganAt: Date | null;
  endedAt: Date | null;
}

type TimeEffect = 'keep' | 'clear' | 'set if unset';

/** What entering a state does to began_at and ended_at. The reference of /v1 defines it for new notices only. */
const timeEffects: Record<NoticeState, readonly [beganAt: TimeEffect, endedAt: TimeEffect]> = {
  investigating: ['set if unset', 'clear'],
  identified: ['set if unset', 'clear'],
  recovering: ['set if unset', 'clear'],
  resolved: ['set if unset', 'set if unset'],
  false_alarm: ['set if unset', 'set if unset'],
  scheduled: ['clear', 'clear'],
  underway: ['set if unset', 'clear'],
  complete: ['set if unset', 'set if unset'],
  cancelled: ['keep', 'set if unset'],
};

const applyTimeEffect: Record<TimeEffect, (time: Date | null, now: Date) => Date | null> = {
  keep: time => time,
  clear: () => null,
  'set if unset': (time, now) => time ?? now,
};

export function enterState(state: NoticeState, span: { beganAt: Date | null; endedAt: Date | null }, now: Date): Span {
  const [beganAt, endedAt] = timeEffects[state];
  return {
    state,
    beganAt: applyTimeEffect[beganAt](span.beganAt, now),
    endedAt: applyTimeEffect[endedAt](span.endedAt, now),
  };
}

export type TimelineState = 'future' | 'present' | 'past_recent' | 'past_distant';

/** In hours, since an interval of 7 days can be an hour off when summer time starts or ends in the session's zone. */
const recentHours = 7 * 24;
const recentInterval = `interval '${recentHours} hours'`;

/** "past_recent means closed within the last 7 days": exactly 7 days ago is still recent. */
export function computeTimelineState(state: NoticeState | null, endedAt: Date | null, now: Date): TimelineState {
  if (state && futureStates.includes(state)) return 'future';
  if (isPresent(state)) return 'present';
  if (endedAt && endedAt.getTime() < now.getTime() - recentHours * 3_600_000) return 'past_distant';
  return 'past_recent';
}

/** The same rule in SQL. With a null state (general notices) the end decides. */
export function timelineStateSql(column: { state: string; endedAt: string }, now = 'statement_timestamp()'): string {
  return (
    `case when ${inListSql(column.state, futureStates)} then 'future'` +
    ` when ${presentSql(column.state)} then 'present'` +
    ` when ${column.endedAt} < ${now} - ${recentInterval} then 'past_distant'` +
    ` else 'past_recent' end`
  );
}

/** The same rule as a condition for each of its values: partial indexes serve these, and not the expression. */
export function timelineStateConditions(column: { state: string; endedAt: string }): Record<TimelineState, string> {
  const isOver = `(${column.state} is null or not ${openSql(column.state)})`;
  const recentBegin = `statement_timestamp() - ${recentInterval}`;
  return {
    future: inListSql(column.state, futureStates),
    present: presentSql(column.state),
    past_recent: `${isOver} and (${column.endedAt} is null or ${column.endedAt} >= ${recentBegin})`,
    past_distant: `${isOver} and ${column.endedAt} < ${recentBegin}`,
  };
}

export function presentSql(stateColumn: string): string {
  return inListSql(stateColumn, presentStates);
}

/** `isOpen` in SQL. */
export const openSql = (stateColumn: string): string => inListSql(stateColumn, [...futureStates, ...presentStates]);

/** Safe as literals: the states are constants, never values of a request. */
function inListSql(column: string, states: readonly NoticeState[]): string {
  return `${column} in (${states.map(state => `'${state}'`).join(', ')})`;
}

/** SQL: whether callers without a token see a notice: not if it is of the distant past. */
export function isOpenToAllSql(column: { state: string; endedAt: string }): string {
  const { future, present, past_recent } = timelineStateConditions(column);
  return `(${future} or ${present} or ${past_recent})`;
}
