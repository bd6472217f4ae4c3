import { formatTimestamp, TimeWithoutOffset } from '../core/timestamp.js';
import { type Problem, problems } from '../core/problems.js';
import type { Validation } from '../core/validation.js';
import { findOffset, findZone, formatOffset } from './time-zones.js';

/**
 * Refuses the times of an input that have no offset: they could be meant in UTC or in the time zone of the page. The
 * input may be a member of a list.
 */
export function refuseTimesWithoutOffset(
  input: object,
  timeZone: string,
  validation: Validation,
  member?: { list: string; index: number },
): void {
  for (const [key, value] of Object.entries(input)) {
    if (!(value instanceof TimeWithoutOffset)) continue;
    const problem = explain(value, timeZone);
    if (member) validation.addError(member.list, { ...problem, index: member.index, key });
    else validation.addError(key, problem);
  }
}

function explain(time: TimeWithoutOffset, timeZone: string): Problem {
  const zone = findZone(timeZone);
  const inUtc = formatTimestamp(time).replace('.000', '');
  // The offset of a local time is that of the moment it stands for, which is one or two offsets away from this one.
  const offset = findOffset(zone, new Date(time.getTime() - findOffset(zone, time) * 60_000));
  const zoneOfPage = `the time zone of the page (${timeZone})`;
  const readings =
    offset === 0
      ? `would be ${inUtc} in UTC and in ${zoneOfPage}`
      : `could be ${inUtc} in UTC, or ${inUtc.slice(0, -1)}${formatOffset(offset)} in ${zoneOfPage}`;
  const reading = `"${time.text}" ${readings}`;
  return { ...problems.invalid(`must have an offset: ${reading}`), hidesValue: true };
}
