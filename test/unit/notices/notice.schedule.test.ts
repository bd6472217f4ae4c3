import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { toMessages } from '../../../src/core/problems.js';
import {
  type MaintenanceWindow,
  resolveWindow as resolve,
  type WindowInput,
} from '../../../src/notices/notice.schedule.js';

/** The problems as /v1 shows them. */
function resolveWindow(...given: Parameters<typeof resolve>) {
  const result = resolve(...given);
  return 'problems' in result ? { problems: toMessages(result.problems) } : result;
}

const at = (instant: string) => new Date(instant);
const window = (beginsAt: string, endsAt: string): { window: MaintenanceWindow } => ({
  window: { beginsAt: at(beginsAt), endsAt: at(endsAt) },
});
const current: MaintenanceWindow = { beginsAt: at('2026-03-14T22:00:00.000Z'), endsAt: at('2026-03-14T23:30:00.000Z') };

const blank = ["can't be blank"];
const invalid = ['is invalid'];

describe('a new window', () => {
  test('consists of date, time and duration, in UTC', () => {
    expect(resolveWindow({ beginsAtDate: '2026-03-14', beginsAtTime: '22:00:05', durationInMinutes: 90 })).toEqual(
      window('2026-03-14T22:00:05.000Z', '2026-03-14T23:30:05.000Z'),
    );
  });

  test('accepts a time without seconds', () => {
    expect(resolveWindow({ beginsAtDate: '2026-03-14', beginsAtTime: '22:00', durationInMinutes: 90 })).toEqual({
      window: current,
    });
  });

  test('can span midnight', () => {
    expect(resolveWindow({ beginsAtDate: '2026-12-31', beginsAtTime: '23:30', durationInMinutes: 60 })).toEqual(
      window('2026-12-31T23:30:00Z', '2027-01-01T00:30:00Z'),
    );
  });

  test('can be given as two timestamps', () => {
    expect(resolveWindow({ beginsAt: current.beginsAt, endsAt: current.endsAt })).toEqual({ window: current });
  });

  test('keeps the milliseconds of timestamps', () => {
    const given = { beginsAt: at('2026-03-14T22:00:00.123Z'), endsAt: at('2026-03-14T22:00:00.124Z') };
    expect(resolveWindow(given)).toEqual({ window: given });
  });

  test('can mix a start timestamp with a duration, or date and time with an end', () => {
    expect(resolveWindow({ beginsAt: current.beginsAt, durationInMinutes: 90 })).toEqual({ window: current });
    expect(resolveWindow({ beginsAtDate: '2026-03-14', beginsAtTime: '22:00', endsAt: current.endsAt })).toEqual({
      window: current,
    });
  });

  test('prefers date and time to begins_at, and the duration to ends_at', () => {
    expect(
      resolveWindow({
        beginsAt: at('2020-01-01'),
        endsAt: at('2020-01-02'),
        beginsAtDate: '2026-03-14',
        beginsAtTime: '22:00',
        durationInMinutes: 90,
      }),
    ).toEqual({ window: current });
  });

  test('takes the missing part from begins_at if only a date or only a time is given', () => {
    expect(
      resolveWindow({ beginsAt: at('2020-01-01T22:00:00Z'), beginsAtDate: '2026-03-14', durationInMinutes: 90 }),
    ).toEqual({ window: current });
    expect(
      resolveWindow({ beginsAt: at('2026-03-14T01:00:00Z'), beginsAtTime: '22:00', durationInMinutes: 90 }),
    ).toEqual({
      window: current,
    });
  });

  test.each<[string, WindowInput, object]>([
    ['no values', {}, { beginsAtDate: blank, beginsAtTime: blank, durationInMinutes: blank }],
    [
      'blank values only',
      { beginsAtDate: '', beginsAtTime: ' ', durationInMinutes: null, beginsAt: null, endsAt: null },
      { beginsAtDate: blank, beginsAtTime: blank, durationInMinutes: blank },
    ],
    ['no time', { beginsAtDate: '2026-03-14', durationInMinutes: 90 }, { beginsAtTime: blank }],
    ['no date', { beginsAtTime: '22:00', durationInMinutes: 90 }, { beginsAtDate: blank }],
    ['no duration', { beginsAtDate: '2026-03-14', beginsAtTime: '22:00' }, { durationInMinutes: blank }],
    ['a start only', { beginsAt: current.beginsAt }, { durationInMinutes: blank }],
    ['an end only', { endsAt: current.endsAt }, { beginsAtDate: blank, beginsAtTime: blank }],
    ['a duration only', { durationInMinutes: 90 }, { beginsAtDate: blank, beginsAtTime: blank }],
  ])('with %s reports what is missing', (_what, input, problems) => expect(resolveWindow(input)).toEqual({ problems }));

  test('reports all problems at once', () => {
    expect(resolveWindow({ beginsAtDate: 'soon', beginsAtTime: '25:00', durationInMinutes: 0 })).toEqual({
      problems: { beginsAtDate: invalid, beginsAtTime: invalid, durationInMinutes: ['must be greater than 0'] },
    });
  });
});

