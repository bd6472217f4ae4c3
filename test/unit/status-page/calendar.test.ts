import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import ICAL from 'ical.js';
import { calendarOf, type PlannedEvent } from '../../../src/notices/icalendar.js';
import { calendar } from '../../../src/status-page/feeds/calendar.js';
import { ago, bodyOf, component, draw, hostileTexts, notice, viewFor } from '../../support/page-views.js';

/** As it arrives, through its bytes: a character that was cut in two would not come whole again. */
function eventsOf(body: string): InstanceType<typeof ICAL.Component>[] {
  return new ICAL.Component(ICAL.parse(Buffer.from(body).toString())).getAllSubcomponents('vevent');
}

const property = (event: InstanceType<typeof ICAL.Component>, name: string) => event.getFirstPropertyValue(name);

const categoriesOf = (event: InstanceType<typeof ICAL.Component>) =>
  event.getAllProperties('categories').flatMap(one => one.getValues());

/** The parser knows no NAME and leaves its text as it stands. */
const nameOf = (object: InstanceType<typeof ICAL.Component>) =>
  String(object.getFirstPropertyValue('name')).replace(/\\([\\;,n])/g, (_, character: string) =>
    character === 'n' ? '\n' : character,
  );

const scheduled = notice(1, 'planned', 'scheduled', {
  subject: 'New disks',
  componentIds: [3, 4],
  updates: ['One quiet night.'],
  updatedAt: ago(0),
});
const view = viewFor({
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
  test('has an event for each maintenance and for nothing else, with how certain it is', async () => {
    const events = eventsOf(await bodyOf(calendar, view));
    expect(events.map(event => [property(event, 'summary'), property(event, 'status')])).toEqual([
      ['Notice 4', 'CONFIRMED'],
      ['Notice 3', 'CANCELLED'],
      ['Notice 2', 'CONFIRMED'],
      ['New disks', 'TENTATIVE'],
    ]);
  });

  test('says of a maintenance its window in UTC, what it is, what it hits and where to read on', async () => {
    const event = eventsOf(await bodyOf(calendar, view)).at(-1)!;
    const said = Object.fromEntries(
      ['uid', 'dtstart', 'dtend', 'dtstamp', 'last-modified', 'created', 'description', 'url'].map(name => [
        name,
        String(property(event, name)),
      ]),
    );
    expect(said).toEqual({
      uid: 'token00000000001@all-clear',
      dtstart: '2026-11-20T15:30:00Z',
      dtend: '2026-11-20T16:30:00Z',
      dtstamp: '2026-11-20T14:30:00Z',
      'last-modified': '2026-11-20T14:30:00Z',
      created: '2026-11-20T14:20:00Z',
      description: 'One quiet night.',
      url: 'https://status.example.com/notices/token00000000001-new-disks',
    });
    expect(categoriesOf(event)).toEqual(['Search, old', 'API']);
  });

  test('a change raises the sequence of an event and keeps its name', async () => {
    const before = eventsOf(await bodyOf(calendar, viewFor({ notices: [{ ...scheduled, version: 7 }] })))[0]!;
    const moved = { ...scheduled, subject: 'Other', path: 'token00000000001-other', version: 8 };
    const after = eventsOf(await bodyOf(calendar, viewFor({ notices: [moved] })))[0]!;
    expect(property(after, 'uid')).toBe(property(before, 'uid'));
    expect([property(before, 'sequence'), property(after, 'sequence')]).toEqual([7, 8]);
  });

  test('gives one maintenance by its token, and asks the database for it', async () => {
    const asked = { path: {}, query: { notice: 'token00000000002' } };
    expect(eventsOf(await bodyOf(calendar, view, asked.query)).map(event => property(event, 'summary'))).toEqual([
      'Notice 2',
    ]);
    expect(calendar.needs!(asked)).toEqual({ token: 'token00000000002' });
    expect(calendar.needs!({ path: {}, query: {} })).toBeNull();
  });

  test.each([
    ['of an incident', 'token00000000005'],
    ['of nothing', 'token00000000099'],
    ['with its slug', 'token00000000001-new-disks'],
    ['that is none', "' or 1=1 --"],
    ['that is empty', ''],
  ])('there is none by a token %s', async (_, token) => {
    expect(await calendar.draw(view, { path: {}, query: { notice: token } })).toBeNull();
  });

  test('says its type and its charset', async () => {
    expect(await draw(calendar, view)).toMatchObject({ type: 'text/calendar; charset=utf-8' });
  });

  test('has a component even when nothing is planned, as the grammar asks', async () => {
    const empty = new ICAL.Component(ICAL.parse(await bodyOf(calendar, viewFor({ page: { name: 'Acme; & co' } }))));
    expect(empty.getAllSubcomponents().map(({ name }) => name)).toEqual(['vtimezone']);
    expect(nameOf(empty)).toBe('Acme; & co: maintenance');
  });
});

describe('whatever the texts hold', () => {
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
  const event = (texts: { subject: string; synopsis: string; components: string[] }): PlannedEvent => ({
    ...{
      token: 'token00000000001',
      state: 'scheduled',
      link: 'https://status.example.com/notices/token00000000001',
      ...texts,
    },
    ...{
      beginsAt: new Date(ago(0)),
      endsAt: new Date(ago(-60)),
      createdAt: new Date(ago(9)),
      updatedAt: new Date(ago(8)),
    },
  });
  /** What is left of a text: everything but what no line may hold. */
  const kept = (text: string) =>
    text
      .toWellFormed()
      .replace(/\r\n|[\r\u0085\u2028\u2029]/g, '\n')
      .replace(/(?![\t\n])\p{Cc}/gu, '');

  test('every line is at most 75 octets, ends in CRLF, and cuts no character', () => {
    fc.assert(
      fc.property(arbitraryText, arbitraryText, (subject, name) => {
        const bytes = Buffer.from(
          calendarOf({ name, events: [event({ subject, synopsis: subject, components: [subject] })] }),
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

  test('a reader finds what was said, and one event', () => {
    fc.assert(
      fc.property(
        arbitraryText,
        arbitraryText,
        fc.array(arbitraryText, { maxLength: 3 }),
        (subject, synopsis, components) => {
          const body = calendarOf({ name: subject, events: [event({ subject, synopsis, components })] });
          const events = eventsOf(body);
          expect(events).toHaveLength(1);
          expect(property(events[0]!, 'summary')).toBe(kept(subject));
          expect(property(events[0]!, 'description') ?? '').toBe(kept(synopsis.trim()));
          expect(categoriesOf(events[0]!)).toEqual(components.map(kept));
          expect(nameOf(new ICAL.Component(ICAL.parse(body)))).toBe(kept(subject));
        },
      ),
    );
  });
});
