import { toWallTime } from '../../i18n/local-time.js';
import { findZone } from '../../pages/time-zones.js';
import { getRule, listOccurrences, listWallTimes, type Schedule } from './recurrence.rules.js';
import { haveSameOffset, listTransitions, toMoment, type Transition } from './wall-times.js';

/** What a change of the clock does to an occurrence. */
export const clockChangeEffects = {
  left_out: 'There is no occurrence: the clock leaves out the time at which it would begin.',
  later: 'It begins later, for the same reason.',
  other_end: 'It ends at another time of day than the others, since it lasts as long as they do.',
};

export interface ClockChange {
  /** Its day by the clock of the zone: `2027-03-28`. */
  date: string;
  effect: keyof typeof clockChangeEffects;
  /** In English. */
  description: string;
}

/** The rule lasts as long as from the first start to this end. */
type EndingSchedule = Schedule & { endsAt?: Date | null };

const months = 13;
/** More than one where occurrences overlap. */
const maxPerTransition = 10;

/** What changes of the clock do to the occurrences of a rule in the 13 months after a time, in their order. */
export function listClockChanges(schedule: EndingSchedule, from: Date): ClockChange[] {
  const zone = findZone(schedule.timezoneName);
  const to = new Date(from);
  to.setUTCMonth(to.getUTCMonth() + months);
  return listTransitions(zone, from, to)
    .flatMap(transition => [
      ...listMissing(schedule, transition, zone),
      ...listOtherEnds(schedule, transition, zone).filter(({ start }) => start >= from),
    ])
    .sort((one, other) => one.start.getTime() - other.start.getTime())
    .map(({ start, effect, words }) => {
      const wallTime = toWallTime(start, zone);
      const day = wallTime.toLocaleDateString('en-GB', { ...dayFormat, timeZone: 'UTC' });
      return { date: wallTime.toISOString().slice(0, 10), effect, description: `${day}: ${words}` };
    });
}

const dayFormat = { day: 'numeric', month: 'long', year: 'numeric' } as const;

interface Found {
  start: Date;
  effect: ClockChange['effect'];
  words: string;
}

/** Occurrences that would begin in the wall times that the clock leaves out. */
function listMissing(schedule: Schedule, { at, before, after }: Transition, zone: string): Found[] {
  const first = at.getTime() + before;
  const last = at.getTime() + after;
  const isLater = schedule.onMissingHour === 'later';
  // An occurrence that is left out does not count.
  const rule = isLater ? schedule.rule : getRule(schedule).replace(/;?COUNT=\d+/, '');
  return listWallTimes({ ...schedule, rule }, new Date(first), maxPerTransition)
    .filter(wallTime => wallTime.getTime() < last && (isLater || hasLater(schedule, at)))
    .map(wallTime => {
      const start = toMoment(wallTime, zone);
      const because = `since the clock goes forward and ${formatClock(wallTime)} does not exist`;
      return isLater
        ? { start, effect: 'later', words: `begins at ${formatClock(toWallTime(start, zone))}, ${because}` }
        : { start, effect: 'left_out', words: `no window, ${because}` };
    });
}

/** Whether the rule goes on after a time: an occurrence that is left out at its end is none of those that COUNT has. */
const hasLater = (schedule: Schedule, time: Date): boolean =>
  !/COUNT=/.test(getRule(schedule)) || listOccurrences({ ...schedule, windows: [] }, time, 1).length > 0;

/** Occurrences that go on while the clock changes; further windows have ends of their own. */
function listOtherEnds(
  { endsAt, ...schedule }: EndingSchedule,
  { at, before, after }: Transition,
  zone: string,
): Found[] {
  if (!endsAt) return [];
  const durationMs = endsAt.getTime() - schedule.beginsAt.getTime();
  const change = after > before ? 'forward' : 'back';
  return listOccurrences({ ...schedule, windows: [] }, new Date(at.getTime() - durationMs), maxPerTransition)
    .map(start => ({ start, end: new Date(start.getTime() + durationMs) }))
    .filter(({ start, end }) => start < at && !haveSameOffset(start, end, zone))
    .map(({ start, end }) => {
      const clock = formatClock(toWallTime(end, zone));
      return { start, effect: 'other_end', words: `ends at ${clock}, since the clock goes ${change}` };
    });
}

/** `02:30` */
const formatClock = (wallTime: Date): string => wallTime.toISOString().slice(11, 16);
