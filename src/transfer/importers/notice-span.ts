import { closedStates, isOpen, type NoticeState, type NoticeType } from '../../notices/notice.states.js';

interface SpanSource {
  type: NoticeType;
  state: NoticeState | null;
  createdAt: Date;
  /** What the source says itself. */
  began?: Date | null;
  ended?: Date | null;
  /** The states that its updates gave it. */
  moments: readonly { state: NoticeState | null | undefined; at: Date }[];
}

/** When a notice began and ended: as the source says, or else as its updates do. */
export function findSpan({ type, state, createdAt, began, ended, moments }: SpanSource) {
  const times = moments.map(({ at }) => at);
  const firstWith = (wanted: NoticeState | null) =>
    findEarliest(moments.flatMap(m => (m.state === wanted ? m.at : [])));
  if (type === 'general') {
    const at = began ?? findEarliest(times) ?? createdAt;
    return { beganAt: at, endedAt: at };
  }
  const begin = type === 'planned' ? (firstWith('underway') ?? began) : findEarliest([...times, began ?? createdAt]);
  const end = isOpen(state)
    ? null
    : (ended ?? firstWith(closedStates[type]) ?? findLatest(times) ?? begin ?? createdAt);
  if (state === 'scheduled') return { beganAt: null, endedAt: null };
  return { beganAt: begin && end && begin > end ? end : (begin ?? createdAt), endedAt: end };
}

const findEarliest = (times: readonly Date[]): Date | undefined =>
  times.toSorted((one, other) => one.getTime() - other.getTime())[0];
const findLatest = (times: readonly Date[]): Date | undefined =>
  times.toSorted((one, other) => other.getTime() - one.getTime())[0];
