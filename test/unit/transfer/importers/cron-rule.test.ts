import { expect, test } from '@jest/globals';
import { readCron } from '../../../../src/transfer/importers/cron-rule.js';

test.each([
  ['0 22 * * 5', 'FREQ=WEEKLY;BYDAY=FR', '22:00'],
  ['30 4 * * *', 'FREQ=DAILY', '04:30'],
  ['0 30 4 * * ?', 'FREQ=DAILY', '04:30'],
  ['5 0 * * MON-WED,7', 'FREQ=WEEKLY;BYDAY=MO,TU,WE,SU', '00:05'],
  ['0 1 * * 0-6', 'FREQ=DAILY', '01:00'],
  ['0 1 1,15 * *', 'FREQ=MONTHLY;BYMONTHDAY=1,15', '01:00'],
  ['0 1 L * *', 'FREQ=MONTHLY;BYMONTHDAY=-1', '01:00'],
  ['0 1 1 */3 *', 'FREQ=MONTHLY;BYMONTHDAY=1;BYMONTH=1,4,7,10', '01:00'],
  ['0 1 * jan,jul *', 'FREQ=DAILY;BYMONTH=1,7', '01:00'],
  ['0 3 * * 2#2', 'FREQ=MONTHLY;BYDAY=2TU', '03:00'],
  ['0 3 * * friL', 'FREQ=MONTHLY;BYDAY=-1FR', '03:00'],
  ['@weekly', 'FREQ=WEEKLY;BYDAY=SU', '00:00'],
])('the cron expression %s is %s at %s', (cron, rule, at) => expect(readCron(cron)).toEqual({ rule, at }));

test.each([
  ['*/5 * * * *', 'it begins more than once a day'],
  ['0 2,14 * * *', 'it begins more than once a day'],
  ['0 2 1 * 5', 'it is for a day of the month or of the week'],
  ['0 2 * * 9', 'it is not known'],
  ['0 2 * * 5-1', 'it is not known'],
  ['0 2 */0 * *', 'it is not known'],
  ['0 2 * *', 'it has not five fields'],
  ['', 'it has not five fields'],
])('the cron expression %j is refused, since %s', (cron, reason) => expect(() => readCron(cron)).toThrow(reason));
