import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import ICAL from 'ical.js';
import { renderCalendar, type CalendarEvent } from '../../../../src/notices/icalendar.js';
import { calendar } from '../../../../src/status-page/feeds/calendar.js';
import {
  minutesAgo,
  renderBody,
  component,
  renderRoute,
  hostileTexts,
  notice,
  createView,
} from '../../../support/page-views.js';

/** Parses the body through its bytes, so that a character that folding cut in two would not survive. */
function parseEvents(body: string): InstanceType<typeof ICAL.Component>[] {
  return new ICAL.Component(ICAL.parse(Buffer.from(body).toString())).getAllSubcomponents('vevent');
}

const property = (event: InstanceType<typeof ICAL.Component>, name: string) => event.getFirstPropertyValue(name);

const listCategories = (event: InstanceType<typeof ICAL.Component>) =>
  event.getAllProperties('categories').flatMap(one => one.getValues());

/** The parser does not know the property NAME and leaves its text escaped. */
const readName = (object: InstanceType<typeof ICAL.Component>) =>
  String(object.getFirstPropertyValue('name')).replace(/\\([\\;,n])/g, (_, character: string) =>
    character === 'n' ? '\n' : character,
  );

const scheduled = notice(1, 'planned', 'scheduled', {
  subject: 'New disks',
  componentIds: [3, 4],
  updates: ['One quiet night.'],
  updatedAt: minutesAgo(0),
});
const view = createView({
  components: [component(3, 'Search, old'), component(4, 'API')],
  notices: [
    scheduled,
    notice(2, 'planned', 'underway'),
    notice(3, 'planned', 'cancelled'),
    notice(4, 'planned', 'complete'),
    notice(5, 'unplanned', 'resolved'),
    notice(6, 'general', null),
  ],
});

describe('calendar.ics', () => {
  test('has an event with a status for each planned notice and for no other', async () => {
    const events = parseEvents(await renderBody(calendar, view));
    expect(events.map(event => [property(event, 'summary'), property(event, 'status')])).toEqual([
      ['Notice 4', 'CONFIRMED'],
      ['Cancelled: Notice 3', 'CANCELLED'],
      ['Notice 2', 'CONFIRMED'],
      ['New disks', 'TENTATIVE'],
    ]);
  });

  test('says in the language of the page that a maintenance is cancelled, and is published', async () => {
    const german = createView({ locale: 'de', notices: [notice(3, 'planned', 'cancelled')] });
    const body = await renderBody(calendar, german);
    expect(property(parseEvents(body)[0]!, 'summary')).toBe('Abgesagt: Notice 3');
    expect(body).toContain('\r\nMETHOD:PUBLISH\r\n');
  });

  test('gives each event the window in UTC, description, components and URL of its notice', async () => {
    const event = parseEvents(await renderBody(calendar, view)).at(-1)!;
    const properties = Object.fromEntries(
      ['uid', 'dtstart', 'dtend', 'dtstamp', 'last-modified', 'created', 'description', 'url'].map(name => [
        name,
        String(property(event, name)),
      ]),
    );
    expect(properties).toEqual({
      uid: 'token00000000001@all-clear',
      dtstart: '2026-11-20T15:30:00Z',
      dtend: '2026-11-20T16:30:00Z',
      dtstamp: '2026-11-20T14:30:00Z',
      'last-modified': '2026-11-20T14:30:00Z',
      created: '2026-11-20T14:20:00Z',
      description: 'One quiet night.',
      url: 'https://status.example.com/notices/token00000000001-new-disks',
    });
    expect(listCategories(event)).toEqual(['Search, old', 'API']);
  });

  test('keeps the UID of an event and raises its SEQUENCE when the notice changes', async () => {
    const before = parseEvents(await renderBody(calendar, createView({ notices: [{ ...scheduled, version: 7 }] })))[0]!;
    const changed = { ...scheduled, subject: 'Other', path: 'token00000000001-other', version: 8 };
    const after = parseEvents(await renderBody(calendar, createView({ notices: [changed] })))[0]!;
    expect(property(after, 'uid')).toBe(property(before, 'uid'));
    expect([property(before, 'sequence'), property(after, 'sequence')]).toEqual([7, 8]);
  });

  test('has only the requested notice, and requires one that the snapshot lacks, when a token is given', async () => {
    const parameters = { path: {}, query: { notice: 'token00000000002' } };
    expect(
      parseEvents(await renderBody(calendar, view, parameters.query)).map(event => property(event, 'summary')),
    ).toEqual(['Notice 2']);
    expect(calendar.requiredNotices!(parameters, view)).toBeNull();
    expect(calendar.requiredNotices!(parameters, createView())).toEqual({ token: 'token00000000002' });
    expect(calendar.requiredNotices!({ path: {}, query: {} }, view)).toBeNull();
  });

  test.each([
    ['of an incident', 'token00000000005'],
    ['of no notice', 'token00000000099'],
    ['with its slug', 'token00000000001-new-disks'],
    ['that is malformed', "' or 1=1 --"],
    ['that is empty', ''],
  ])('is not found for a token %s', async (_, token) => {
    expect(await calendar.render(view, { path: {}, query: { notice: token } })).toBeNull();
  });

  test('has its content type with a charset', async () => {
    expect(await renderRoute(calendar, view)).toMatchObject({ type: 'text/calendar; charset=utf-8' });
  });

  test('has a time zone component when there is no event, since RFC 5545 requires a component', async () => {
    const empty = new ICAL.Component(
      ICAL.parse(await renderBody(calendar, createView({ page: { name: 'Acme; & co' } }))),
    );
    expect(empty.getAllSubcomponents().map(({ name }) => name)).toEqual(['vtimezone']);
    expect(readName(empty)).toBe('Acme; & co: maintenance');
  });
});

