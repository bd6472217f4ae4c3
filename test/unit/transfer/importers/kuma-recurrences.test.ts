import { expect, test } from '@jest/globals';
import { sources } from '../../../../src/transfer/importers/sources/registry.js';

const now = new Date('2026-11-28T12:00:00Z');
const maintenance = (fields: object) => ({
  id: 1,
  title: 'Move',
  description: '',
  active: 1,
  strategy: 'cron',
  start_date: null,
  end_date: null,
  start_time: '02:00',
  end_time: '04:00',
  weekdays: '[]',
  days_of_month: '[]',
  interval_day: null,
  cron: null,
  timezone: 'Europe/Berlin',
  duration: null,
  ...fields,
});
const read = (fields: object, timeZone?: string) =>
  sources['uptime-kuma'].read(
    {
      status_page: [{ id: 1, slug: 'main', title: 'Main' }],
      group: [{ id: 1, name: 'Core', status_page_id: 1 }],
      monitor: [{ id: 7, name: 'API' }],
      monitor_group: [{ id: 3, monitor_id: 7, group_id: 1 }],
      maintenance: [maintenance(fields)],
      maintenance_status_page: [{ maintenance_id: 1, status_page_id: 1 }],
      monitor_maintenance: [{ maintenance_id: 1, monitor_id: 7 }],
    },
    { now, timeZone },
  );

test.each<[string, object, string, string, string]>([
  [
    'on Sundays',
    { strategy: 'recurring-weekday', weekdays: '[0]' },
    'FREQ=WEEKLY;BYDAY=SU',
    '2026-11-29T01:00:00.000Z',
    '2026-11-29T03:00:00.000Z',
  ],
  [
    'by a cron expression',
    { cron: '0 22 * * 5', duration: 3600, start_date: '2026-01-01 00:00:00' },
    'FREQ=WEEKLY;BYDAY=FR',
    '2026-01-02T21:00:00.000Z',
    '2026-01-02T22:00:00.000Z',
  ],
  [
    'every 14 days, past midnight',
    {
      strategy: 'recurring-interval',
      interval_day: 14,
      start_date: '2026-01-05 00:00:00',
      start_time: '23:30:00',
      end_time: '00:30:00',
    },
    'FREQ=DAILY;INTERVAL=14',
    '2026-01-05T22:30:00.000Z',
    '2026-01-05T23:30:00.000Z',
  ],
  [
    'on days of the month, until an end',
    { strategy: 'recurring-day-of-month', days_of_month: '[1,"lastDay1"]', end_date: '2027-01-31 23:59:00' },
    'FREQ=MONTHLY;BYMONTHDAY=1,-1;UNTIL=20270131T225900Z',
    '2026-11-30T01:00:00.000Z',
    '2026-11-30T03:00:00.000Z',
  ],
])('maintenance %s becomes a recurrence', (_, fields, rule, beginsAt, endsAt) => {
  const { recurrences, notices, leftOut } = read(fields);
  expect([leftOut, notices]).toEqual([[], []]);
  expect(recurrences).toEqual([
    {
      sourceId: 'maintenance 1',
      subject: 'Move',
      content: null,
      componentIds: ['monitor 3'],
      endsAt: new Date(endsAt),
      times: expect.any(String),
      schedule: { rule, timezoneName: 'Berlin', beginsAt: new Date(beginsAt), windows: [], onMissingHour: 'later' },
    },
  ]);
});

test.each([
  [
    { cron: '*/5 * * * *', duration: 60 },
    'repeats as the cron expression "*/5 * * * *": it begins more than once a day',
  ],
  [{ cron: '0 22 * * 5', duration: null }, 'has no window'],
  [{ cron: '0 22 * * 5', duration: 60, active: 0 }, 'is paused'],
  [{ cron: '0 22 * * 5', duration: 60, end_date: '2026-02-01 00:00:00', start_date: '2026-01-01 00:00' }, 'is over'],
  [{ strategy: 'recurring-weekday' }, 'has the strategy recurring-weekday without its days'],
  [{ strategy: 'recurring-interval', interval_day: 0 }, 'has the strategy recurring-interval without its days'],
  [
    { strategy: 'recurring-weekday', weekdays: '[0]', end_time: null },
    'has the strategy recurring-weekday without a time',
  ],
  [{ strategy: 'recurring-weekday', weekdays: '[0]', timezone: 'Mars/X' }, 'has the unknown time zone "Mars/X"'],
])('maintenance with %j is left out', (fields, reason) => {
  const { recurrences, leftOut } = read(fields);
  expect([recurrences, leftOut]).toEqual([[], [{ kind: 'recurrence', sourceId: '1', reason }]]);
});

test('what the source says of its times does not change from one day to the next', () => {
  const fields = { strategy: 'recurring-weekday', weekdays: '[0]', timezone: 'SAME_AS_SERVER' };
  expect(read(fields, 'UTC').recurrences![0]!.times).toBe(' 02:00 7200000');
});
