import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { schedule, type Window, type WindowInput } from '../../../src/notices/notice.schedule.js';

const at = (instant: string) => new Date(instant);
const window = (beginsAt: string, endsAt: string): { window: Window } => ({
  window: { beginsAt: at(beginsAt), endsAt: at(endsAt) },
});
const current: Window = { beginsAt: at('2026-03-14T22:00:00.000Z'), endsAt: at('2026-03-14T23:30:00.000Z') };

const blank = ["can't be blank"];
const invalid = ['is invalid'];

describe('a new window', () => {
  test('is made of date, time and duration, in UTC', () => {
    expect(schedule({ beginsAtDate: '2026-03-14', beginsAtTime: '22:00:05', durationInMinutes: 90 })).toEqual(
      window('2026-03-14T22:00:05.000Z', '2026-03-14T23:30:05.000Z'),
    );
  });

  test('takes hours and minutes as a time', () => {
    expect(schedule({ beginsAtDate: '2026-03-14', beginsAtTime: '22:00', durationInMinutes: 90 })).toEqual({
      window: current,
    });
  });

  test('may run over midnight', () => {
    expect(schedule({ beginsAtDate: '2026-12-31', beginsAtTime: '23:30', durationInMinutes: 60 })).toEqual(
      window('2026-12-31T23:30:00Z', '2027-01-01T00:30:00Z'),
    );
  });

  test('may be given as two instants', () => {
    expect(schedule({ beginsAt: current.beginsAt, endsAt: current.endsAt })).toEqual({ window: current });
  });

  test('keeps the milliseconds of instants', () => {
    const given = { beginsAt: at('2026-03-14T22:00:00.123Z'), endsAt: at('2026-03-14T22:00:00.124Z') };
    expect(schedule(given)).toEqual({ window: given });
  });

  test('may mix an instant with a duration, or date and time with an end', () => {
    expect(schedule({ beginsAt: current.beginsAt, durationInMinutes: 90 })).toEqual({ window: current });
    expect(schedule({ beginsAtDate: '2026-03-14', beginsAtTime: '22:00', endsAt: current.endsAt })).toEqual({
      window: current,
    });
  });

  test('follows date and time rather than begins_at, and the duration rather than ends_at', () => {
    expect(
      schedule({
        beginsAt: at('2020-01-01'),
        endsAt: at('2020-01-02'),
        beginsAtDate: '2026-03-14',
        beginsAtTime: '22:00',
        durationInMinutes: 90,
      }),
    ).toEqual({ window: current });
  });

  test('takes the other part from begins_at when only a date or only a time is given', () => {
    expect(
      schedule({ beginsAt: at('2020-01-01T22:00:00Z'), beginsAtDate: '2026-03-14', durationInMinutes: 90 }),
    ).toEqual({ window: current });
    expect(schedule({ beginsAt: at('2026-03-14T01:00:00Z'), beginsAtTime: '22:00', durationInMinutes: 90 })).toEqual({
      window: current,
    });
  });

  test.each<[string, WindowInput, object]>([
    ['nothing at all', {}, { beginsAtDate: blank, beginsAtTime: blank, durationInMinutes: blank }],
    [
      'blanks only',
      { beginsAtDate: '', beginsAtTime: ' ', durationInMinutes: null, beginsAt: null, endsAt: null },
      { beginsAtDate: blank, beginsAtTime: blank, durationInMinutes: blank },
    ],
    ['no time', { beginsAtDate: '2026-03-14', durationInMinutes: 90 }, { beginsAtTime: blank }],
    ['no date', { beginsAtTime: '22:00', durationInMinutes: 90 }, { beginsAtDate: blank }],
    ['no duration', { beginsAtDate: '2026-03-14', beginsAtTime: '22:00' }, { durationInMinutes: blank }],
    ['a begin only', { beginsAt: current.beginsAt }, { durationInMinutes: blank }],
    ['an end only', { endsAt: current.endsAt }, { beginsAtDate: blank, beginsAtTime: blank }],
    ['a duration only', { durationInMinutes: 90 }, { beginsAtDate: blank, beginsAtTime: blank }],
  ])('of %s says what is missing', (_what, input, problems) => expect(schedule(input)).toEqual({ problems }));

  test('says all that is wrong at once', () => {
    expect(schedule({ beginsAtDate: 'soon', beginsAtTime: '25:00', durationInMinutes: 0 })).toEqual({
      problems: { beginsAtDate: invalid, beginsAtTime: invalid, durationInMinutes: ['must be greater than 0'] },
    });
  });
});

