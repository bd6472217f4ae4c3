import { expect, test } from '@jest/globals';
import { nextMove } from '../../../src/status-page/view/next-change.js';
import type { PageSnapshot, SnapshotNotice } from '../../../src/status-page/view/snapshot.js';

const now = new Date('2026-11-20T12:00:30.000Z');
const threshold = 259_200;

const at = (notice: Partial<SnapshotNotice> | null, zone = 'Etc/UTC') =>
  nextMove(
    {
      page: { zone, timelineThreshold: threshold },
      notices: notice ? [{ state: null, beganAt: null, endedAt: null, beginsAt: null, ...notice }] : [],
    } as unknown as PageSnapshot,
    now,
  ).toISOString();

test.each<[string, Partial<SnapshotNotice> | null, string | undefined, string]>([
  ['at the end of the day, when there is nothing else', null, undefined, '2026-11-21T00:00:00.000Z'],
  ["which is the day of the page's zone", null, 'Asia/Tokyo', '2026-11-20T15:00:00.000Z'],
  [
    'when a present notice lasts a minute longer',
    { state: 'investigating', beganAt: '2026-11-20T11:00:10.000Z' },
    undefined,
    '2026-11-20T12:01:10.000Z',
  ],
  [
    'when a scheduled one is an hour nearer',
    { state: 'scheduled', beginsAt: '2026-11-22T09:30:00.000Z' },
    undefined,
    '2026-11-20T12:30:00.000Z',
  ],
  [
    'just after a past one is 7 days old',
    { state: 'resolved', endedAt: '2026-11-13T13:00:00.000Z' },
    undefined,
    '2026-11-20T13:00:00.001Z',
  ],
  [
    'just after a past one leaves the front',
    { state: 'resolved', endedAt: '2026-11-17T13:00:00.000Z' },
    undefined,
    '2026-11-20T13:00:00.001Z',
  ],
  [
    'and not when an old one did long ago',
    { state: 'complete', endedAt: '2026-10-01T13:00:00.000Z' },
    undefined,
    '2026-11-21T00:00:00.000Z',
  ],
])('time changes a page next %s', (_when, notice, zone, expected) => {
  expect(at(notice, zone)).toBe(expected);
});
