import { describe, expect, test } from '@jest/globals';
import { computeHistory } from '../../../../src/status-page/view/history.js';
import type { HistoryNotice, HistorySource } from '../../../../src/status-page/view/outages.js';

const now = Date.parse('2026-11-20T12:00:00.000Z');
const hourMs = 3_600_000;
const iso = (at: number) => new Date(at).toISOString();
const before = (hours: number) => iso(now - hours * hourMs);

const component = (id: number, parentId: number | null) => ({ id, parentId, createdAt: before(10_000) });
/** The first ended last. */
const incident = (index: number, componentIds: number[], more: Partial<HistoryNotice> = {}): HistoryNotice => ({
  id: 10_000 - index,
  type: 'unplanned',
  state: 'resolved',
  beganAt: before(index + 2),
  endedAt: before(index + 1),
  componentIds,
  ...more,
});
const compute = (source: Pick<HistorySource, 'components' | 'notices' | 'periods' | 'completeSince'>) =>
  computeHistory({ page: { zone: 'Etc/UTC' }, now: new Date(now), ...source });
const daysOf = (histories: ReturnType<typeof compute>, id: number) => histories.get(id)!.days;

describe('a history that would take too much work', () => {
  test('has the newest notices of 1,000 on a root and one of its 2,000 children each, and no data for days before', () => {
    const components = [component(1, null), ...Array.from({ length: 2_000 }, (_, index) => component(index + 2, 1))];
    const notices = Array.from({ length: 1_000 }, (_, index) => incident(index, [1, index + 2]));
    const limited = daysOf(compute({ components, notices }), 2);
    // Without the other children it takes little work.
    const complete = daysOf(compute({ components: components.slice(0, 2), notices }), 2);
    const firstKnown = limited.findIndex(({ state }) => state !== 'none');
    expect(limited.length - firstKnown).toBeGreaterThan(1);
    expect(limited.slice(firstKnown + 1)).toEqual(complete.slice(firstKnown + 1));
    expect(new Set(limited.slice(0, firstKnown).map(({ state }) => state))).toEqual(new Set(['none']));
  });

  test('has an open notice before those that ended', () => {
    const components = Array.from({ length: 2_000 }, (_, index) => component(index + 1, null));
    const ids = components.map(({ id }) => id);
    const open = incident(9_000, [1], { state: 'investigating', endedAt: null, impacts: { 1: 'major-outage' } });
    const notices = [...Array.from({ length: 100 }, (_, index) => incident(index, ids)), open];
    const histories = compute({ components, notices });
    expect(daysOf(histories, 1).map(({ state }) => state)).toEqual(Array.from({ length: 90 }, () => 'major-outage'));
    expect(daysOf(histories, 2).filter(({ state }) => state === 'none')).not.toHaveLength(0);
    expect(daysOf(histories, 2).at(-1)!.state).toBe('degraded');
  });

  test('has all of the notices that the database reads: up to 50,000 named components, and the last notice whole', () => {
    const components = Array.from({ length: 1_999 }, (_, index) => component(index + 1, null));
    const ids = components.map(({ id }) => id);
    const notices = Array.from({ length: 26 }, (_, index) => incident(index * 24, ids));
    const days = daysOf(compute({ components, notices }), 1);
    expect(days.filter(({ state }) => state === 'degraded')).toHaveLength(26);
    expect(days.filter(({ state }) => state === 'none')).toHaveLength(0);
  });

  test('has no data before the later of two times, one of which has the offset of a time zone', () => {
    const components = Array.from({ length: 2_000 }, (_, index) => component(index + 1, null));
    const ids = components.map(({ id }) => id);
    // The older 18 are left out: the last of them ended on November 10 at 20:00 in UTC, and on the 11th at 04:00 here.
    const notices = Array.from({ length: 36 }, (_, index) => incident(index < 18 ? index : index + 213, ids)).map(
      notice => ({ ...notice, endedAt: `${iso(Date.parse(notice.endedAt!) + 8 * hourMs).slice(0, -1)}+08:00` }),
    );
    const days = daysOf(compute({ components, notices, completeSince: '2026-11-11T02:00:00.000Z' }), 1);
    expect(days.find(({ state }) => state !== 'none')!.date).toBe('2026-11-11');
  });

  test('has all days of 2,000 components that recovered one after the other, or that have manual statuses', () => {
    const components = Array.from({ length: 2_000 }, (_, index) => component(index + 1, null));
    const ids = components.map(({ id }) => id);
    const recovered = Object.fromEntries(ids.map(id => [id, iso(now - 100 * hourMs + id * 60_000)]));
    const open = incident(300, ids, { state: 'investigating', endedAt: null, recovered });
    const periods = ids.map(componentId => ({
      componentId,
      state: 'operational' as const,
      beganAt: iso(now - 200 * hourMs + componentId * 60_000),
      endedAt: iso(now - 150 * hourMs + componentId * 60_000),
    }));
    const histories = compute({ components, notices: [open], periods });
    const minutes = (id: number) => daysOf(histories, id).reduce((sum, day) => sum + day.minutes.degraded, 0);
    // From 302 hours ago to 100 hours ago, but for 50 hours in between.
    expect([minutes(1), minutes(2_000)]).toEqual([152 * 60 + 1, 152 * 60 + 2_000]);
  });
});
