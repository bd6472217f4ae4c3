import { describe, expect, test } from '@jest/globals';
import type { ManualPeriod } from '../../../../src/components/manual-status.rules.js';
import type { UpstreamPeriod } from '../../../../src/components/upstream/upstream.rules.js';
import { computeHistory } from '../../../../src/status-page/view/history.js';
import { pastDays } from '../../../../src/status-page/view/past-days.js';
import type { PageView } from '../../../../src/status-page/view/view.js';
import type { HistoryNotice } from '../../../../src/status-page/view/outages.js';

const now = new Date('2026-11-20T00:00:00.000Z');
/** The component is ten days old. */
const day = (number: number) => new Date(Date.UTC(2026, 10, 10 + number)).toISOString();
const upstream = (state: UpstreamPeriod['state'], from: number, to: number | null): UpstreamPeriod => ({
  componentId: 1,
  state,
  beganAt: day(from),
  endedAt: to === null ? null : day(to),
});
const manual = (state: ManualPeriod['state'], from: number, to: number): ManualPeriod => ({
  componentId: 1,
  state,
  beganAt: day(from),
  endedAt: day(to),
});
const compute = (periods: UpstreamPeriod[], own: ManualPeriod[] = [], notices: HistoryNotice[] = []) => {
  const components = [{ id: 1, parentId: null, createdAt: day(0) }];
  const source = { page: { zone: 'Etc/UTC' }, components, notices, now };
  const { days, uptime } = computeHistory({ ...source, periods: own, upstream: periods }).get(1)!;
  return { days: days.filter(({ date }) => date >= '2026-11-10').map(({ state }) => state), uptime };
};
const repeat = <Value>(count: number, value: Value): Value[] => Array.from({ length: count }, () => value);

describe('what an upstream said', () => {
  test('counts as an outage in the days and the uptime', () => {
    expect(compute([upstream('major-outage', 2, 4)])).toEqual({
      days: ['operational', 'operational', 'major-outage', 'major-outage', ...repeat(7, 'operational')],
      uptime: 0.8,
    });
  });

  test('while it was unknown counts neither as up nor as down, and whole days have no data', () => {
    expect(compute([upstream('major-outage', 2, 4), upstream('unknown', 5, 7)])).toEqual({
      days: [
        'operational',
        'operational',
        'major-outage',
        'major-outage',
        'operational',
        'none',
        'none',
        ...repeat(4, 'operational'),
      ],
      uptime: 0.75,
    });
  });

  test('counts less than a worse manual status, and more than a better one', () => {
    expect(compute([upstream('degraded', 1, 5)], [manual('major-outage', 1, 3)])).toMatchObject({ uptime: 0.8 });
    expect(compute([upstream('major-outage', 1, 5)], [manual('degraded', 1, 3)])).toMatchObject({ uptime: 0.6 });
  });

  test('does not count while a person said that the component is operational, nor does that it was unknown', () => {
    const { days, uptime } = compute([upstream('major-outage', 1, 3)], [manual('operational', 1, 3)]);
    expect([new Set(days), uptime]).toEqual([new Set(['operational']), 1]);
    const known = [manual('operational', 5, 6)];
    expect(compute([upstream('major-outage', 0, 1), upstream('unknown', 5, 7)], known).uptime).toBeCloseTo(1 - 1 / 9);
  });

  test('takes the quiet from the days that it affected', () => {
    const list = (state: UpstreamPeriod['state']) => {
      const page = { zone: 'Etc/UTC', timelineThresholdSeconds: 0, createdAt: day(0) } as PageView['page'];
      const historySource = { page, components: [], notices: [], upstream: [upstream(state, 8, 9)], now };
      const omitted = { present: 0, future: 0, general: 0, past: 0 };
      return pastDays({ page, now, notices: [], past: [], omitted, historySource });
    };
    expect(list('unknown')).toEqual([{ from: '2026-11-13', to: '2026-11-20' }]);
    expect(list('degraded')).toEqual([
      { from: '2026-11-20', to: '2026-11-20' },
      { from: '2026-11-13', to: '2026-11-17' },
    ]);
  });

  test('counts once with a notice at the same time', () => {
    const notice = {
      id: 7,
      type: 'unplanned',
      state: 'resolved',
      componentIds: [1],
      beganAt: day(2),
      endedAt: day(4),
      impacts: { 1: 'major-outage' },
    } as HistoryNotice;
    expect(compute([upstream('major-outage', 2, 4)], [], [notice]).uptime).toBe(0.8);
  });
});
