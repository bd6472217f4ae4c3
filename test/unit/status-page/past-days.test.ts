import { expect, test } from '@jest/globals';
import { pastDays } from '../../../src/status-page/view/past-days.js';
import type { SnapshotNotice } from '../../../src/status-page/view/snapshot.js';
import { ago, notice, viewFor } from '../../support/page-views.js';

const day = 1440;
const ended = (id: number, from: number, until: number): SnapshotNotice =>
  notice(id, 'unplanned', 'resolved', { beganAt: ago(from), endedAt: ago(until), createdAt: ago(from) });
const told = (notices: SnapshotNotice[], page = {}) =>
  pastDays(viewFor({ notices, page })).map(entry =>
    'day' in entry ? `${entry.day}: ${entry.notices.map(({ id }) => id).join()}` : `${entry.from}..${entry.to}`,
  );

// It is 20 November, 14:30.
test('a week without anything is one line', () => {
  expect(told([])).toEqual(['2026-11-13..2026-11-20']);
});

test('quiet days before and after a notice are runs of their own', () => {
  expect(told([ended(1, 3 * day, 3 * day - 60)])).toEqual([
    '2026-11-18..2026-11-20',
    '2026-11-17: 1',
    '2026-11-13..2026-11-16',
  ]);
});

test('a day that a notice reached into was not quiet, though nothing is told there', () => {
  expect(told([ended(1, 4 * day, 2 * day)])).toEqual([
    '2026-11-19..2026-11-20',
    '2026-11-18: 1',
    '2026-11-13..2026-11-15',
  ]);
});

test('nor is one on which something is still going on', () => {
  expect(told([notice(1, 'unplanned', 'investigating', { beganAt: ago(day) })])).toEqual(['2026-11-13..2026-11-18']);
});

test('an announcement disturbs nothing', () => {
  expect(told([notice(1, 'general', null)])).toEqual(['2026-11-13..2026-11-20']);
});

test('the threshold of the page is looked back, where it is longer than a week, and no longer than the history', () => {
  expect(told([], { timelineThreshold: 10 * 86_400 })).toEqual(['2026-11-10..2026-11-20']);
  expect(told([], { timelineThreshold: 2_000_000_000, createdAt: '2020-01-01T00:00:00.000Z' })).toEqual([
    '2026-08-22..2026-11-20',
  ]);
});

test('a page tells nothing of the days before it, but for what was written down of them', () => {
  expect(told([], { createdAt: ago(day) })).toEqual(['2026-11-19..2026-11-20']);
  expect(told([ended(1, 4 * day, 4 * day - 1)], { createdAt: ago(day) })).toEqual([
    '2026-11-17..2026-11-20',
    '2026-11-16: 1',
  ]);
});

test('days are those of the zone of the page', () => {
  expect(told([ended(1, 22.5 * 60, 15 * 60)], { timezone: 'Auckland', zone: 'Pacific/Auckland' })[0]).toBe(
    '2026-11-21..2026-11-21',
  );
});
