import { tagOf } from '../../i18n/dates.js';
import type { Locale } from '../../i18n/locales.js';
import { type LocalTime, localTime } from './local-time.js';
import { abbreviationOf } from './tz-abbreviations.js';

interface Asked extends LocalTime {
  zone: string;
  locale: Locale;
  /** Whether the format names a day of the month: many languages have another form of the month's name beside one. */
  hasDay: boolean;
  /** `%::z` */
  colons: number;
  width: number;
}

/** What a directive says, and how it is filled up unless told otherwise. */
type Directive = [say: (asked: Asked) => string | number, width?: number, fill?: ' ' | '0'];

const twelve = (hours: number) => hours % 12 || 12;
const hours = ({ wall }: Asked) => wall.getUTCHours();
const day = ({ wall }: Asked) => wall.getUTCDate();
const year = ({ wall }: Asked) => wall.getUTCFullYear();
const seconds = ({ moment }: Asked) => Math.floor(moment.getTime() / 1000);
const dayOfYear = ({ wall }: Asked) =>
  Math.floor((wall.getTime() - Date.UTC(wall.getUTCFullYear(), 0, 1)) / 86_400_000);
const weekOfYear = (asked: Asked, firstDay: number) =>
  Math.floor((dayOfYear(asked) + 7 - ((asked.wall.getUTCDay() + 7 - firstDay) % 7)) / 7);

/** The week of ISO 8601 belongs to the year of its Thursday. */
function isoWeek({ wall }: Asked): { year: number; week: number } {
  const thursday = new Date(wall.getTime() + (4 - (wall.getUTCDay() || 7)) * 86_400_000);
  return {
    year: thursday.getUTCFullYear(),
    week: Math.floor((thursday.getTime() - Date.UTC(thursday.getUTCFullYear(), 0, 1)) / 604_800_000) + 1,
  };
}

function offset({ offsetInMinutes, colons }: Asked): string {
  const size = Math.abs(offsetInMinutes);
  const parts = [Math.floor(size / 60), size % 60, 0]
    .slice(0, colons > 1 ? 3 : 2)
    .map(part => String(part).padStart(2, '0'));
  return `${offsetInMinutes < 0 ? '-' : '+'}${parts.join(colons ? ':' : '')}`;
}

const names = new Map<string, Intl.DateTimeFormat>();

function nameOf(asked: Asked, field: 'month' | 'weekday', length: 'long' | 'short'): string {
  const { locale, wall, hasDay } = asked;
  const withDay = field === 'month' && hasDay;
  const key = `${locale} ${field} ${length} ${withDay}`;
  let format = names.get(key);
  if (!format) {
    format = new Intl.DateTimeFormat(`${tagOf(locale)}-u-ca-gregory`, {
      timeZone: 'UTC',
      [field]: length,
      ...(withDay && { day: 'numeric' }),
    });
    names.set(key, format);
  }
  // Alone it is all that is said: 11月 is a number and a sign to Intl.
  const name = withDay ? format.formatToParts(wall).find(({ type }) => type === field)!.value : format.format(wall);
  // Some languages write a number beside a day: 11月20日.
  return withDay && /^\d+$/.test(name) ? nameOf({ ...asked, hasDay: false }, field, length) : name;
}

const directives: Record<string, Directive> = {
  Y: [year, 4],
  C: [asked => Math.floor(year(asked) / 100), 2],
  y: [asked => ((year(asked) % 100) + 100) % 100, 2],
  m: [({ wall }) => wall.getUTCMonth() + 1, 2],
  B: [asked => nameOf(asked, 'month', 'long'), 0, ' '],
  b: [asked => nameOf(asked, 'month', 'short'), 0, ' '],
  h: [asked => nameOf(asked, 'month', 'short'), 0, ' '],
  d: [day, 2],
  e: [day, 2, ' '],
  j: [asked => dayOfYear(asked) + 1, 3],
  H: [hours, 2],
  k: [hours, 2, ' '],
  I: [asked => twelve(hours(asked)), 2],
  l: [asked => twelve(hours(asked)), 2, ' '],
  M: [({ wall }) => wall.getUTCMinutes(), 2],
  S: [({ wall }) => wall.getUTCSeconds(), 2],
  L: [({ wall, width }) => fraction(wall, width || 3)],
  N: [({ wall, width }) => fraction(wall, width || 9)],
  p: [asked => (hours(asked) < 12 ? 'AM' : 'PM'), 0, ' '],
  P: [asked => (hours(asked) < 12 ? 'am' : 'pm'), 0, ' '],
  z: [offset],
  Z: [({ zone, offsetInMinutes }) => abbreviationOf(zone, offsetInMinutes), 0, ' '],
  A: [asked => nameOf(asked, 'weekday', 'long'), 0, ' '],
  a: [asked => nameOf(asked, 'weekday', 'short'), 0, ' '],
  u: [({ wall }) => wall.getUTCDay() || 7],
  w: [({ wall }) => wall.getUTCDay()],
  G: [asked => isoWeek(asked).year, 4],
  g: [asked => isoWeek(asked).year % 100, 2],
  V: [asked => isoWeek(asked).week, 2],
  U: [asked => weekOfYear(asked, 0), 2],
  W: [asked => weekOfYear(asked, 1), 2],
  s: [seconds],
  n: [() => '\n'],
  t: [() => '\t'],
  '%': [() => '%'],
};

const fraction = (wall: Date, digits: number) =>
  String(wall.getUTCMilliseconds()).padStart(3, '0').padEnd(digits, '0').slice(0, digits);

/** Directives that stand for several. */
const longForms: Record<string, string> = {
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

/** Ruby's directives, in a zone and a language. What it does not know it leaves as it stands. */
export function strftime(moment: Date, format: string, { zone, locale }: { zone: string; locale: Locale }): string {
  const whole = format.replace(/%([%cDFvxXTRr+])/g, (_, letter: string) => longForms[letter]!);
  const local = { ...localTime(moment, zone), zone, locale, hasDay: /%[-0_^#]*\d*[de]/.test(whole) };
  return whole.replace(pattern, (written, flags: string, digits: string, colons: string, letter: string) => {
    const directive = Object.hasOwn(directives, letter) ? directives[letter] : undefined;
    if (!directive || (colons && letter !== 'z')) return written;
    const [say, usualWidth = 0, usualFill = '0'] = directive;
    const text = cased(String(say({ ...local, colons: colons.length, width: Number(digits) })), flags);
    const fill = flags.includes('_') ? ' ' : flags.includes('0') ? '0' : usualFill;
    return flags.includes('-') ? text : text.padStart(Number(digits) || usualWidth, fill);
  });
}

function cased(text: string, flags: string): string {
  if (flags.includes('^')) return text.toUpperCase();
  if (!flags.includes('#')) return text;
  return text === text.toUpperCase() ? text.toLowerCase() : text.toUpperCase();
}