describe('an invalid date', () => {
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
    expect(resolveWindow({ beginsAtDate, beginsAtTime: '22:00', durationInMinutes: 90 })).toEqual({
      problems: { beginsAtDate: invalid },
    }),
  );

  test('is neither the first day of year 1 nor a leap day', () => {
    expect(resolveWindow({ beginsAtDate: '0001-01-01', beginsAtTime: '00:00', durationInMinutes: 1 })).toEqual(
      window('0001-01-01T00:00:00Z', '0001-01-01T00:01:00Z'),
    );
    expect(resolveWindow({ beginsAtDate: '2024-02-29', beginsAtTime: '00:00', durationInMinutes: 1 })).toEqual(
      window('2024-02-29T00:00:00Z', '2024-02-29T00:01:00Z'),
    );
  });
});

describe('an invalid time', () => {
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
    expect(resolveWindow({ beginsAtDate: '2026-03-14', beginsAtTime, durationInMinutes: 90 })).toEqual({
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
    expect(resolveWindow({ beginsAtDate: '2026-03-14', beginsAtTime: '22:00', durationInMinutes })).toEqual({
      problems: { durationInMinutes: [message] },
    });
    expect(resolveWindow({ durationInMinutes }, current)).toEqual({ problems: { durationInMinutes: [message] } });
  });

  test('can end with the year 9999 and not a minute later', () => {
    const eve = { beginsAtDate: '9999-12-31', beginsAtTime: '23:58' };
    expect(resolveWindow({ ...eve, durationInMinutes: 1 })).toEqual(
      window('9999-12-31T23:58:00Z', '9999-12-31T23:59:00Z'),
    );
    expect(resolveWindow({ ...eve, durationInMinutes: 2 })).toEqual({ problems: { durationInMinutes: invalid } });
  });
});

describe('an end', () => {
  test.each(['2026-03-14T22:00:00.000Z', '2026-03-14T21:59:59.999Z'])(
    'at %s is refused, since it is not after the start',
    endsAt => {
      expect(resolveWindow({ beginsAt: current.beginsAt, endsAt: at(endsAt) })).toEqual({
        problems: { endsAt: invalid },
      });
      expect(resolveWindow({ endsAt: at(endsAt) }, current)).toEqual({ problems: { endsAt: invalid } });
    },
  );

  test('or a start is invalid if it is no date or has a year of five digits', () => {
    expect(resolveWindow({ beginsAt: at('x'), endsAt: current.endsAt })).toEqual({ problems: { beginsAt: invalid } });
    expect(resolveWindow({ beginsAt: current.beginsAt, endsAt: at('x') })).toEqual({ problems: { endsAt: invalid } });
    expect(resolveWindow({ beginsAt: current.beginsAt, endsAt: at('+010000-01-01T00:00:00Z') })).toEqual({
      problems: { endsAt: invalid },
    });
  });
});

