import { toDistance } from './distance.js';

const units = {
  'distance.lessThanAMinute': 'second',
  'distance.minutes': 'minute',
  'distance.aboutHours': 'hour',
  'distance.days': 'day',
  'distance.aboutMonths': 'month',
  'distance.months': 'month',
  'distance.aboutYears': 'year',
  'distance.overYears': 'year',
  'distance.almostYears': 'year',
} as const;

/** Unit and signed count for `Intl.RelativeTimeFormat`, with the rounding of `toDistance`. */
export function toRelativeTimeUnit(seconds: number): [unit: Intl.RelativeTimeFormatUnit, count: number] {
  const [text, count] = toDistance(seconds);
  return [units[text], count && Math.sign(seconds) * count];
}
