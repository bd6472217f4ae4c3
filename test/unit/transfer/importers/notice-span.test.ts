import { expect, test } from '@jest/globals';
import { findSpan } from '../../../../src/transfer/importers/notice-span.js';

const at = (minute: number) => new Date(Date.UTC(2026, 10, 1, 10, minute));
const general = { type: 'general', state: null, createdAt: at(30) } as const;

test.each([
  ['as the source says', { began: at(10), moments: [{ state: null, at: at(5) }] }, at(10)],
  ['with its first update', { began: null, moments: [8, 5].map(minute => ({ state: null, at: at(minute) })) }, at(5)],
  ['when it was created', { moments: [] }, at(30)],
])('an announcement begins and ends %s', (_, source, expected) => {
  expect(findSpan({ ...general, ...source })).toEqual({ beganAt: expected, endedAt: expected });
});

test('a maintenance begins with its update that says so, rather than as the source says', () => {
  const moments = [{ state: 'underway', at: at(12) } as const, { state: 'complete', at: at(20) } as const];
  const source = { type: 'planned', state: 'complete', createdAt: at(0), began: at(10), moments } as const;
  expect(findSpan(source)).toEqual({ beganAt: at(12), endedAt: at(20) });
});
