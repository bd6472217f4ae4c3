import { toIntlLocale } from '../../i18n/dates.js';
import type { Locale } from '../../i18n/locales.js';
import { type LocalTime, toLocalTime } from './local-time.js';
import { getZoneAbbreviation } from './tz-abbreviations.js';

interface DirectiveInput extends LocalTime {
  zone: string;
  locale: Locale;
  /** The format contains a day of the month: in many languages the month's name has another form then. */
  hasDay: boolean;
  /** `%::z` */
  colons: number;
  width: number;
}

/** The value of a directive, and its default padding. */
type Directive = [format: (input: DirectiveInput) => string | number, width?: number, fill?: ' ' | '0'];

const toTwelveHours = (hours: number) => hours % 12 || 12;
const hours = ({ wall }: DirectiveInput) => wall.getUTCHours();
const day = ({ wall }: DirectiveInput) => wall.getUTCDate();
const year = ({ wall }: DirectiveInput) => wall.getUTCFullYear();
const seconds = ({ instant }: DirectiveInput) => Math.floor(instant.getTime() / 1000);
const dayOfYear = ({ wall }: DirectiveInput) =>
  Math.floor((wall.getTime() - Date.UTC(wall.getUTCFullYear(), 0, 1)) / 86_400_000);
const weekOfYear = (input: DirectiveInput, firstDay: number) =>
  Math.floor((dayOfYear(input) + 7 - ((input.wall.getUTCDay() + 7 - firstDay) % 7)) / 7);

/** The week of ISO 8601 belongs to the year of its Thursday. */
function isoWeek({ wall }: DirectiveInput): { year: number; week: number } {
  const thursday = new Date(wall.getTime() + (4 - (wall.getUTCDay() || 7)) * 86_400_000);
  return {
    year: thursday.getUTCFullYear(),
    week: Math.floor((thursday.getTime() - Date.UTC(thursday.getUTCFullYear(), 0, 1)) / 604_800_000) + 1,
  };
}

function formatOffset({ offsetInMinutes, colons }: DirectiveInput): string {
  const size = Math.abs(offsetInMinutes);
  const parts = [Math.floor(size / 60), size % 60, 0]
    .slice(0, colons > 1 ? 3 : 2)
    .map(part => String(part).padStart(2, '0'));
  return `${offsetInMinutes < 0 ? '-' : '+'}${parts.join(colons ? ':' : '')}`;
}

const nameFormats = new Map<string, Intl.DateTimeFormat>();

function formatName(input: DirectiveInput, field: 'month' | 'weekday', length: 'long' | 'short'): string {
  const { locale, wall, hasDay } = input;
  const withDay = field === 'month' && hasDay;
  const key = `${locale} ${field} ${length} ${withDay}`;
  let format = nameFormats.get(key);
  if (!format) {
    format = new Intl.DateTimeFormat(`${toIntlLocale(locale)}-u-ca-gregory`, {
      timeZone: 'UTC',
      [field]: length,
      ...(withDay && { day: 'numeric' }),
    });
    nameFormats.set(key, format);
  }
  // The whole text for a name alone: for Intl, 11月 is a number and a literal.
  const name = withDay ? format.formatToParts(wall).find(({ type }) => type === field)!.value : format.format(wall);
  // Some languages write a number beside a day: 11月20日.
  return withDay && /^\d+$/.test(name) ? formatName({ ...input, hasDay: false }, field, length) : name;
}

const directives: Record<string, Directive> = {
  Y: [year, 4],
  C: [input => Math.floor(year(input) / 100), 2],
  y: [input => ((year(input) % 100) + 100) % 100, 2],
  m: [({ wall }) => wall.getUTCMonth() + 1, 2],
  B: [input => formatName(input, 'month', 'long'), 0, ' '],
  b: [input => formatName(input, 'month', 'short'), 0, ' '],
  h: [input => formatName(input, 'month', 'short'), 0, ' '],
  d: [day, 2],
  e: [day, 2, ' '],
  j: [input => dayOfYear(input) + 1, 3],
  H: [hours, 2],
  k: [hours, 2, ' '],
  I: [input => toTwelveHours(hours(input)), 2],
  l: [input => toTwelveHours(hours(input)), 2, ' '],
  M: [({ wall }) => wall.getUTCMinutes(), 2],
  S: [({ wall }) => wall.getUTCSeconds(), 2],
  L: [({ wall, width }) => formatFraction(wall, width || 3)],
  N: [({ wall, width }) => formatFraction(wall, width || 9)],
  p: [input => (hours(input) < 12 ? 'AM' : 'PM'), 0, ' '],
  P: [input => (hours(input) < 12 ? 'am' : 'pm'), 0, ' '],
  z: [formatOffset],
  Z: [({ zone, offsetInMinutes }) => getZoneAbbreviation(zone, offsetInMinutes), 0, ' '],
  A: [input => formatName(input, 'weekday', 'long'), 0, ' '],
  a: [input => formatName(input, 'weekday', 'short'), 0, ' '],
  u: [({ wall }) => wall.getUTCDay() || 7],
  w: [({ wall }) => wall.getUTCDay()],
  G: [input => isoWeek(input).year, 4],
  g: [input => isoWeek(input).year % 100, 2],
  V: [input => isoWeek(input).week, 2],
  U: [input => weekOfYear(input, 0), 2],
  W: [input => weekOfYear(input, 1), 2],
  s: [seconds],
  n: [() => '\n'],
  t: [() => '\t'],
  '%': [() => '%'],
};

const formatFraction = (wall: Date, digits: number) =>
  String(wall.getUTCMilliseconds()).padStart(3, '0').padEnd(digits, '0').slice(0, digits);

/** Directives that stand for a combination of others. */
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
  '+': '%a %b %e %H:%M:%S %Z %Y',
};

const pattern = /%([-0^#_]*)(\d{0,3})(:{0,3})([A-Za-z%+])/g;

/** Formats with Ruby's directives, in a zone and a language. Unknown directives are left unchanged. */
export function strftime(instant: Date, format: string, { zone, locale }: { zone: string; locale: Locale }): string {
  const expanded = format.replace(/%([%cDFvxXTRr+])/g, (_, letter: string) => compositeDirectives[letter]!);
  const local = { ...toLocalTime(instant, zone), zone, locale, hasDay: /%[-0_^#]*\d*[de]/.test(expanded) };
  return expanded.replace(pattern, (match, flags: string, digits: string, colons: string, letter: string) => {
    const directive = Object.hasOwn(directives, letter) ? directives[letter] : undefined;
    if (!directive || (colons && letter !== 'z')) return match;
    const [formatDirective, defaultWidth = 0, defaultFill = '0'] = directive;
    const text = applyCase(String(formatDirective({ ...local, colons: colons.length, width: Number(digits) })), flags);
    const fill = flags.includes('_') ? ' ' : flags.includes('0') ? '0' : defaultFill;
    return flags.includes('-') ? text : text.padStart(Number(digits) || defaultWidth, fill);
  });
}

function applyCase(text: string, flags: string): string {
  if (flags.includes('^')) return text.toUpperCase();
  if (!flags.includes('#')) return text;
  return text === text.toUpperCase() ? text.toLowerCase() : text.toUpperCase();
}