describe('a calendar with arbitrary texts', () => {
  const arbitraryText = fc.oneof(
    fc.constantFrom(...hostileTexts),
    fc.string({ unit: 'binary', maxLength: 300 }),
    fc.string({
      unit: fc.constantFrom(
        '\r',
        '\n',
        '\\',
        ';',
        ',',
        '"',
        ':',
        ' ',
        '\t',
        '\u2028',
        '\ud83d',
        'é',
        '😀',
        'n',
        'BEGIN:VEVENT',
      ),
    }),
  );
  const cancelled = 'Cancelled';
  const event = (texts: { subject: string; synopsis: string; components: string[] }): CalendarEvent => ({
    token: 'token00000000001',
    state: 'scheduled',
    link: 'https://status.example.com/notices/token00000000001',
    ...texts,
    beginsAt: new Date(minutesAgo(0)),
    endsAt: new Date(minutesAgo(-60)),
    createdAt: new Date(minutesAgo(9)),
    updatedAt: new Date(minutesAgo(8)),
  });
  /** The text without the characters that no content line may contain. */
  const withoutControls = (text: string) =>
    text
      .toWellFormed()
      .replace(/\r\n|[\r\u0085\u2028\u2029]/g, '\n')
      .replace(/(?![\t\n])\p{Cc}/gu, '');

  test('has lines of at most 75 octets that end in CRLF and split no character', () => {
    fc.assert(
      fc.property(arbitraryText, arbitraryText, (subject, name) => {
        const bytes = Buffer.from(
          renderCalendar({ name, cancelled, events: [event({ subject, synopsis: subject, components: [subject] })] }),
        );
        const lines = bytes.toString('latin1').split('\r\n');
        expect(lines.pop()).toBe('');
        for (const line of lines) {
          expect(line.length).toBeLessThanOrEqual(75);
          expect(new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(line, 'latin1'))).not.toMatch(
            /(?!\t)\p{Cc}/u,
          );
        }
      }),
    );
  });

  test('parses back to one event with the same texts', () => {
    fc.assert(
      fc.property(
        arbitraryText,
        arbitraryText,
        fc.array(arbitraryText, { maxLength: 3 }),
        (subject, synopsis, components) => {
          const body = renderCalendar({ name: subject, cancelled, events: [event({ subject, synopsis, components })] });
          const events = parseEvents(body);
          expect(events).toHaveLength(1);
          expect(property(events[0]!, 'summary')).toBe(withoutControls(subject));
          expect(property(events[0]!, 'description') ?? '').toBe(withoutControls(synopsis.trim()));
          expect(listCategories(events[0]!)).toEqual(components.map(withoutControls));
          expect(readName(new ICAL.Component(ICAL.parse(body)))).toBe(withoutControls(subject));
        },
      ),
    );
  });
});