describe('an existing window', () => {
  test.each<[string, WindowInput]>([
    ['no values', {}],
    ['blank values', { beginsAt: null, endsAt: null, beginsAtDate: ' ', beginsAtTime: '', durationInMinutes: null }],
    ['the timestamps of a read', { beginsAt: at('2026-03-14T22:00:00Z'), endsAt: at('2026-03-14T23:30:00Z') }],
    [
      'the same date, time and duration',
      { beginsAtDate: '2026-03-14', beginsAtTime: '22:00:00', durationInMinutes: 90 },
    ],
    ['the same date', { beginsAtDate: '2026-03-14' }],
    ['the same time', { beginsAtTime: '22:00' }],
  ])('stays unchanged with %s', (_what, input) => expect(resolveWindow(input, current)).toEqual({ window: current }));

  test('moves as a whole with a new start', () => {
    expect(resolveWindow({ beginsAtDate: '2026-03-15' }, current)).toEqual(
      window('2026-03-15T22:00:00Z', '2026-03-15T23:30:00Z'),
    );
    expect(resolveWindow({ beginsAtTime: '23:00' }, current)).toEqual(
      window('2026-03-14T23:00:00Z', '2026-03-15T00:30:00Z'),
    );
    expect(resolveWindow({ beginsAt: at('2026-03-20T01:00:00Z') }, current)).toEqual(
      window('2026-03-20T01:00:00Z', '2026-03-20T02:30:00Z'),
    );
  });

  test('moves as a whole if a client sends the record back with a new date', () => {
    expect(resolveWindow({ ...current, beginsAtDate: '2026-03-15' }, current)).toEqual(
      window('2026-03-15T22:00:00Z', '2026-03-15T23:30:00Z'),
    );
    expect(resolveWindow({ ...current, durationInMinutes: 30 }, current)).toEqual(
      window('2026-03-14T22:00:00Z', '2026-03-14T22:30:00Z'),
    );
  });

  test('keeps its end if that is sent with a new start', () => {
    expect(resolveWindow({ beginsAt: at('2026-03-14T21:00:00Z'), endsAt: current.endsAt }, current)).toEqual(
      window('2026-03-14T21:00:00Z', '2026-03-14T23:30:00Z'),
    );
  });

  test('keeps its start with a new duration or a new end', () => {
    expect(resolveWindow({ durationInMinutes: 1 }, current)).toEqual(
      window('2026-03-14T22:00:00Z', '2026-03-14T22:01:00Z'),
    );
    expect(resolveWindow({ endsAt: at('2026-03-15T00:00:00Z') }, current)).toEqual(
      window('2026-03-14T22:00:00Z', '2026-03-15T00:00:00Z'),
    );
  });

  test('refuses a move that would end after the year 9999', () => {
    expect(resolveWindow({ beginsAtDate: '9999-12-31' }, { ...current, endsAt: at('2026-03-15T01:00:00Z') })).toEqual({
      problems: { durationInMinutes: invalid },
    });
  });

  test('reports its problems only', () => {
    expect(resolveWindow({ beginsAtDate: '2026-02-30' }, current)).toEqual({ problems: { beginsAtDate: invalid } });
    expect(resolveWindow({ beginsAtTime: '24:00', durationInMinutes: -1 }, current)).toEqual({
      problems: { beginsAtTime: invalid, durationInMinutes: ['must be greater than 0'] },
    });
  });
});

test('any input gives a window that ends after its start, or a problem', () => {
  const optional = <T>(values: fc.Arbitrary<T>) => fc.option(values, { nil: undefined });
  const dates = fc.date();
  const inputs = fc.record<WindowInput>({
    beginsAt: optional(dates),
    endsAt: optional(dates),
    beginsAtDate: optional(fc.oneof(fc.string(), fc.constantFrom('2026-03-14', '9999-12-31', '0001-01-01'))),
    beginsAtTime: optional(fc.oneof(fc.string(), fc.constantFrom('00:00', '23:59:59'))),
    durationInMinutes: optional(fc.oneof(fc.integer(), fc.double())),
  });
  fc.assert(
    fc.property(inputs, fc.boolean(), (input, isNew) => {
      const result = isNew ? resolveWindow(input) : resolveWindow(input, current);
      if ('window' in result) expect(result.window.endsAt.getTime()).toBeGreaterThan(result.window.beginsAt.getTime());
      else expect(Object.keys(result.problems).length).toBeGreaterThan(0);
    }),
    { numRuns: 1000 },
  );
});
