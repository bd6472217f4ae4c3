import type { MissingHour, RecurrenceInput } from '../api/documents.ts';
import { toLocalTime } from '../ui/local-time.ts';

export interface Window {
  beginsAt: string;
  endsAt: string;
}

/** How a maintenance repeats, as the form has it. */
export interface Repeats {
  choice: 'never' | 'weekly' | 'monthly' | 'custom';
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
  zone: '',
  rule: '',
  end: 'never',
  until: '',
  count: '10',
  missingHour: 'SKIP',
  windows: [],
};
/** The rule of what has further windows only. */
export const singleOccurrenceRule = 'FREQ=DAILY;COUNT=1';

const weekdays = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA'];
const dayNames = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const ordinals: Record<string, string> = { 1: 'first', 2: 'second', 3: 'third', 4: 'fourth', '-1': 'last' };

/** The weekday of a time in a zone, and which one of its month it is; the fifth is the last. */
function findWeekday(time: string, zone: string): { day: number; nth: number } {
  const date = new Date(`${toLocalTime(time, zone || undefined).slice(0, 10)}T00:00Z`);
  const nth = Math.ceil(date.getUTCDate() / 7);
  return { day: date.getUTCDay(), nth: nth > 4 ? -1 : nth };
}

export function describeChoice(choice: Repeats['choice'], beginsAt: string, zone: string): string {
  const { day, nth } = findWeekday(beginsAt, zone);
  const labels: Record<Repeats['choice'], string> = {
    never: 'Never',
    weekly: `Every week on ${dayNames[day]}`,
    monthly: `Every month on the ${ordinals[nth]} ${dayNames[day]}`,
    custom: 'Custom rule',
  };
  return labels[choice];
}

/** The rule without its end. */
export function toRule({ choice, rule, zone }: Repeats, beginsAt: string): string {
  if (choice === 'custom') return rule.trim();
  const { day, nth } = findWeekday(beginsAt, zone);
  return choice === 'weekly' ? 'FREQ=WEEKLY' : `FREQ=MONTHLY;BYDAY=${nth}${weekdays[day]}`;
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
  if (rule == null || rule === singleOccurrenceRule) return { ...never, windows };
  const parts = rule.split(';');
  const find = (name: string) => parts.find(part => part.startsWith(`${name}=`))?.slice(name.length + 1);
  const until = find('UNTIL');
  const count = find('COUNT');
  const own = parts.filter(part => !/^(UNTIL|COUNT)=/.test(part)).join(';');
  const choice =
    own === 'FREQ=WEEKLY' ? 'weekly' : /^FREQ=MONTHLY;BYDAY=([1-4]|-1)[A-Z]{2}$/.test(own) ? 'monthly' : 'custom';
  return {
    choice,
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
