import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { computeComponentStates } from '../../../../src/components/component.states.js';
import { toCalendarDay, monthRange, addDays, startOfDay } from '../../../../src/status-page/view/days.js';
import { historyLengthDays } from '../../../../src/pages/public-page.js';
import { computeHistory, createHistory } from '../../../../src/status-page/view/history.js';
import { historyStates, type HistoryState } from '../../../../src/status-page/view/history-sweep.js';
import type { SnapshotComponent, SnapshotNotice } from '../../../../src/status-page/view/snapshot.js';

const now = new Date('2026-11-20T12:00:00.000Z');
const minuteMs = 60_000;

const component = (id: number, parentId: number | null = null, createdAt = '2020-01-01T00:00:00.000Z') =>
  ({ id, parentId, createdAt }) as SnapshotComponent;
const notice = (id: number, overrides: Partial<SnapshotNotice>) =>
  ({
    id,
    type: 'unplanned',
    state: 'resolved',
    beganAt: null,
    endedAt: null,
    componentIds: [],
    ...overrides,
  }) as SnapshotNotice;
const history = (components: SnapshotComponent[], notices: SnapshotNotice[], zone = 'Etc/UTC') =>
  new Map(
    [...computeHistory({ page: { zone }, components, notices, now })].map(([id, { days }]) => [id, days] as const),
  );
const listStates = (days: { state: HistoryState }[]) => days.map(({ state }) => state);

test('a history that lacks notices has no data for the days before it is complete, except those of a notice', () => {
  const notices = [
    notice(2, { beganAt: '2026-11-18T10:00:00.000Z', endedAt: '2026-11-18T11:00:00.000Z', componentIds: [1] }),
    notice(1, { beganAt: '2026-11-10T10:00:00.000Z', endedAt: '2026-11-14T11:00:00.000Z', componentIds: [1] }),
  ];
  const days = ['2026-11-13', '2026-11-14', '2026-11-15', '2026-11-16', '2026-11-17', '2026-11-18', '2026-11-19'];
  const source = { page: { zone: 'Etc/UTC' }, components: [component(1)], notices, now };
  const incomplete = createHistory({ ...source, completeSince: '2026-11-16T09:00:00.000Z' }, days);
  const expected = ['degraded', 'degraded', 'none', 'operational', 'operational', 'degraded', 'operational'];
  expect(listStates(incomplete.getComponentDays(1))).toEqual(expected);
  expect(listStates(incomplete.getPageDays())).toEqual(expected);
  expect(listStates(createHistory(source, days).getPageDays())).toEqual(expected.with(2, 'operational'));
});

