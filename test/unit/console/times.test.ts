import { execFileSync } from 'node:child_process';
import { expect, test } from '@jest/globals';
import { toRelativeTimeUnit } from '../../../src/i18n/relative-time.js';

const words = { second: '', minute: 'min', hour: 'h', day: 'days' } as Record<string, string>;

test('the console rounds a distance as the public page does', () => {
  const seconds = [0, 29, 31, 61, 89, 3_569, 3_570, 5_399, 5_401, 7_200, 172_769, 172_770, 215_999, 216_001, 864_000];
  const both = seconds.flatMap(each => [each, -each]);
  const expected = both.map(each => {
    const [unit, count] = toRelativeTimeUnit(each);
    if (!count) return 'now';
    const length = `${Math.abs(count)} ${words[unit]}`;
    return count > 0 ? `in ${length}` : `${length} ago`;
  });
  const script = `import { formatDistance } from './console/src/api/times.ts';
    const distances = ${JSON.stringify(both)}.map(each => formatDistance(new Date(each * 1000).toISOString(), 0));
    console.log(JSON.stringify(distances));`;
  const stdout = execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
  expect(JSON.parse(stdout)).toEqual(expected);
});

test('formats durations below one minute as less than 1 min', () => {
  const script = `import { formatDuration } from './console/src/api/times.ts';
    console.log(JSON.stringify([-1, 59_999, 60_000, 3_660_000].map(formatDuration)));`;
  const stdout = execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
  expect(JSON.parse(stdout)).toEqual(['less than 1 min', 'less than 1 min', '1 min', '1 h 1 min']);
});

test('a field of a time reads and writes the zone that it names, also where its clock is changed', () => {
  const times = ['2026-03-29T00:59:00.000Z', '2026-03-29T01:00:00.000Z', '2026-10-25T03:00:00.000Z'];
  const zones = ['Europe/Berlin', 'Asia/Tokyo', 'America/St_Johns', 'Pacific/Kiritimati', 'UTC'];
  const script = `import { fromLocalTime, toLocalTime } from './console/src/ui/local-time.ts';
    const times = ${JSON.stringify(times)};
    const zones = ${JSON.stringify(zones)};
    const local = zones.map(zone => times.map(time => toLocalTime(time, zone)));
    console.log(JSON.stringify([local, zones.map((zone, at) => local[at].map(time => fromLocalTime(time, zone)))]));`;
  const stdout = execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
  const [[berlin, tokyo], read] = JSON.parse(stdout);
  expect(berlin).toEqual(['2026-03-29T01:59', '2026-03-29T03:00', '2026-10-25T04:00']);
  expect(tokyo[0]).toBe('2026-03-29T09:59');
  expect(read).toEqual(zones.map(() => times));
});

test('a field of a time has the first of an hour that there is twice, and the one after an hour that is left out', () => {
  const times = {
    'Europe/Berlin': ['2027-10-31T02:30', '2027-03-28T02:30'],
    'America/New_York': ['2027-11-07T01:30', '2027-03-14T02:30'],
  };
  const script = `import { fromLocalTime } from './console/src/ui/local-time.ts';
    const read = ([zone, times]) => times.map(time => fromLocalTime(time, zone));
    console.log(JSON.stringify(Object.entries(${JSON.stringify(times)}).map(read)));`;
  const stdout = execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
  expect(JSON.parse(stdout)).toEqual([
    ['2027-10-31T00:30:00.000Z', '2027-03-28T01:30:00.000Z'],
    ['2027-11-07T05:30:00.000Z', '2027-03-14T07:30:00.000Z'],
  ]);
});

test('a further window is at the same time of day on the next day, also where the clock is changed', () => {
  const times = ['2027-03-27T21:00:00Z', '2027-10-30T20:00:00Z', '2027-10-30T00:30:00Z', '2027-12-31T21:00:00Z'];
  const script = `import { toNextDay } from './console/src/ui/local-time.ts';
    console.log(JSON.stringify(${JSON.stringify(times)}.map(time => toNextDay(time, 'Europe/Berlin'))));`;
  const stdout = execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
  expect(JSON.parse(stdout)).toEqual([
    '2027-03-28T20:00:00.000Z',
    '2027-10-31T21:00:00.000Z',
    '2027-10-31T00:30:00.000Z',
    '2028-01-01T21:00:00.000Z',
  ]);
});
