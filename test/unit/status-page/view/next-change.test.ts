import { expect, test } from '@jest/globals';
import { nextChange } from '../../../../src/status-page/view/next-change.js';
import type { PageSnapshot, SnapshotNotice } from '../../../../src/status-page/view/snapshot.js';

const now = new Date('2026-11-20T12:00:30.000Z');
const timelineThresholdSeconds = 259_200;

const nextChangeAt = (notices: Partial<SnapshotNotice>[], zone = 'Etc/UTC') =>
  nextChange(
    {
      page: { zone, timelineThresholdSeconds },
      notices: notices.map(notice => ({ state: null, beganAt: null, endedAt: null, beginsAt: null, ...notice })),
    } as unknown as PageSnapshot,
    now,
  ).toISOString();

test.each<[string, Partial<SnapshotNotice> | null, string | undefined, string]>([
  ['at the end of the day without notices', null, undefined, '2026-11-21T00:00:00.000Z'],
  ["at the end of the day in the page's time zone", null, 'Asia/Tokyo', '2026-11-20T15:00:00.000Z'],
  [
    'when a present notice lasts one minute longer',
    { state: 'investigating', beganAt: '2026-11-20T11:00:10.000Z' },
    undefined,
    '2026-11-20T12:01:10.000Z',
  ],
  [
    'when scheduled maintenance is one hour nearer',
    { state: 'scheduled', beginsAt: '2026-11-22T09:30:00.000Z' },
    undefined,
    '2026-11-20T12:30:00.000Z',
  ],
  [
    'just after a past notice is 7 days old',
    { state: 'resolved', endedAt: '2026-11-13T13:00:00.000Z' },
    undefined,
    '2026-11-20T13:00:00.001Z',
  ],
  [
    'just after a past notice exceeds the timeline threshold',
    { state: 'resolved', endedAt: '2026-11-17T13:00:00.000Z' },
    undefined,
    '2026-11-20T13:00:00.001Z',
  ],
  [
    'at the end of the day when past notices exceeded the threshold before',
    { state: 'complete', endedAt: '2026-10-01T13:00:00.000Z' },
    undefined,
    '2026-11-21T00:00:00.000Z',
  ],
])('a page changes next %s', (_, notice, zone, expected) => {
  expect(nextChangeAt(notice ? [notice] : [], zone)).toBe(expected);
});

test('a page with many notices changes at most every 15 seconds, when the last of the near ones does', () => {
  const open = (second: number): Partial<SnapshotNotice> => ({
    state: 'investigating',
    beganAt: `2026-11-20T11:00:${second}.000Z`,
  });
  expect(nextChangeAt([open(35), open(50), open(51), open(40)])).toBe('2026-11-20T12:00:50.000Z');
});

test('the end of the day is not postponed by notices that change a little later', () => {
  const beganAt = '2026-11-20T10:59:55.000Z';
  const late = new Date('2026-11-20T23:59:50.000Z');
  const notices = [
    { state: 'investigating', beganAt },
    { state: 'identified', beganAt: '2026-11-20T10:00:03.000Z' },
  ];
  const snapshot = { page: { zone: 'Etc/UTC', timelineThresholdSeconds }, notices } as unknown as PageSnapshot;
  expect(nextChange(snapshot, late).toISOString()).toBe('2026-11-21T00:00:00.000Z');
});