describe('the history of a component', () => {
  test("has 90 days, the last of which is today in the page's time zone", () => {
    const days = history([component(1)], [], 'Pacific/Kiritimati').get(1)!;
    expect(days).toHaveLength(90);
    expect([days[0]!.date, days.at(-1)!.date]).toEqual(['2026-08-24', '2026-11-21']);
  });

  test('has the worst state of each day and the minutes in each state', () => {
    const notices = [
      notice(1, {
        type: 'planned',
        state: 'complete',
        beganAt: '2026-11-18T10:00:00.000Z',
        endedAt: '2026-11-18T12:00:00.000Z',
        componentIds: [1],
      }),
      notice(2, { beganAt: '2026-11-18T23:30:00.000Z', endedAt: '2026-11-19T00:15:00.000Z', componentIds: [1] }),
    ];
    const [before, first, second, today] = history([component(1)], notices)
      .get(1)!
      .slice(-4);
    expect([before!.state, first!.state, second!.state, today!.state]).toEqual([
      'operational',
      'degraded',
      'degraded',
      'operational',
    ]);
    expect(first!.minutes).toMatchObject({ maintenance: 120, 'partially-degraded': 0, degraded: 30 });
    expect(second!.minutes).toMatchObject({ maintenance: 0, 'partially-degraded': 0, degraded: 15 });
    expect([first!.noticeIds, first!.noticeCount]).toEqual([[1, 2], 2]);
  });

  test('has no data for days before the component was created, unless a notice is back-dated', () => {
    const recent = component(1, null, '2026-11-18T15:00:00.000Z');
    expect(listStates(history([recent], []).get(1)!.slice(-4))).toEqual([
      'none',
      'operational',
      'operational',
      'operational',
    ]);
    const backDated = notice(1, {
      beganAt: '2026-11-17T10:00:00.000Z',
      endedAt: '2026-11-17T11:00:00.000Z',
      componentIds: [1],
    });
    expect(listStates(history([recent], [backDated]).get(1)!.slice(-5))).toEqual([
      'none',
      'degraded',
      'operational',
      'operational',
      'operational',
    ]);
  });

  test('counts an open notice until now', () => {
    const open = notice(1, { state: 'investigating', beganAt: '2026-11-20T11:00:00.000Z', componentIds: [1] });
    expect(
      history([component(1)], [open])
        .get(1)!
        .at(-1)!.minutes.degraded,
    ).toBe(60);
  });

  test('does not count false alarms, announcements, and maintenance that never began', () => {
    const span = { beganAt: '2026-11-19T10:00:00.000Z', endedAt: '2026-11-19T11:00:00.000Z', componentIds: [1] };
    const notices = [
      notice(1, { ...span, state: 'false_alarm' }),
      notice(2, { ...span, type: 'general', state: null }),
      notice(3, { type: 'planned', state: 'cancelled', endedAt: span.endedAt, componentIds: [1] }),
    ];
    expect(new Set(listStates(history([component(1)], notices).get(1)!))).toEqual(new Set(['operational']));
  });

  test('equals a minute-by-minute computation for arbitrary trees and notices', () => {
    // At least one minute: a notice that began just now counts, but has no minute yet.
    const span = fc.tuple(fc.integer({ min: 1, max: 4 * 24 * 60 }), fc.integer({ min: 1, max: 2 * 24 * 60 }));
    const trees = fc
      .array(fc.nat(), { minLength: 1, maxLength: 6 })
      .map(parents =>
        parents.map((pick, index) => component(index + 1, index === 0 || pick % 3 === 0 ? null : (pick % index) + 1)),
      );
    const arbitraryNotices = fc.array(
      fc.record({ span, planned: fc.boolean(), named: fc.array(fc.integer({ min: 1, max: 6 }), { maxLength: 3 }) }),
      { maxLength: 4 },
    );
    fc.assert(
      fc.property(
        trees,
        arbitraryNotices,
        fc.constantFrom('Etc/UTC', 'Europe/Berlin', 'Asia/Kolkata', 'America/St_Johns'),
        (components, generated, zone) => {
          const notices = generated.map(({ span: [ago, length], planned, named }, index) => {
            const from = now.getTime() - ago * minuteMs;
            const to = from + length * minuteMs;
            return notice(index + 1, {
              type: planned ? 'planned' : 'unplanned',
              state: to < now.getTime() ? 'resolved' : 'investigating',
              beganAt: new Date(from).toISOString(),
              endedAt: to < now.getTime() ? new Date(to).toISOString() : null,
              componentIds: [...new Set(named)].filter(id => id <= components.length),
            });
          });
          const histories = history(components, notices, zone);
          const naive = new Map<string, HistoryState>();
          for (let at = now.getTime() - 6 * 24 * 60 * minuteMs; at < now.getTime(); at += minuteMs) {
            const open = notices.filter(
              ({ beganAt, endedAt }) =>
                Date.parse(beganAt!) <= at && at < (endedAt ? Date.parse(endedAt) : now.getTime()),
            );
            if (!open.length) continue;
            const day = toCalendarDay(new Date(at), zone);
            const states = computeComponentStates(
              components,
              new Set(open.filter(({ type }) => type === 'unplanned').flatMap(({ componentIds }) => componentIds)),
            );
            for (const { id } of components) {
              const isMaintained = open.some(
                ({ type, componentIds }) => type === 'planned' && componentIds.includes(id),
              );
              const state =
                states.get(id) === 'operational' ? (isMaintained ? 'maintenance' : 'operational') : states.get(id)!;
              const key = `${id} ${day}`;
              if (historyStates.indexOf(state) > historyStates.indexOf(naive.get(key) ?? 'operational'))
                naive.set(key, state);
            }
          }
          for (const { id } of components) {
            for (const { date, state } of histories.get(id)!.slice(-8))
              expect([id, date, state]).toEqual([id, date, naive.get(`${id} ${date}`) ?? 'operational']);
          }
        },
      ),
      { numRuns: 25 },
    );
  });

  test('counts each minute of overlapping notices once, and lists the first three ids', () => {
    const hour = (number: number) =>
      new Date(Date.parse('2026-11-18T00:00:00.000Z') + number * 60 * minuteMs).toISOString();
    // Three hours each, one per hour: together they last from 0:00 to 22:00.
    const incidents = Array.from({ length: 20 }, (_, index) =>
      notice(100 - index, { beganAt: hour(index), endedAt: hour(index + 3), componentIds: [1] }),
    );
    const [day, next] = history([component(1), component(2, 1)], incidents)
      .get(2)!
      .slice(-3);
    expect(day).toMatchObject({ state: 'partially-degraded', noticeCount: 20, noticeIds: [100, 99, 98] });
    expect(day!.minutes).toMatchObject({ maintenance: 0, 'partially-degraded': 22 * 60, degraded: 0 });
    expect(next).toMatchObject({ state: 'operational', noticeCount: 0 });
  });

  test('has the worst impact of a day, and the minutes of each', () => {
    const impacts = { 1: 'partial-outage' } as const;
    const at = (time: string) => `2026-11-18T${time}:00.000Z`;
    const days = history(
      [component(1), component(2)],
      [
        notice(2, { beganAt: at('10:00'), endedAt: at('10:30'), componentIds: [1, 2], impacts }),
        notice(1, { beganAt: at('08:00'), endedAt: at('12:00'), componentIds: [1] }),
      ],
    );
    const [first, second] = [1, 2].map(id => days.get(id)!.find(({ date }) => date === '2026-11-18'));
    expect(first).toMatchObject({
      state: 'partial-outage',
      minutes: { degraded: 240, 'partial-outage': 30, 'major-outage': 0 },
      noticeIds: [2, 1],
    });
    expect(second).toMatchObject({ state: 'degraded', minutes: { degraded: 30, 'partial-outage': 0 } });
    const page = createHistory(
      {
        page: { zone: 'Etc/UTC' },
        components: [component(1)],
        notices: [notice(1, { beganAt: at('10:00'), endedAt: at('10:30'), componentIds: [1, 2], impacts })],
        now,
      },
      ['2026-11-18'],
    );
    expect(page.getPageDays()[0]).toMatchObject({ state: 'partial-outage' });
  });

  test('is one shared array for all components with the same impact', () => {
    const components = Array.from({ length: 1_000 }, (_, index) => component(index + 1, index ? 1 : null));
    const open = Array.from({ length: 1_000 }, (_, index) =>
      notice(1_000 - index, { state: 'investigating', beganAt: '2026-08-01T00:00:00.000Z', componentIds: [1] }),
    );
    const histories = history(components, open);
    expect(new Set(histories.values()).size).toBe(2);
    for (const [id, state] of [
      [1, 'degraded'],
      [1_000, 'partially-degraded'],
    ] as const) {
      expect(histories.get(id)).toHaveLength(90);
      for (const day of histories.get(id)!)
        expect(day).toMatchObject({ state, noticeCount: 1_000, noticeIds: [1_000, 999, 998] });
      expect(histories.get(id)![0]!.minutes[state]).toBe(24 * 60);
    }
  });

  test('has each day once across the end of summer time', () => {
    const days = computeHistory({
      page: { zone: 'Europe/Berlin' },
      components: [component(1)],
      notices: [],
      now: new Date('2026-11-01T00:30:00.000Z'),
    }).get(1)!.days;
    expect(new Set(days.map(({ date }) => date)).size).toBe(historyLengthDays);
    expect(days.map(({ date }) => date).slice(-9, -6)).toEqual(['2026-10-24', '2026-10-25', '2026-10-26']);
  });
});

