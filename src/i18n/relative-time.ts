import { distanceOf } from './durations.js';

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

/** The unit and number by which `Intl.RelativeTimeFormat` says what the distance in words says, behind the sign of the direction. */
export function relativeUnit(seconds: number): [unit: Intl.RelativeTimeFormatUnit, count: number] {
  const [text, count] = distanceOf(seconds);
  return [units[text], count && Math.sign(seconds) * count];
}
