import { z } from 'zod';
import type { NoticeState } from '../../../notices/notice.states.js';
import { id, isTimeZone, localTime, optionalText, UnusableRow } from '../convert-rows.js';
import { readCron, weekdayNames } from '../cron-rule.js';
import type { ImportedNotice, LeftOut } from '../imported-page.js';
import { type ImportedRecurrence, type RecurringTimes, toSchedule } from '../imported-recurrence.js';
import { readRows } from '../read-rows.js';
import { type ReadOptions, requireTimeZone } from '../source.js';

const numberText = z.union([z.string(), z.number()]).nullish();
/** Lists in JSON. */
const days = { weekdays: z.unknown().optional(), days_of_month: z.unknown().optional() };
const shape = z.object({
  id,
  title: optionalText,
  description: optionalText,
  strategy: z.string(),
  timezone: optionalText,
  active: z.union([z.number(), z.boolean()]),
  start_date: optionalText,
  end_date: optionalText,
  start_time: optionalText,
  end_time: optionalText,
  ...days,
  interval_day: numberText,
  cron: optionalText,
  duration: numberText,
  last_start_date: optionalText,
});
type Maintenance = z.infer<typeof shape>;

interface Context {
  rows: readonly Record<string, unknown>[];
  options: ReadOptions;
  leftOut: LeftOut[];
  findComponents(maintenanceId: string): string[];
}

/** Without its times, a maintenance would be another one. */
const essential = Object.keys(shape.shape).filter(name => !['title', 'description', 'last_start_date'].includes(name));

/** Those with a window of their own. */
export const readMaintenances = ({ rows, options, leftOut, findComponents }: Context): ImportedNotice[] =>
  readRows('notice', leftOut, {
    shape,
    essential,
    rows: rows.filter(({ strategy }) => !isRecurring(strategy)),
    convert: ({ id: maintenanceId, title: subject, description: content, strategy, timezone, active, ...dates }) => {
      if (strategy !== 'single') throw new UnusableRow(`has the strategy ${strategy}, and no window`);
      if (!active) throw new UnusableRow('is paused');
      const zone = chooseZone(timezone, options);
      const [beginsAt, endsAt] = [dates.start_date, dates.end_date].map(date => localTime(zone).parse(date));
      const state: NoticeState =
        beginsAt! > options.now ? 'scheduled' : endsAt! > options.now ? 'underway' : 'complete';
      const postedAt = beginsAt! < options.now ? beginsAt! : options.now;
      const sourceId = `maintenance ${maintenanceId}`;
      return {
        sourceId,
        subject,
        type: 'planned',
        state,
        beginsAt,
        endsAt,
        createdAt: beginsAt,
        beganAt: state === 'scheduled' ? null : beginsAt,
        endedAt: state === 'complete' ? endsAt : null,
        componentIds: findComponents(maintenanceId),
        updates: content?.trim() ? [{ sourceId, content, postedAt, state: 'scheduled' }] : [],
      };
    },
  });

/** Those that repeat. */
export const readRecurrences = ({ rows, options, leftOut, findComponents }: Context): ImportedRecurrence[] =>
  readRows('recurrence', leftOut, {
    shape,
    essential,
    rows: rows.filter(({ strategy }) => isRecurring(strategy)),
    convert: maintenance => {
      const { id: maintenanceId, title, description, active } = maintenance;
      if (!active) throw new UnusableRow('is paused');
      return {
        sourceId: `maintenance ${maintenanceId}`,
        subject: title ?? '',
        content: description?.trim() || null,
        componentIds: findComponents(maintenanceId),
        ...toSchedule(readTimes(maintenance, options), options.now),
      };
    },
  });

const isRecurring = (strategy: unknown) => strategy === 'cron' || String(strategy).startsWith('recurring-');

function chooseZone(timezone: string | null | undefined, options: ReadOptions): string {
  if (!timezone || timezone === 'SAME_AS_SERVER') return requireTimeZone('Uptime Kuma', options);
  if (isTimeZone(timezone)) return timezone;
  throw new UnusableRow(`has the unknown time zone ${JSON.stringify(timezone)}`);
}

function readTimes(maintenance: Maintenance, options: ReadOptions): RecurringTimes {
  const { strategy, start_date, end_date, last_start_date, start_time, end_time, cron, duration } = maintenance;
  const zone = chooseZone(maintenance.timezone, options);
  const until = end_date ? localTime(zone).parse(end_date) : null;
  // A rule of days counts from its first day.
  const from = (start_date ?? last_start_date)?.slice(0, 10) ?? null;
  if (strategy === 'cron') return { ...readCron(cron ?? ''), zone, from, until, durationMs: Number(duration) * 1_000 };
  const [begins, ends] = [start_time, end_time].map(readMinutes);
  if (begins == null || ends == null) throw new UnusableRow(`has the strategy ${strategy} without a time`);
  const at = `${String(Math.floor(begins / 60)).padStart(2, '0')}:${String(begins % 60).padStart(2, '0')}`;
  // One that ends before it begins ends on the next day.
  const minutes = ends > begins ? ends - begins : ends - begins + 24 * 60;
  return { rule: readRule(maintenance), zone, from, until, at, durationMs: minutes * 60_000 };
}

/** In minutes of the day, of `02:00` and `02:00:00`. */
function readMinutes(time: string | null | undefined): number | null {
  const [, hour, minute] = /^([01]?\d|2[0-3]):([0-5]\d)(?::\d\d)?$/.exec(time?.trim() ?? '') ?? [];
  return hour === undefined ? null : Number(hour) * 60 + Number(minute);
}

function readRule({ strategy, interval_day, weekdays, days_of_month }: Maintenance): string {
  const interval = Number(interval_day);
  if (strategy === 'recurring-interval' && interval > 0)
    return interval > 1 ? `FREQ=DAILY;INTERVAL=${interval}` : 'FREQ=DAILY';
  const names = readJsonList(weekdays).flatMap(day => weekdayNames[Number(day)] ?? []);
  if (strategy === 'recurring-weekday' && names.length) return `FREQ=WEEKLY;BYDAY=${[...new Set(names)].join(',')}`;
  // The last day of a month is `lastDay1`.
  const dates = readJsonList(days_of_month).map(day => String(day).replace('lastDay', '-'));
  if (strategy === 'recurring-day-of-month' && dates.length) return `FREQ=MONTHLY;BYMONTHDAY=${dates.join(',')}`;
  throw new UnusableRow(`has the strategy ${strategy} without its days`);
}

function readJsonList(list: unknown): unknown[] {
  try {
    const parsed: unknown = typeof list === 'string' ? JSON.parse(list) : list;
    return Array.isArray(parsed) ? parsed : [];
  } catch {
    return [];
  }
}