describe('days', () => {
  test.each([
    ['2026-11-20', 'Etc/UTC', '2026-11-20T00:00:00.000Z'],
    ['2026-03-29', 'Europe/Berlin', '2026-03-28T23:00:00.000Z'],
    ['2026-10-25', 'Europe/Berlin', '2026-10-24T22:00:00.000Z'],
    ['2026-11-20', 'Asia/Kathmandu', '2026-11-19T18:15:00.000Z'],
    ['2026-11-20', 'Pacific/Kiritimati', '2026-11-19T10:00:00.000Z'],
    ['2026-11-20', 'Etc/GMT+12', '2026-11-20T12:00:00.000Z'],
    // Clocks went from 0:00 to 1:00: there was no midnight.
    ['2024-04-26', 'Africa/Cairo', '2024-04-25T22:00:00.000Z'],
  ])('startOfDay of %s in %s is %s', (day, zone, expected) => {
    expect(startOfDay(day, zone).toISOString()).toBe(expected);
  });

  test('startOfDay is the first moment of a day in zones with clock changes', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 4_000 }),
        fc.constantFrom('Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Africa/Cairo', 'America/Santiago'),
        (days, zone) => {
          const day = addDays('2015-01-01', days);
          const start = startOfDay(day, zone);
          expect(toCalendarDay(start, zone)).toBe(day);
          expect(toCalendarDay(new Date(start.getTime() - 1), zone)).toBe(addDays(day, -1));
        },
      ),
    );
  });

  test('monthRange is from the first day of a month to the first day of the next', () => {
    expect(monthRange('2026-10', 'Europe/Berlin')).toEqual({
      from: '2026-09-30T22:00:00.000Z',
      to: '2026-10-31T23:00:00.000Z',
    });
    expect(monthRange('2026-12', 'Etc/UTC').to).toBe('2027-01-01T00:00:00.000Z');
  });
});
