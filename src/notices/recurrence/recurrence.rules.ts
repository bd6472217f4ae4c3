import { RRuleTemporal } from 'rrule-temporal';
import { toText } from 'rrule-temporal/totext';
import { type Problem, problems } from '../../core/problems.js';
import { hasFourDigitYear } from '../../core/timestamp.js';
import { findZone } from '../../pages/time-zones.js';

/** A window besides those of the rule: an RDATE of RFC 5545, with an end of its own. Times are ISO 8601, in UTC. */
export interface FurtherWindow {
  beginsAt: string;
  endsAt: string;
}

/** When a maintenance repeats, as RFC 5545 says it. */
export interface Schedule {
  /** An RRULE, such as `FREQ=MONTHLY;BYDAY=1TU`. */
  rule: string;
  /** The name of a time zone. Its wall time is that of every occurrence. */
  timezone: string;
  /** The start of the first occurrence. */
  beginsAt: Date;
  windows?: FurtherWindow[];
}

/** The rule of what has further windows only. RFC 5545 has no RDATE without a first occurrence, which is this one. */
export const singleOccurrenceRule = 'FREQ=DAILY;COUNT=1';
const maximumWindows = 100;

/** An occurrence becomes a notice when it is one of the next two, and within 30 days. */
const maximumPlanned = 2;
const maximumLeadMs = 30 * 24 * 3_600_000;

/** Enough for 8 years, and so for the 29th of February; a rule that never matches is refused after them. */
const maxIterations: Record<string, number> = { DAILY: 3000, WEEKLY: 420, MONTHLY: 360, YEARLY: 100 };
/** All of them are computed where the last one is needed: a tenth of a second. */
const maximumCount = 366;

const number = '-?([1-9]|[12]\\d|3[01])';
const weekdays = '(MO|TU|WE|TH|FR|SA|SU)';
const listOf = (item: string) => new RegExp(`^${item}(,${item}){0,30}$`);

/** The parts of a rule, and what they may be. The time of day is that of the first occurrence, so no part sets it. */
const parts: Record<string, { form: RegExp; words: string }> = {
  FREQ: { form: /^(DAILY|WEEKLY|MONTHLY|YEARLY)$/, words: 'DAILY, WEEKLY, MONTHLY or YEARLY' },
  INTERVAL: { form: /^[1-9]\d{0,2}$/, words: 'a number from 1 to 999' },
  COUNT: { form: /^[1-9]\d{0,3}$/, words: `a number from 1 to ${maximumCount}` },
  UNTIL: {
    form: /^\d{8}(T\d{6}Z)?$/,
    words: 'a date such as 20271231, or a time in UTC such as 20271231T230000Z',
  },
  BYDAY: { form: listOf(`([+-]?[1-5])?${weekdays}`), words: 'days such as MO,WE or 1TU or -1FR' },
  BYMONTH: { form: listOf('([1-9]|1[0-2])'), words: 'months from 1 to 12' },
  BYMONTHDAY: { form: listOf(number), words: 'days from 1 to 31, or from -1 to -31' },
  BYSETPOS: { form: listOf(number), words: 'positions from 1 to 31, or from -1 to -31' },
  WKST: { form: new RegExp(`^${weekdays}$`), words: 'a day such as MO' },
};

/** In capitals and without `RRULE:`, as RFC 5545 reads it: calendars and people write it in other ways, too. */
export const normalizeRule = (rule: string): string =>
  rule
    .trim()
    .replace(/^RRULE:/i, '')
    .replace(/;$/, '')
    .split(';')
    .map(part => part.replace(/^[ \t]+|[ \t]+$/g, '').toUpperCase())
    .join(';');

/** Why the text of a rule cannot be used; it names the part. */
function checkParts(rule: string): string | null {
  const names = new Set<string>();
  if (/(^|;)FREQ=(SECONDLY|MINUTELY|HOURLY)(;|$)/.test(rule) && /(^|;)COUNT=1(;|$)/.test(rule))
    return 'must be left out: with COUNT=1 it is one window, the first one';
  for (const part of rule.split(';')) {
    const [, name = '', value = ''] = /^([^=]*)=?(.*)$/s.exec(part)!;
    const given = JSON.stringify(part.slice(0, 60));
    if (/^BY(HOUR|MINUTE|SECOND)$/.test(name))
      return `must be an RRULE without ${name}: the time of day is that of the first window`;
    if (/^(DTSTART|RDATE|EXDATE|EXRULE|DTEND)/.test(name))
      return `must be an RRULE alone, without ${name.slice(0, 7)}: the first window says when it begins`;
    if (!Object.hasOwn(parts, name))
      return `must be an RRULE of ${Object.keys(parts).join(', ')}, such as FREQ=MONTHLY;BYDAY=1TU, not ${given}`;
    if (!parts[name]!.form.test(value)) return `must be an RRULE whose ${name} is ${parts[name]!.words}, not ${given}`;
    if (names.has(name)) return `must be an RRULE with ${name} once`;
    names.add(name);
  }
  if (!names.has('FREQ')) return `must be an RRULE with FREQ: ${parts.FREQ!.words}`;
  return names.has('COUNT') && names.has('UNTIL') ? 'must be an RRULE with COUNT or UNTIL, not both' : null;
}

