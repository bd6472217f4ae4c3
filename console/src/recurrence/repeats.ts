import type { MissingHour, RecurrenceInput } from '../api/documents.ts';
import { toLocalTime } from '../ui/local-time.ts';

export interface Window {
  beginsAt: string;
  endsAt: string;
}

export const weekdays = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'] as const;
export type Weekday = (typeof weekdays)[number];

/** How a maintenance repeats, as the form has it. */
export interface Repeats {
  choice: 'never' | 'weekly' | 'monthly' | 'monthday' | 'custom';
  /** Every so many weeks or months. */
  interval: string;
  /** Of a week, besides that of the first window. */
  weekdays: Weekday[];
  /** Of IANA. Empty: it does not repeat yet. */
  zone: string;
  /** A custom rule, without its end. */
  rule: string;
  end: 'never' | 'date' | 'count';
  /** As a field `date` has it. */
  until: string;
  count: string;
  /** What becomes of one whose time of day a change to summer time leaves out. */
  missingHour: MissingHour;
  /** Further ones, of any choice. */
  windows: Window[];
}

export const never: Repeats = {
  choice: 'never',
  interval: '1',
  weekdays: [],
  zone: '',
  rule: '',
  end: 'never',
  until: '',
  count: '10',
  missingHour: 'SKIP',
  windows: [],
};
export const dayNames: Record<Weekday, string> = {
  MO: 'Monday',
  TU: 'Tuesday',
  WE: 'Wednesday',
  TH: 'Thursday',
  FR: 'Friday',
  SA: 'Saturday',
  SU: 'Sunday',
};
const ordinals: Record<string, string> = { 1: 'first', 2: 'second', 3: 'third', 4: 'fourth', '-1': 'last' };

/** The weekday of a time in a zone, and which one of its month it is; the fifth is the last. */
export function findWeekday(time: string, zone: string): { day: Weekday; nth: number; date: number } {
  const date = new Date(`${toLocalTime(time, zone || undefined).slice(0, 10)}T00:00Z`);
  const nth = Math.ceil(date.getUTCDate() / 7);
  return { day: weekdays[(date.getUTCDay() + 6) % 7]!, nth: nth > 4 ? -1 : nth, date: date.getUTCDate() };
}

export function describeChoice(choice: Repeats['choice'], beginsAt: string, zone: string): string {
  const { day, nth, date } = findWeekday(beginsAt, zone);
  const labels: Record<Repeats['choice'], string> = {
    never: 'Never',
    weekly: 'Every week',
    monthly: `Every month on the ${ordinals[nth]} ${dayNames[day]}`,
    monthday: `Every month on day ${date}`,
    custom: 'Custom rule (RRULE)',
  };
  return labels[choice];
}

/** The rule without its end. */
export function toRule({ choice, rule, zone, interval, weekdays: chosen }: Repeats, beginsAt: string): string {
  if (choice === 'custom') return rule.trim();
  const { day, nth, date } = findWeekday(beginsAt, zone);
  const every = Number(interval) > 1 ? `;INTERVAL=${Number(interval)}` : '';
  if (choice === 'monthly') return `FREQ=MONTHLY${every};BYDAY=${nth}${day}`;
  if (choice === 'monthday') return `FREQ=MONTHLY${every};BYMONTHDAY=${date}`;
  const days = weekdays.filter(each => each === day || chosen.includes(each));
  return `FREQ=WEEKLY${every}${days.length > 1 ? `;BYDAY=${days.join()}` : ''}`;
}

/** What a rule without its end is in the form. */
function readRule(rule: string): Pick<Repeats, 'choice' | 'interval' | 'weekdays'> {
  const parts = Object.fromEntries(rule.split(';').map(part => part.split('=') as [string, string]));
  const { FREQ, INTERVAL: interval = '1', BYDAY = '', BYMONTHDAY, ...others } = parts;
  const custom = { choice: 'custom' as const, interval, weekdays: [] };
  if (Object.keys(others).length) return custom;
  const days = BYDAY.split(',').filter(Boolean);
  const isWeekday = (day: string): day is Weekday => day in dayNames;
  if (FREQ === 'WEEKLY' && !BYMONTHDAY && days.every(isWeekday)) return { choice: 'weekly', interval, weekdays: days };
  if (FREQ !== 'MONTHLY') return custom;
  if (!BYMONTHDAY && /^([1-4]|-1)[A-Z]{2}$/.test(BYDAY)) return { ...custom, choice: 'monthly' };
  return !BYDAY && /^\d+$/.test(BYMONTHDAY ?? '') ? { ...custom, choice: 'monthday' } : custom;
}

/** Null: it does not repeat. */
export function toRecurrence(
  repeats: Repeats,
  beginsAt: string,
): Pick<RecurrenceInput, 'rule' | 'timezone' | 'windows' | 'onMissingHour'> | null {
  const { choice, zone, end, until, count, windows, missingHour: onMissingHour } = repeats;
  if (choice === 'never') return windows.length ? { rule: null, timezone: null, windows } : null;
  const ends = { never: '', date: until && `;UNTIL=${until.replaceAll('-', '')}`, count: count && `;COUNT=${count}` };
  return { rule: toRule(repeats, beginsAt) + ends[end], timezone: zone || null, windows, onMissingHour };
}

export interface SavedRecurrence {
  rule?: string | null;
  timezone?: string | null;
  windows?: Window[] | null;
  onMissingHour?: MissingHour | null;
}

/** The opposite, of what the form or a program has written. */
export function fromRecurrence(recurrence: SavedRecurrence): Repeats {
  const [{ rule }, zone, windows] = [recurrence, recurrence.timezone ?? '', recurrence.windows ?? []];
  if (rule == null) return { ...never, windows };
  const parts = rule.split(';');
  const find = (name: string) => parts.find(part => part.startsWith(`${name}=`))?.slice(name.length + 1);
  const until = find('UNTIL');
  const count = find('COUNT');
  const own = parts.filter(part => !/^(UNTIL|COUNT)=/.test(part)).join(';');
  return {
    ...readRule(own),
    zone,
    rule: own,
    end: until ? 'date' : count ? 'count' : 'never',
    count: count ?? never.count,
    until: until ? toDate(until, zone) : '',
    missingHour: recurrence.onMissingHour ?? 'SKIP',
    windows,
  };
}

function toDate(until: string, zone: string): string {
  const [, date, time] = /^(.{8})(?:T(.{6})Z)?$/.exec(until) ?? [];
  if (!date) return '';
  const day = `${date.slice(0, 4)}-${date.slice(4, 6)}-${date.slice(6)}`;
  if (!time) return day;
  return toLocalTime(`${day}T${time.slice(0, 2)}:${time.slice(2, 4)}:${time.slice(4)}Z`, zone).slice(0, 10);
}
