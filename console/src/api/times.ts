import { useEffect, useState } from 'react';

const minuteMs = 60_000;

/** The current time, by default again every half minute. */
export function useNow(intervalMs = minuteMs / 2): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), intervalMs);
    return () => clearInterval(timer);
  }, [intervalMs]);
  return now;
}

/** "less than 1 min", "12 min", "3 h 5 min", "4 days". */
export function formatDuration(ms: number): string {
  const minutes = Math.max(0, Math.floor(ms / minuteMs));
  if (!minutes) return 'less than 1 min';
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return minutes % 60 ? `${hours} h ${minutes % 60} min` : `${hours} h`;
  const days = Math.floor(hours / 24);
  return days === 1 ? '1 day' : `${days} days`;
}

/**
 * "in 3 h", "12 min ago", "now": rounded as the public page does, to minutes below an hour, hours below two days, then
 * days, so that both say the same of one moment.
 */
export function formatDistance(time: string, now: number): string {
  const minutes = Math.round((Date.parse(time) - now) / minuteMs);
  const size = Math.abs(minutes);
  if (!size) return 'now';
  const length =
    size < 60
      ? `${size} min`
      : size < 2_880
        ? `${Math.abs(Math.round(minutes / 60))} h`
        : `${Math.abs(Math.round(minutes / 1_440))} days`;
  return minutes > 0 ? `in ${length}` : `${length} ago`;
}

/** Of 12 or of 24 hours, by the language of the browser; texts are in English in any case. */
const { hourCycle = 'h23' } = new Intl.DateTimeFormat(undefined, { hour: 'numeric' }).resolvedOptions();
const has12Hours = hourCycle === 'h12' || hourCycle === 'h11';

/** The times of day in an English text of the service, "at 14:30", by the same clock. */
export const toReadersClock = (text: string): string =>
  has12Hours
    ? text.replace(/\b([01]\d|2[0-3]):([0-5]\d)\b/g, (_, hours: string, minutes: string) => {
        const hour = Number(hours);
        return `${hour % 12 || 12}:${minutes} ${hour < 12 ? 'am' : 'pm'}`;
      })
    : text;

/** The time zones of the service have names of their own; browsers know those of IANA only. */
export function formatTime(time: string, timeZone?: string): string {
  const isThisYear = new Date(time).getFullYear() === new Date().getFullYear();
  return new Intl.DateTimeFormat('en-GB', {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    year: isThisYear ? undefined : 'numeric',
    hour: has12Hours ? 'numeric' : '2-digit',
    minute: '2-digit',
    hourCycle,
    timeZone,
  }).format(new Date(time));
}
