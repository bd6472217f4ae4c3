import { RRuleTemporal } from 'rrule-temporal';
import { toText } from 'rrule-temporal/totext';
import { type Problem, problems } from '../../core/problems.js';
import { hasFourDigitYear } from '../../core/timestamp.js';
import { toWallTime } from '../../i18n/local-time.js';
import { findZone } from '../../pages/time-zones.js';
import { checkRuleText, maxCount } from './rule-text.js';
import { toMoment } from './wall-times.js';

/** A window besides those of the rule: an RDATE of RFC 5545, with an end of its own. Times are ISO 8601, in UTC. */
export interface FurtherWindow {
  beginsAt: string;
  endsAt: string;
}

/** When a maintenance repeats, as RFC 5545 says it. */
export interface Schedule {
  /** An RRULE, such as `FREQ=MONTHLY;BYDAY=1TU`. Null: further windows alone. */
  rule: string | null;
  /** The name of a time zone. Its wall time is that of every occurrence. */
  timezoneName: string;
  /** The start of the first occurrence. */
  beginsAt: Date;
  windows?: FurtherWindow[];
  /** Default: skip. */
  onMissingHour?: MissingHour;
}

/** What becomes of an occurrence whose time of day a change to summer time leaves out. */
export const missingHours = {
  skip: 'There is no occurrence on that day, as RFC 5545 says.',
  later: 'It begins later by what the clock is put forward: at 03:30 in place of 02:30.',
};
export type MissingHour = keyof typeof missingHours;

/** The rule of what has further windows only. RFC 5545 has no RDATE without a first occurrence, which is this one. */
const singleOccurrenceRule = 'FREQ=DAILY;COUNT=1';
export const getRule = ({ rule }: Schedule): string => rule ?? singleOccurrenceRule;
const maxWindows = 100;
const dayMs = 24 * 3_600_000;

/** An occurrence becomes a notice when it is one of the next two, and within 30 days. */
const maxPlanned = 2;
const maxLeadMs = 30 * dayMs;

/** Enough for 8 years, and so for the 29th of February; a rule that never matches is refused after them. */
const maxIterations: Record<string, number> = { DAILY: 3000, WEEKLY: 420, MONTHLY: 360, YEARLY: 100 };
/** Why a rule cannot be used; null if it can be. */
export function checkRule(schedule: Schedule): Problem | null {
  const reason = schedule.rule && checkRuleText(schedule.rule);
  // A reason that ends with the wrong part says enough.
  if (reason) return { ...problems.invalid(reason), hidesValue: reason.includes(', not "') };
  try {
    const rule = parseSchedule({ ...schedule, windows: [] });
    const { count = 0 } = rule.options();
    if (count > maxCount) return problems.outOfRange(`must have a COUNT of at most ${maxCount}`);
    // Reads all of them, since a later occurrence is counted from the first one.
    if (count > 0) rule.all();
    return rule.next(schedule.beginsAt, true) ? null : problems.invalid('must have an occurrence');
  } catch {
    return problems.invalid('must be an RRULE of RFC 5545 with an occurrence within 8 years');
  }
}

/** Why further windows cannot be used; null if they can be. */
export function checkWindows({ windows = [], beginsAt }: Schedule): Problem | null {
  if (windows.length > maxWindows) return problems.outOfRange(`must have at most ${maxWindows} windows`);
  const starts = windows.map(window => Date.parse(window.beginsAt));
  const early = starts.findIndex((start, index) => start <= beginsAt.getTime() || starts.indexOf(start) < index);
  if (early >= 0)
    return {
      ...problems.outOfRange('must be after the first window, and another time for each'),
      index: early,
      key: 'beginsAt',
    };
  const endless = windows.findIndex((window, index) => Date.parse(window.endsAt) <= starts[index]!);
  return endless < 0 ? null : { ...problems.beforeStart('`beginsAt`'), index: endless, key: 'endsAt' };
}

/** The end of the occurrence with this start. */
export function findEnd(schedule: Schedule & { endsAt: Date }, start: Date): Date {
  const { windows = [], beginsAt, endsAt } = schedule;
  const further = windows.find(window => Date.parse(window.beginsAt) === start.getTime());
  return further ? new Date(further.endsAt) : new Date(start.getTime() + endsAt.getTime() - beginsAt.getTime());
}

/** How many of the further windows a message names. */
export const maxNamedWindows = 3;

/** The next windows after the one with this start, as many as a message names. */
export const listWindowsAfter = (schedule: Schedule & { endsAt: Date }, start: Date) =>
  listOccurrences(schedule, new Date(start.getTime() + 1), maxNamedWindows).map(beginsAt => ({
    beginsAt,
    endsAt: findEnd(schedule, beginsAt),
  }));

/** The starts of the occurrences after a time, or at it: `count` of them, or fewer if the rule ends before. */
export function listOccurrences(schedule: Schedule, from: Date, count: number): Date[] {
  if (schedule.onMissingHour === 'later') return listWithLaterOnes(schedule, from, count);
  const rule = parseSchedule(schedule);
  return take(previous => rule.next(previous ?? from, previous === null), count);
}

