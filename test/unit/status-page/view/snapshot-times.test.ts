import { expect, test } from '@jest/globals';
import { formatTimes } from '../../../../src/status-page/view/snapshot-times.js';

test.each([
  ['2026-11-20T14:02:03+00:00', '2026-11-20T14:02:03.000Z'],
  ['2026-11-20T14:02:03.5+00:00', '2026-11-20T14:02:03.500Z'],
  ['2026-11-20T14:02:03.136+00:00', '2026-11-20T14:02:03.136Z'],
  ['2026-11-20T14:02:03.136999+00:00', '2026-11-20T14:02:03.136Z'],
  ['2026-11-20T15:02:03.136+01:00', '2026-11-20T14:02:03.136Z'],
  ['2026-11-20T19:47:03.136+05:45', '2026-11-20T14:02:03.136Z'],
])('the time %s of PostgreSQL is %s in a snapshot', (time, expected) => {
  const row = { subject: time, createdAt: time, endedAt: null };
  formatTimes(row);
  expect(row).toEqual({ subject: time, createdAt: expected, endedAt: null });
});
