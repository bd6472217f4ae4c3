import { expect, test } from '@jest/globals';
import { pastDays } from '../../../../src/status-page/view/past-days.js';
import type { SnapshotNotice } from '../../../../src/status-page/view/snapshot.js';
import { minutesAgo, notice, createView } from '../../../support/page-views.js';

const dayMinutes = 1440;
const resolvedNotice = (id: number, beganAt: number, endedAt: number): SnapshotNotice =>
  notice(id, 'unplanned', 'resolved', {
    beganAt: minutesAgo(beganAt),
    endedAt: minutesAgo(endedAt),
    createdAt: minutesAgo(beganAt),
  });
const listEntries = (notices: SnapshotNotice[], page = {}) =>
  pastDays(createView({ notices, page })).map(entry =>
    'day' in entry ? `${entry.day}: ${entry.notices.map(({ id }) => id).join()}` : `${entry.from}..${entry.to}`,
  );

// Now is 20 November, 14:30.
test('a week without notices is one entry', () => {
  expect(listEntries([])).toEqual(['2026-11-13..2026-11-20']);
});

test('the days before and after a notice are separate entries', () => {
  expect(listEntries([resolvedNotice(1, 3 * dayMinutes, 3 * dayMinutes - 60)])).toEqual([
    '2026-11-18..2026-11-20',
    '2026-11-17: 1',
    '2026-11-13..2026-11-16',
  ]);
});

test('a day on which a notice was open, but did not end, has no entry', () => {
  expect(listEntries([resolvedNotice(1, 4 * dayMinutes, 2 * dayMinutes)])).toEqual([
    '2026-11-19..2026-11-20',
    '2026-11-18: 1',
    '2026-11-13..2026-11-15',
  ]);
});

test('a day on which a notice is still open has no entry', () => {
  expect(listEntries([notice(1, 'unplanned', 'investigating', { beganAt: minutesAgo(dayMinutes) })])).toEqual([
    '2026-11-13..2026-11-18',
  ]);
});

test('an announcement does not interrupt a run of days without notices', () => {
  expect(listEntries([notice(1, 'general', null)])).toEqual(['2026-11-13..2026-11-20']);
});

test('the entries cover the timeline threshold, at least 7 and at most 90 days', () => {
  expect(listEntries([], { timelineThresholdSeconds: 10 * 86_400 })).toEqual(['2026-11-10..2026-11-20']);
  expect(listEntries([], { timelineThresholdSeconds: 2_000_000_000, createdAt: '2020-01-01T00:00:00.000Z' })).toEqual([
    '2026-08-22..2026-11-20',
  ]);
});

test('the entries start with the creation of the page, or with an earlier back-dated notice', () => {
  expect(listEntries([], { createdAt: minutesAgo(dayMinutes) })).toEqual(['2026-11-19..2026-11-20']);
  expect(
    listEntries([resolvedNotice(1, 4 * dayMinutes, 4 * dayMinutes - 1)], { createdAt: minutesAgo(dayMinutes) }),
  ).toEqual(['2026-11-17..2026-11-20', '2026-11-16: 1']);
});

test("days are those of the page's time zone", () => {
  expect(
    listEntries([resolvedNotice(1, 22.5 * 60, 15 * 60)], { timezone: 'Auckland', zone: 'Pacific/Auckland' })[0],
  ).toBe('2026-11-21..2026-11-21');
});
