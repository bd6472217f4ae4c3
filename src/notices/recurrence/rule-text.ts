/** The text of an RRULE: how it is read, and why it is refused. */

/** All of them are computed where the last one is needed: a tenth of a second. */
export const maxCount = 366;

const number = '-?([1-9]|[12]\\d|3[01])';
const weekdays = '(MO|TU|WE|TH|FR|SA|SU)';
const listOf = (item: string) => new RegExp(`^${item}(,${item}){0,30}$`);

/** The parts of a rule, and what they may be. The time of day is that of the first occurrence, so no part sets it. */
const parts: Record<string, { form: RegExp; words: string }> = {
  FREQ: { form: /^(DAILY|WEEKLY|MONTHLY|YEARLY)$/, words: 'DAILY, WEEKLY, MONTHLY or YEARLY' },
  INTERVAL: { form: /^[1-9]\d{0,2}$/, words: 'a number from 1 to 999' },
  COUNT: { form: /^[1-9]\d{0,3}$/, words: `a number from 1 to ${maxCount}` },
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
    .map(part => part.trim().toUpperCase())
    .join(';');

/** Why the text of a rule cannot be used; it names the part. */
export function checkRuleText(rule: string): string | null {
  const names = new Set<string>();
  if (/(^|;)FREQ=(SECONDLY|MINUTELY|HOURLY)(;|$)/.test(rule) && /(^|;)COUNT=1(;|$)/.test(rule))
    return 'must be left out: with COUNT=1 it is one window, the first one';
  for (const part of rule.split(';')) {
    const [, name = '', value = ''] = /^([^=]*)(?:=(.*))?$/s.exec(part)!;
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
