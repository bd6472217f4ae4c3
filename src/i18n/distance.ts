/** A rounded distance in time: the key of its text, and the number in that text. */
type Distance = readonly [
  text:
    | 'distance.lessThanAMinute'
    | 'distance.minutes'
    | 'distance.aboutHours'
    | 'distance.days'
    | 'distance.aboutMonths'
    | 'distance.months'
    | 'distance.aboutYears'
    | 'distance.overYears'
    | 'distance.almostYears',
  count: number,
];

const hour = 60;
const day = 24 * hour;
const month = 30 * day;
const year = 365 * day;

/** The thresholds of Rails and date-fns: rounds to minutes first, then uses each unit until the next one is nearer. */
export function toDistance(seconds: number): Distance {
  const minutes = Math.round(Math.abs(seconds) / 60);
  if (minutes < 1) return ['distance.lessThanAMinute', 0];
  if (minutes < 45) return ['distance.minutes', minutes];
  if (minutes < 90) return ['distance.aboutHours', 1];
  if (minutes < day) return ['distance.aboutHours', Math.round(minutes / hour)];
  if (minutes < 42 * hour) return ['distance.days', 1];
  if (minutes < month) return ['distance.days', Math.round(minutes / day)];
  if (minutes < 2 * month) return ['distance.aboutMonths', Math.round(minutes / month)];
  if (minutes < year) return ['distance.months', Math.round(minutes / month)];
  const years = Math.floor(minutes / year);
  const rest = minutes % year;
  if (rest < year / 4) return ['distance.aboutYears', years];
  if (rest < (year * 3) / 4) return ['distance.overYears', years];
  return ['distance.almostYears', years + 1];
}