describe('a date is invalid as', () => {
  test.each([
    '2026-02-30',
    '2026-02-29',
    '2026-13-01',
    '2026-00-10',
    '2026-01-00',
    '0000-01-01',
    '10000-01-01',
    '26-01-01',
    '14.03.2026',
    '2026-3-14',
    '2026-03-14T22:00',
    '-2026-01-01',
    '２026-01-01',
  ])('%s', beginsAtDate =>
    expect(schedule({ beginsAtDate, beginsAtTime: '22:00', durationInMinutes: 90 })).toEqual({
      problems: { beginsAtDate: invalid },
    }),
  );

  test('but not as the first and a leap day', () => {
    expect(schedule({ beginsAtDate: '0001-01-01', beginsAtTime: '00:00', durationInMinutes: 1 })).toEqual(
      window('0001-01-01T00:00:00Z', '0001-01-01T00:01:00Z'),
    );
    expect(schedule({ beginsAtDate: '2024-02-29', beginsAtTime: '00:00', durationInMinutes: 1 })).toEqual(
      window('2024-02-29T00:00:00Z', '2024-02-29T00:01:00Z'),
    );
  });
});

describe('a time is invalid as', () => {
  test.each([
    '24:00',
    '25:00',
    '22:60',
    '22:00:60',
    '22',
    '2:00',
    '10pm',
    '22:00Z',
    '22:00+01:00',
    '22:00:00.5',
    '-1:00',
    '22-00',
  ])('%s', beginsAtTime =>
    expect(schedule({ beginsAtDate: '2026-03-14', beginsAtTime, durationInMinutes: 90 })).toEqual({
      problems: { beginsAtTime: invalid },
    }),
  );
});

describe('a duration', () => {
  test.each<[number, string]>([
    [0, 'must be greater than 0'],
    [-5, 'must be greater than 0'],
    [1.5, 'must be an integer'],
    [Number.NaN, 'is not a number'],
    [Number.POSITIVE_INFINITY, 'is not a number'],
    [2 ** 53, 'is invalid'],
    [1e300, 'is invalid'],
  ])('of %d %s', (durationInMinutes, message) => {
    expect(schedule({ beginsAtDate: '2026-03-14', beginsAtTime: '22:00', durationInMinutes })).toEqual({
      problems: { durationInMinutes: [message] },
    });
    expect(schedule({ durationInMinutes }, current)).toEqual({ problems: { durationInMinutes: [message] } });
  });

  test('ends with the year 9999 and not a minute later', () => {
    const eve = { beginsAtDate: '9999-12-31', beginsAtTime: '23:58' };
    expect(schedule({ ...eve, durationInMinutes: 1 })).toEqual(window('9999-12-31T23:58:00Z', '9999-12-31T23:59:00Z'));
    expect(schedule({ ...eve, durationInMinutes: 2 })).toEqual({ problems: { durationInMinutes: invalid } });
  });
});

describe('an end', () => {
  test.each(['2026-03-14T22:00:00.000Z', '2026-03-14T21:59:59.999Z'])('at %s is not after the begin', endsAt => {
    expect(schedule({ beginsAt: current.beginsAt, endsAt: at(endsAt) })).toEqual({ problems: { endsAt: invalid } });
    expect(schedule({ endsAt: at(endsAt) }, current)).toEqual({ problems: { endsAt: invalid } });
  });

  test('or a begin that is no date, or has a year of five digits, is invalid', () => {
    expect(schedule({ beginsAt: at('x'), endsAt: current.endsAt })).toEqual({ problems: { beginsAt: invalid } });
    expect(schedule({ beginsAt: current.beginsAt, endsAt: at('x') })).toEqual({ problems: { endsAt: invalid } });
    expect(schedule({ beginsAt: current.beginsAt, endsAt: at('+010000-01-01T00:00:00Z') })).toEqual({
      problems: { endsAt: invalid },
    });
  });
});

