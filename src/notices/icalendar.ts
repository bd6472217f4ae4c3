import type { NoticeState } from './notice.states.js';

/** A planned notice as an entry of a calendar needs it. */
export interface PlannedEvent {
  /** The 16 characters in front of the notice's path. */
  token: string;
  subject: string;
  synopsis: string;
  state: NoticeState | null;
  beginsAt: Date;
  endsAt: Date;
  createdAt?: Date;
  updatedAt: Date;
  /** How often it was written: of a mail and a feed the one with the greater is the newer. */
  version?: number;
  /** The whole address of the notice. */
  link: string;
  /** Names of the components that it names. */
  components: readonly string[];
}

/**
 * An iCalendar object (RFC 5545) with an event for each maintenance. It follows from what it is given and from nothing else, so the same notices give the
 * same bytes, in a feed and attached to a mail alike.
 */
export function calendarOf({ name, events }: { name: string; events: readonly PlannedEvent[] }): string {
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//All Clear//Status page//EN',
    'CALSCALE:GREGORIAN',
    // RFC 7986 has NAME; the programs of old know the other.
    `NAME:${text(name)}`,
    `X-WR-CALNAME:${text(name)}`,
    'REFRESH-INTERVAL;VALUE=DURATION:PT1H',
    'X-PUBLISHED-TTL:PT1H',
    ...(events.length ? events.flatMap(eventLines) : nothing),
    'END:VCALENDAR',
  ];
  return lines.map(line => `${folded(line)}\r\n`).join('');
}

/** The grammar wants one component at least, even when no maintenance is planned; a time zone is one that shows nothing. */
const nothing = [
  ...['BEGIN:VTIMEZONE', 'TZID:Etc/UTC', 'BEGIN:STANDARD', 'DTSTART:19700101T000000'],
  ...['TZOFFSETFROM:+0000', 'TZOFFSETTO:+0000', 'END:STANDARD', 'END:VTIMEZONE'],
];

function eventLines(event: PlannedEvent): string[] {
  return [
    'BEGIN:VEVENT',
    `UID:${text(event.token)}@all-clear`,
    `SEQUENCE:${event.version ?? 0}`,
    // Without a METHOD this is when the event was last revised, not when the file was made.
    `DTSTAMP:${time(event.updatedAt)}`,
    ...(event.createdAt ? [`CREATED:${time(event.createdAt)}`] : []),
    `LAST-MODIFIED:${time(event.updatedAt)}`,
    `DTSTART:${time(event.beginsAt)}`,
    `DTEND:${time(event.endsAt)}`,
    `SUMMARY:${text(event.subject)}`,
    ...(event.synopsis.trim() ? [`DESCRIPTION:${text(event.synopsis.trim())}`] : []),
    // A line each: readers of lists stumble over a name that ends in a backslash.
    ...event.components.map(component => `CATEGORIES:${text(component)}`),
    `URL:${event.link.replace(/[^\x21-\x7e]/g, '')}`,
    `STATUS:${statusOf(event.state)}`,
    // Other people's maintenance makes nobody busy.
    'TRANSP:TRANSPARENT',
    'END:VEVENT',
  ];
}

/** What is announced may still move; what has begun is certain. */
function statusOf(state: NoticeState | null): 'TENTATIVE' | 'CONFIRMED' | 'CANCELLED' {
  if (state === 'cancelled') return 'CANCELLED';
  return state === 'scheduled' ? 'TENTATIVE' : 'CONFIRMED';
}

/** `20261120T140231Z` */
function time(moment: Date): string {
  return `${moment.toISOString().slice(0, 19).replace(/[-:]/g, '')}Z`;
}

/** What a line may not hold. Some readers take U+0085, U+2028 and U+2029 for line ends, so they become ones that are escaped. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is sought
const controls = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g;

function text(value: string): string {
  return value
    .toWellFormed()
    .replace(/\r\n|[\r\u0085\u2028\u2029]/g, '\n')
    .replace(controls, '')
    .replace(/[\\;,]/g, '\\$&')
    .replace(/\n/g, '\\n');
}

const octetsALine = 75;

/** Lines longer than 75 octets go on in the next, which then begins with a blank. No character is cut in two. */
function folded(line: string): string {
  let result = '';
  let octets = 0;
  for (const character of line) {
    const size = Buffer.byteLength(character);
    if (octets + size > octetsALine) {
      result += '\r\n ';
      octets = 1;
    }
    result += character;
    octets += size;
  }
  return result;
}
