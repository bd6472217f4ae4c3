import { toIntlLocale } from '../../i18n/dates.js';
import type { Locale } from '../../i18n/locales.js';
import { getOffsetMinutes, toWallTime } from '../../i18n/local-time.js';
import { getZoneAbbreviation } from './tz-abbreviations.js';

/** Directives of Ruby that liquidjs lacks or formats for the process's own locale, in terms of others. */
const compositeDirectives: Record<string, string> = {
  '%': '%%',
  c: '%a %b %e %H:%M:%S %Y',
  D: '%m/%d/%y',
  F: '%Y-%m-%d',
  v: '%e-%^b-%Y',
  x: '%m/%d/%y',
  X: '%H:%M:%S',
  T: '%H:%M:%S',
  R: '%H:%M',
  r: '%I:%M:%S %p',
  '::z': '%:z:00',
  '+': '%a %b %e %H:%M:%S %Z %Y',
};

/**
 * Prepares a format with Ruby's directives for the `date` filter of liquidjs: replaces those that it lacks (weeks of
 * ISO 8601, abbreviations of zones) and the names of days and months. An engine of liquidjs has one locale, and the
 * form of a month depends on a day beside it in many languages.
 */
export function completeDateFormat(format: string, instant: Date, zone: string, locale: Locale): string {
  const expanded = format.replace(/%(::z|[%cDFvxXTRr+])/g, (_, name: string) => compositeDirectives[name]!);
  const wall = toWallTime(instant, zone);
  const hasDay = /%[-_^#\d]*[de]/.test(expanded);
  const formatMonth = (month: 'long' | 'short') =>
    hasDay ? formatMonthOfDay(wall, locale, month) : getFormat(locale, { month }).format(wall);
  const values: Record<string, () => [value: string, width?: number]> = {
    A: () => [getFormat(locale, { weekday: 'long' }).format(wall)],
    a: () => [getFormat(locale, { weekday: 'short' }).format(wall)],
    B: () => [formatMonth('long')],
    b: () => [formatMonth('short')],
    h: () => [formatMonth('short')],
    Z: () => [getZoneAbbreviation(zone, getOffsetMinutes(instant, zone))],
    G: () => [String(getIsoWeek(wall).year), 4],
    g: () => [String(getIsoWeek(wall).year % 100), 2],
    V: () => [String(getIsoWeek(wall).week), 2],
  };
  return expanded.replace(
    /%%|%([-_0^#]*)(\d{0,3})([AaBbhZGgV])/g,
    (match, flags: string, digits: string, name: string) => {
      if (match === '%%') return match;
      const [value, width = 0] = values[name]!();
      const fill = flags.includes('0') || (width && !flags.includes('_')) ? '0' : ' ';
      return changeCase(value, flags).padStart(flags.includes('-') ? 0 : Number(digits) || width, fill);
    },
  );
}

function changeCase(text: string, flags: string): string {
  const upper = text.toUpperCase();
  if (flags.includes('^')) return upper;
  if (!flags.includes('#')) return text;
  return text === upper ? text.toLowerCase() : upper;
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** Creating a formatter is expensive. */
function getFormat(locale: Locale, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${locale} ${JSON.stringify(options)}`;
  const format =
    formats.get(key) ??
    new Intl.DateTimeFormat(`${toIntlLocale(locale)}-u-ca-gregory`, { timeZone: 'UTC', ...options });
  formats.set(key, format);
  return format;
}

/** The form beside a day of the month; some languages write a number there: 11月20日. */
function formatMonthOfDay(wall: Date, locale: Locale, month: 'long' | 'short'): string {
  const parts = getFormat(locale, { month, day: 'numeric' }).formatToParts(wall);
  const name = parts.find(({ type }) => type === 'month')!.value;
  return /^\d+$/.test(name) ? getFormat(locale, { month }).format(wall) : name;
}

/** The week of ISO 8601 belongs to the year of its Thursday. */
function getIsoWeek(wall: Date): { year: number; week: number } {
  const thursday = new Date(wall.getTime() + (4 - (wall.getUTCDay() || 7)) * 86_400_000);
  const year = thursday.getUTCFullYear();
  return { year, week: Math.floor((thursday.getTime() - Date.UTC(year, 0, 1)) / 604_800_000) + 1 };
}