/** By wall times, of which the clock has a moment for each. */
function listWithLaterOnes(schedule: Schedule, from: Date, count: number): Date[] {
  const { windows = [], timezoneName } = schedule;
  const zone = findZone(timezoneName);
  // From a day before: a wall time that is left out is before that of its moment. A rule has one a day at most.
  const earliest = new Date(toWallTime(from, zone).getTime() - dayMs);
  const first = toWallTime(schedule.beginsAt, zone).getTime();
  const starts = listWallTimes(schedule, earliest, count + 2)
    // The first one may begin in the second of an hour that there is twice.
    .map(wallTime => (wallTime.getTime() === first ? schedule.beginsAt : toMoment(wallTime, zone)))
    .filter(start => start >= from && hasFourDigitYear(start));
  const further = windows.map(window => new Date(window.beginsAt)).filter(start => start >= from);
  const times = new Set([...starts, ...further].map(start => start.getTime()));
  return [...times]
    .sort((one, other) => one - other)
    .slice(0, count)
    .map(time => new Date(time));
}

/** The wall times of the rule from one on, with those that the clock leaves out. Without further windows. */
export function listWallTimes(schedule: Schedule, from: Date, count: number): Date[] {
  const zone = findZone(schedule.timezoneName);
  const rule = parseSchedule({
    // A date alone is a day of the clock already.
    rule: getRule(schedule).replace(
      /UNTIL=(\d+T\w+)/,
      (_, until: string) => `UNTIL=${formatStamp(toWallTime(parseUntil(until), zone))}`,
    ),
    timezoneName: 'UTC',
    beginsAt: toWallTime(schedule.beginsAt, zone),
  });
  return take(previous => rule.next(previous ?? from, previous === null), count);
}

type Next = (previous: Date | null) => { epochMilliseconds: number } | null;

function take(findNext: Next, count: number): Date[] {
  const starts: Date[] = [];
  for (let next = findNext(null); next && starts.length < count; next = findNext(starts.at(-1)!)) {
    const start = new Date(next.epochMilliseconds);
    if (!hasFourDigitYear(start)) break;
    starts.push(start);
  }
  return starts;
}

/** In English, such as "Every month on 1st Tuesday at 02:00, Berlin time, until 5 December 2026". */
export function describeSchedule(schedule: Schedule): string {
  const count = schedule.windows?.length ?? 0;
  const further = count && `and in ${count === 1 ? 'one further window' : `${count} further windows`}`;
  return [getRule(schedule) === singleOccurrenceRule ? 'Once' : describeRule(schedule), further]
    .filter(Boolean)
    .join(', ');
}

function describeRule(schedule: Schedule): string {
  const { timezoneName } = schedule;
  const rule = getRule(schedule);
  const text = toText(parseSchedule({ ...schedule, windows: [], rule: rule.replace(/;?UNTIL=[^;]*/, '') }), 'en', {
    excludeTzAbbreviation: true,
  });
  const until = /UNTIL=([^;]*)/.exec(rule)?.[1];
  // The library has 12 hours, seconds where there are some, and no time at midnight.
  const at = toWallTime(schedule.beginsAt, findZone(timezoneName)).toISOString().slice(11, 16);
  const sentence = text.replace(/ at [\d:]+ ?[AP]M\b/i, '').replace(/(?= for \d+ times?$)|$/, ` at ${at}`);
  // A date alone is read as midnight in UTC, which is another day in some zones.
  const timeZone = until?.includes('T') ? findZone(timezoneName) : 'UTC';
  const end = until && parseUntil(until).toLocaleDateString('en-GB', { timeZone, ...date });
  return `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}, ${timezoneName} time${end ? `, until ${end}` : ''}`;
}

/** A date alone is midnight in UTC, so that it has a time. The rule goes on to the end of that day in its zone. */
function parseUntil(until: string): Date {
  const [, year, month, day, hour = '00', minute = '00', second = '00'] =
    /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d)Z)?$/.exec(until)!;
  return new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
}

const formatStamp = (time: Date): string => time.toISOString().replace(/[-:]|\.\d{3}/g, '');

const date = { day: 'numeric', month: 'long', year: 'numeric' } as const;

/**
 * A local time that a change to summer time leaves out has no occurrence on that day, and one that there is twice
 * has the first of both: RFC 5545, 3.3.10 and 3.3.5.
 */
const parseSchedule = (schedule: Schedule) => {
  const { timezoneName, beginsAt, windows = [] } = schedule;
  const rule = getRule(schedule);
  const timeZoneId = findZone(timezoneName);
  const toZoned = (time: string) => ({ timeZoneId, toString: () => `${time}[${timeZoneId}]` });
  return new RRuleTemporal({
    rruleString: rule,
    maxIterations: maxIterations[/FREQ=(\w+)/.exec(rule)![1]!],
    dtstart: toZoned(beginsAt.toISOString()),
    rDate: windows.map(window => toZoned(new Date(window.beginsAt).toISOString())),
  });
};

/** When an occurrence becomes a notice. `planned` are the starts of those before it that are still to begin. */
export function planDueAt(occursAt: Date, planned: readonly Date[]): Date {
  const within = occursAt.getTime() - maxLeadMs;
  const previous = planned.length < maxPlanned ? within : planned.at(-maxPlanned)!.getTime();
  return new Date(Math.max(within, previous));
}

/** The same rule with an end in place of the one that it has. */
export function endRule(schedule: Schedule, until: Date): string {
  const others = getRule(schedule)
    .split(';')
    .filter(part => !/^(COUNT|UNTIL)=/.test(part));
  return [...others, `UNTIL=${formatStamp(until)}`].join(';');
}