/** Why a rule cannot be used; null if it can be. */
export function checkRule(schedule: Schedule): Problem | null {
  const reason = checkParts(schedule.rule);
  if (reason) return problems.invalid(reason);
  try {
    const rule = parseSchedule({ ...schedule, windows: [] });
    const { count = 0 } = rule.options();
    if (count > maximumCount) return problems.outOfRange(`must have a COUNT of at most ${maximumCount}`);
    // Reads all of them, since a later occurrence is counted from the first one.
    if (count > 0) rule.all();
    return rule.next(schedule.beginsAt, true) ? null : problems.invalid('must have an occurrence');
  } catch {
    return problems.invalid('must be an RRULE of RFC 5545 with an occurrence within 8 years');
  }
}

/** Why further windows cannot be used; null if they can be. */
export function checkWindows({ windows = [], beginsAt }: Schedule): Problem | null {
  if (windows.length > maximumWindows) return problems.outOfRange(`must have at most ${maximumWindows} windows`);
  const starts = windows.map(window => Date.parse(window.beginsAt));
  const early = starts.findIndex((start, index) => start <= beginsAt.getTime() || starts.indexOf(start) < index);
  if (early >= 0)
    return {
      ...problems.outOfRange('must be after the first window, and another time for each'),
      ...{ index: early, key: 'beginsAt' },
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

/** The starts of the occurrences after a time, or at it: `count` of them, or fewer if the rule ends before. */
export function listOccurrences(schedule: Schedule, from: Date, count: number): Date[] {
  const rule = parseSchedule(schedule);
  const starts: Date[] = [];
  for (let next = rule.next(from, true); next && starts.length < count; next = rule.next(starts.at(-1))) {
    const start = new Date(next.epochMilliseconds);
    if (!hasFourDigitYear(start)) break;
    starts.push(start);
  }
  return starts;
}

/** In English, such as "Every month on 1st Tuesday at 2 AM, Berlin time, until 5 December 2026". */
export function describeSchedule(schedule: Schedule): string {
  const count = schedule.windows?.length ?? 0;
  const further = count && `and in ${count === 1 ? 'one further window' : `${count} further windows`}`;
  return [schedule.rule === singleOccurrenceRule ? 'Once' : describeRule(schedule), further].filter(Boolean).join(', ');
}

function describeRule(schedule: Schedule): string {
  const { rule, timezone } = schedule;
  const text = toText(parseSchedule({ ...schedule, windows: [], rule: rule.replace(/;?UNTIL=[^;]*/, '') }), 'en', {
    excludeTzAbbreviation: true,
  });
  const [, year, month, day, time] = /UNTIL=(\d{4})(\d\d)(\d\d)(?:T(\d{6}))?/.exec(rule) ?? [];
  const clock = time ? time.replace(/(..)(?=.)/g, '$1:') : '00:00:00';
  // The library reads a date alone as midnight in UTC, which is another day in some zones.
  const timeZone = time ? findZone(timezone) : 'UTC';
  const until =
    year && new Date(`${year}-${month}-${day}T${clock}Z`).toLocaleDateString('en-GB', { timeZone, ...date });
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}, ${timezone} time${until ? `, until ${until}` : ''}`;
}

const date = { day: 'numeric', month: 'long', year: 'numeric' } as const;

/**
 * A local time that a change to summer time leaves out has no occurrence on that day, and one that there is twice
 * has the first of both: RFC 5545, 3.3.10 and 3.3.5.
 */
const parseSchedule = ({ rule, timezone, beginsAt, windows = [] }: Schedule) => {
  const timeZoneId = findZone(timezone);
  const toZoned = (time: string) => ({ timeZoneId, toString: () => `${time}[${timeZoneId}]` });
  return new RRuleTemporal({
    ...{ rruleString: rule, maxIterations: maxIterations[/FREQ=(\w+)/.exec(rule)![1]!] },
    ...{
      dtstart: toZoned(beginsAt.toISOString()),
      rDate: windows.map(window => toZoned(new Date(window.beginsAt).toISOString())),
    },
  });
};

/** When an occurrence becomes a notice. `planned` are the starts of those before it that are still to begin. */
export function planDueAt(occursAt: Date, planned: readonly Date[]): Date {
  const within = occursAt.getTime() - maximumLeadMs;
  const previous = planned.length < maximumPlanned ? within : planned.at(-maximumPlanned)!.getTime();
  return new Date(Math.max(within, previous));
}

/** The same rule with an end in place of the one that it has. */
export function endRule(rule: string, until: Date): string {
  const others = rule.split(';').filter(part => !/^(COUNT|UNTIL)=/.test(part));
  const stamp = until.toISOString().replace(/[-:]|\.\d{3}/g, '');
  return [...others, `UNTIL=${stamp}`].join(';');
}