describe('a window that is there', () => {
  test.each<[string, WindowInput]>([
    ['nothing', {}],
    ['blanks', { beginsAt: null, endsAt: null, beginsAtDate: ' ', beginsAtTime: '', durationInMinutes: null }],
    ['the instants that a read shows', { beginsAt: at('2026-03-14T22:00:00Z'), endsAt: at('2026-03-14T23:30:00Z') }],
    [
      'the same date, time and duration',
      { beginsAtDate: '2026-03-14', beginsAtTime: '22:00:00', durationInMinutes: 90 },
    ],
    ['the same date', { beginsAtDate: '2026-03-14' }],
    ['the same time', { beginsAtTime: '22:00' }],
  ])('stays as it is when given %s', (_what, input) => expect(schedule(input, current)).toEqual({ window: current }));

  test('moves as a whole with a new begin', () => {
    expect(schedule({ beginsAtDate: '2026-03-15' }, current)).toEqual(
      window('2026-03-15T22:00:00Z', '2026-03-15T23:30:00Z'),
    );
    expect(schedule({ beginsAtTime: '23:00' }, current)).toEqual(
      window('2026-03-14T23:00:00Z', '2026-03-15T00:30:00Z'),
    );
    expect(schedule({ beginsAt: at('2026-03-20T01:00:00Z') }, current)).toEqual(
      window('2026-03-20T01:00:00Z', '2026-03-20T02:30:00Z'),
    );
  });

  test('moves as a whole when a record is sent back with a new date beside what was read', () => {
    expect(schedule({ ...current, beginsAtDate: '2026-03-15' }, current)).toEqual(
      window('2026-03-15T22:00:00Z', '2026-03-15T23:30:00Z'),
    );
    expect(schedule({ ...current, durationInMinutes: 30 }, current)).toEqual(
      window('2026-03-14T22:00:00Z', '2026-03-14T22:30:00Z'),
    );
  });

  test('keeps its end when that is given with a new begin', () => {
    expect(schedule({ beginsAt: at('2026-03-14T21:00:00Z'), endsAt: current.endsAt }, current)).toEqual(
      window('2026-03-14T21:00:00Z', '2026-03-14T23:30:00Z'),
    );
  });

  test('keeps its begin with a new duration or a new end', () => {
    expect(schedule({ durationInMinutes: 1 }, current)).toEqual(window('2026-03-14T22:00:00Z', '2026-03-14T22:01:00Z'));
    expect(schedule({ endsAt: at('2026-03-15T00:00:00Z') }, current)).toEqual(
      window('2026-03-14T22:00:00Z', '2026-03-15T00:00:00Z'),
    );
  });

  test('is refused where moving it would end after the year 9999', () => {
    expect(schedule({ beginsAtDate: '9999-12-31' }, { ...current, endsAt: at('2026-03-15T01:00:00Z') })).toEqual({
      problems: { durationInMinutes: invalid },
    });
  });

  test('is refused where it has problems, and only those', () => {
    expect(schedule({ beginsAtDate: '2026-02-30' }, current)).toEqual({ problems: { beginsAtDate: invalid } });
    expect(schedule({ beginsAtTime: '24:00', durationInMinutes: -1 }, current)).toEqual({
      problems: { beginsAtTime: invalid, durationInMinutes: ['must be greater than 0'] },
    });
  });
});

test('whatever is given, the outcome is a window that ends after it begins, or a problem', () => {
  const perhaps = <T>(values: fc.Arbitrary<T>) => fc.option(values, { nil: undefined });
  const instants = fc.date();
  const inputs = fc.record<WindowInput>({
    beginsAt: perhaps(instants),
    endsAt: perhaps(instants),
    beginsAtDate: perhaps(fc.oneof(fc.string(), fc.constantFrom('2026-03-14', '9999-12-31', '0001-01-01'))),
    beginsAtTime: perhaps(fc.oneof(fc.string(), fc.constantFrom('00:00', '23:59:59'))),
    durationInMinutes: perhaps(fc.oneof(fc.integer(), fc.double())),
  });
  fc.assert(
    fc.property(inputs, fc.boolean(), (input, isNew) => {
      const outcome = isNew ? schedule(input) : schedule(input, current);
      if ('window' in outcome)
        expect(outcome.window.endsAt.getTime()).toBeGreaterThan(outcome.window.beginsAt.getTime());
      else expect(Object.keys(outcome.problems).length).toBeGreaterThan(0);
    }),
    { numRuns: 1000 },
  );
});
