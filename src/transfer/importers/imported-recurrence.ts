import { z } from 'zod';
import { describeProblem, showValue } from '../../core/problems.js';
import { getOffsetMinutes } from '../../i18n/local-time.js';
import { maxContentLength } from '../../notices/notice-text.rules.js';
import { checkRule, listOccurrences, type Schedule } from '../../notices/recurrence/recurrence.rules.js';
import { findTimeZoneName } from '../../pages/time-zone-names.js';
import { localTime, UnusableRow } from './convert-rows.js';

/** A maintenance that repeats. */
export const importedRecurrence = z.object({
  sourceId: z.string().max(255),
  subject: z.string().trim().min(1, 'is blank').max(255),
  content: z.string().max(maxContentLength).nullable(),
  schedule: z.custom<Schedule>(),
  endsAt: z.date(),
  componentIds: z.array(z.string()),
  /** What the source says of its times: the first occurrence here may depend on when it was imported. */
  times: z.string(),
});
export type ImportedRecurrence = z.infer<typeof importedRecurrence>;

export interface RecurringTimes {
  rule: string;
  /** In the tz database. */
  zone: string;
  /** The local date from which the rule counts, `2026-01-05`; null: from now on. */
  from: string | null;
  /** The local time at which each begins, `02:00`. */
  at: string;
  durationMs: number;
  /** When the last one can begin; null: it has no end. */
  until: Date | null;
}

/** The schedule of what a source says, of which there is something to come. */
export function toSchedule(
  { rule, zone, from, at, durationMs, until }: RecurringTimes,
  now: Date,
): Pick<ImportedRecurrence, 'schedule' | 'endsAt' | 'times'> {
  const timezoneName = findTimeZoneName(zone);
  if (!timezoneName) throw new UnusableRow(`has the unknown time zone ${JSON.stringify(zone)}`);
  if (!(durationMs > 0)) throw new UnusableRow('has no window');
  const today = new Date(now.getTime() + getOffsetMinutes(now, zone) * 60_000).toISOString().slice(0, 10);
  const earliest = localTime(zone).parse(`${from ?? today} ${at}`);
  const end = until && `;UNTIL=${until.toISOString().replace(/[-:]|\.\d{3}/g, '')}`;
  const schedule: Schedule = {
    rule: `${rule}${end ?? ''}`,
    timezoneName,
    beginsAt: earliest,
    windows: [],
    // Schedulers of other products do so.
    onMissingHour: 'later',
  };
  const problem = checkRule(schedule);
  if (problem && until && until <= now) throw new UnusableRow('is over');
  if (problem) throw new UnusableRow(`repeats in another way: ${describeProblem('rule', showValue(rule), problem)}`);
  if (!listOccurrences(schedule, now, 1).length) throw new UnusableRow('is over');
  const beginsAt = listOccurrences(schedule, earliest, 1)[0]!;
  return {
    schedule: { ...schedule, beginsAt },
    endsAt: new Date(beginsAt.getTime() + durationMs),
    times: [from, at, durationMs].join(' '),
  };
}
