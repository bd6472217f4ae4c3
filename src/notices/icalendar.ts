import type { NoticeState } from './notice.states.js';

/** The fields of a planned notice that a calendar event needs. */
export interface CalendarEvent {
  /** The first 16 characters of the notice's path, which never change. */
  token: string;
  subject: string;
  synopsis: string;
  /** A sentence; absent or empty where no update is due. */
  nextUpdate?: string;
  state: NoticeState | null;
  beginsAt: Date;
  endsAt: Date;
  createdAt?: Date;
  updatedAt: Date;
  /** The version of the notice: of two copies, in a mail and a feed, the higher one is the newer. */
  version?: number;
  /** The absolute URL of the notice. */
  link: string;
  /** The names of the components that the notice names. */
  components: readonly string[];
}

interface Calendar {
  name: string;
  /** `Cancelled` in the language of the page: Google, for one, shows no STATUS. */
  cancelled: string;
  events: readonly CalendarEvent[];
}

/** An iCalendar object (RFC 5545) with an event for each maintenance, the same in a feed and in a mail attachment. */
export function renderCalendar({ name, cancelled, events }: Calendar): string {
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//All Clear//Status page//EN',
    'CALSCALE:GREGORIAN',
    // Nobody is invited. The type of an attachment names it, too.
    'METHOD:PUBLISH',
    // NAME is RFC 7986; older clients know only X-WR-CALNAME.
    `NAME:${escapeText(name)}`,
    `X-WR-CALNAME:${escapeText(name)}`,
    'REFRESH-INTERVAL;VALUE=DURATION:PT1H',
    'X-PUBLISHED-TTL:PT1H',
    ...(events.length ? events.flatMap(event => renderEvent(event, cancelled)) : placeholderTimeZone),
    'END:VCALENDAR',
  ];
  return lines.map(line => `${foldLine(line)}\r\n`).join('');
}

/** RFC 5545 requires at least one component, and a time zone is the one that clients do not show. */
const placeholderTimeZone = [
  'BEGIN:VTIMEZONE',
  'TZID:Etc/UTC',
  'BEGIN:STANDARD',
  'DTSTART:19700101T000000',
  'TZOFFSETFROM:+0000',
  'TZOFFSETTO:+0000',
  'END:STANDARD',
  'END:VTIMEZONE',
];

function renderEvent(event: CalendarEvent, cancelled: string): string[] {
  const description = [event.synopsis.trim(), event.nextUpdate].filter(Boolean).join('\n\n');
  return [
    'BEGIN:VEVENT',
    `UID:${escapeText(event.token)}@all-clear`,
    `SEQUENCE:${event.version ?? 0}`,
    // The time of the last change, not of the rendering: the same event has the same bytes.
    `DTSTAMP:${formatUtcTime(event.updatedAt)}`,
    ...(event.createdAt ? [`CREATED:${formatUtcTime(event.createdAt)}`] : []),
    `LAST-MODIFIED:${formatUtcTime(event.updatedAt)}`,
    `DTSTART:${formatUtcTime(event.beginsAt)}`,
    `DTEND:${formatUtcTime(event.endsAt)}`,
    `SUMMARY:${escapeText(event.state === 'cancelled' ? `${cancelled}: ${event.subject}` : event.subject)}`,
    ...(description ? [`DESCRIPTION:${escapeText(description)}`] : []),
    // One line for each name: parsers of comma-separated lists fail on a name that ends in a backslash.
    ...event.components.map(component => `CATEGORIES:${escapeText(component)}`),
    `URL:${event.link.replace(/[^\x21-\x7e]/g, '')}`,
    `STATUS:${toEventStatus(event.state)}`,
    // The maintenance of a service does not make its subscribers busy.
    'TRANSP:TRANSPARENT',
    'END:VEVENT',
  ];
}

/** A scheduled maintenance may still move; one that has started is confirmed. */
function toEventStatus(state: NoticeState | null): 'TENTATIVE' | 'CONFIRMED' | 'CANCELLED' {
  if (state === 'cancelled') return 'CANCELLED';
  return state === 'scheduled' ? 'TENTATIVE' : 'CONFIRMED';
}

/** `20261120T140231Z` */
function formatUtcTime(moment: Date): string {
  return `${moment.toISOString().slice(0, 19).replace(/[-:]/g, '')}Z`;
}

/** Control characters that a line must not contain. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the expression matches control characters on purpose
const controlCharacters = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g;

/** Some parsers treat U+0085, U+2028 and U+2029 as line ends, so they become escaped newlines. */
function escapeText(value: string): string {
  return value
    .toWellFormed()
    .replace(/\r\n|[\r\u0085\u2028\u2029]/g, '\n')
    .replace(controlCharacters, '')
    .replace(/[\\;,]/g, '\\$&')
    .replace(/\n/g, '\\n');
}

const maxLineOctets = 75;

/** Folds lines longer than 75 octets: a continuation starts with a space, and no character is split. */
function foldLine(line: string): string {
  let result = '';
  let octets = 0;
  for (const character of line) {
    const size = Buffer.byteLength(character);
    if (octets + size > maxLineOctets) {
      result += '\r\n ';
      octets = 1;
    }
    result += character;
    octets += size;
  }
  return result;
}
