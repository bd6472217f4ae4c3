import { type OutageSpan, type Span, toChanges } from './outages.js';

/** Milliseconds of a period. */
interface Uptime {
  /** Without maintenance. */
  countedMs: number;
  /** Of the counted time. A partial outage counts half. */
  downMs: number;
}

/** Shorter periods say little. */
const minCountedMs = 7 * 86_400_000;

/**
 * The uptime of a component between two moments. At each moment its worst outage counts; time under maintenance does
 * not count at all, nor does time in which its upstream was unknown without an outage. Takes time proportional to the
 * number of outages, and their sorting.
 */
export function computeUptime(
  outages: readonly Pick<OutageSpan, 'state' | 'from' | 'to'>[],
  from: number,
  now: number,
  unknown: readonly Span[] = [],
): Uptime {
  const counted = [
    ...outages.filter(({ state }) => state !== 'degraded' && state !== 'partially-degraded'),
    ...unknown.map(span => ({ ...span, state: 'unknown' as const })),
  ].flatMap(({ state, ...span }) => {
    const part = { state, from: Math.max(from, span.from), to: Math.min(now, span.to) };
    return part.from < part.to ? [part] : [];
  });
  const lasting = new Map<(typeof counted)[number]['state'], number>();
  const uptime: Uptime = { countedMs: Math.max(0, now - from), downMs: 0 };
  let since = from;
  for (const { at, span, step } of toChanges(counted)) {
    if (lasting.get('maintenance')) uptime.countedMs -= at - since;
    else if (lasting.get('major-outage')) uptime.downMs += at - since;
    else if (lasting.get('partial-outage')) uptime.downMs += (at - since) / 2;
    else if (lasting.get('unknown')) uptime.countedMs -= at - since;
    lasting.set(span.state, (lasting.get(span.state) ?? 0) + step);
    since = at;
  }
  return uptime;
}

/** From 0 to 1. Null: too little time is counted. */
export const toShare = ({ countedMs, downMs }: Uptime): number | null =>
  countedMs < minCountedMs ? null : 1 - downMs / countedMs;

/** The uptime that the page shows. Not of a group, which incidents rarely name themselves. */
export const getShownUptime = (
  { shouldShowUptime }: { shouldShowUptime?: boolean },
  { uptime, children }: { uptime: number | null; children: readonly unknown[] },
): number | null => (shouldShowUptime === false || children.length ? null : uptime);
