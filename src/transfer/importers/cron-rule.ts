import { UnusableRow } from './convert-rows.js';

const aliases: Readonly<Record<string, string>> = {
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@weekly': '0 0 * * 0',
  '@monthly': '0 0 1 * *',
  '@yearly': '0 0 1 1 *',
  '@annually': '0 0 1 1 *',
};
export const weekdayNames = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA'];
const days = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
const months = ['', 'jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/** The RRULE of a cron expression, and its time of day, such as `22:00`. Libraries list the times of either alone. */
export function readCron(cron: string): { rule: string; at: string } {
  const refuse = (reason: string) =>
    new UnusableRow(`repeats as the cron expression ${JSON.stringify(cron)}: ${reason}`);
  const text = cron.trim().toLowerCase();
  const fields = (aliases[text] ?? text).split(/\s+/);
  // The first of six are the seconds.
  const [minute = '', hour = '', day = '', month = '', weekday = ''] = fields.length === 6 ? fields.slice(1) : fields;
  if (fields.length < 5 || fields.length > 6) throw refuse('it has not five fields');
  if (!/^\d{1,2}$/.test(minute) || !/^\d{1,2}$/.test(hour) || +minute > 59 || +hour > 23)
    throw refuse('it begins more than once a day');
  const monthList = readField(month, 1, 12, months);
  const dayRule = readDays(day);
  const weekdayRule = readWeekdays(weekday);
  if (monthList === null || dayRule === null || weekdayRule === null) throw refuse('it is not known');
  if (dayRule && weekdayRule) throw refuse('it is for a day of the month or of the week');
  const byMonth = monthList.length < 12 ? `;BYMONTH=${monthList.join(',')}` : '';
  const rule = weekdayRule || dayRule || 'FREQ=DAILY';
  return { rule: rule + byMonth, at: `${hour.padStart(2, '0')}:${minute.padStart(2, '0')}` };
}

/** '': each day. Null: it cannot be read. */
function readDays(field: string): string | null {
  if (field === 'l') return 'FREQ=MONTHLY;BYMONTHDAY=-1';
  const list = readField(field, 1, 31, []);
  return list && (list.length < 31 ? `FREQ=MONTHLY;BYMONTHDAY=${list.join(',')}` : '');
}

function readWeekdays(field: string): string | null {
  const parts = field.split(',').map(part => /^(\w+?)(?:#([1-5])|(l))$/.exec(part));
  if (parts.every(part => part !== null)) {
    // The second Tuesday, or the last Friday, of a month.
    const dated = parts.map(([, name, nth, last]) => {
      const [day] = readField(name!, 0, 7, days) ?? [];
      return day === undefined ? null : `${last ? -1 : nth}${weekdayNames[day % 7]}`;
    });
    return dated.includes(null) ? null : `FREQ=MONTHLY;BYDAY=${dated.join(',')}`;
  }
  const list = readField(field, 0, 7, days);
  const names = list && [...new Set(list.map(day => weekdayNames[day % 7]!))];
  return names && (names.length < 7 ? `FREQ=WEEKLY;BYDAY=${names.join(',')}` : '');
}

/** The numbers of a field, such as `1-5`, a step of two and `mon,wed`. Null: it cannot be read. */
function readField(field: string, from: number, to: number, names: readonly string[]): number[] | null {
  const toNumber = (text: string) => (/^\d{1,2}$/.test(text) ? Number(text) : names.indexOf(text));
  const numbers = field.split(',').flatMap(part => {
    const [, range = '', step] = /^([^/]+)(?:\/(\d{1,2}))?$/.exec(part) ?? [];
    const isAll = range === '*' || range === '?';
    const [first, last = step ? to : undefined] = isAll ? [from, to] : range.split('-').map(toNumber);
    const end = last ?? first!;
    if (first === undefined || first < from || end > to || end < first || step === '0') return [Number.NaN];
    return Array.from(
      { length: Math.floor((end - first) / Number(step ?? 1)) + 1 },
      (_, i) => first + i * Number(step ?? 1),
    );
  });
  return numbers.some(Number.isNaN) ? null : [...new Set(numbers)].toSorted((one, other) => one - other);
}
