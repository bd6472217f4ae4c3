import type { ComponentImpact, HistoryNotice, OutageState } from './notice-impact.js';

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
 * number of notices, and their sorting.
 */
export function computeUptime(
  { outages }: Pick<ComponentImpact, 'outages'>,
  notices: readonly HistoryNotice[],
  from: number,
  now: number,
  unknown: readonly { from: number; to: number }[] = [],
): Uptime {
  const known = outages
    .filter(({ state }) => state !== 'degraded' && state !== 'partially-degraded')
    .flatMap(({ notices: indexes, state }) =>
      indexes.map(index => {
        const { beganAt, endedAt } = notices[index]!;
        return { state, from: beganAt ? Date.parse(beganAt) : from, to: endedAt ? Date.parse(endedAt) : now };
      }),
    );
  const changes = [...known, ...unknown.map(span => ({ ...span, state: 'unknown' as const }))]
    .flatMap(({ state, ...span }) => {
      const begin = Math.max(from, span.from);
      const end = Math.min(now, span.to);
      if (end <= begin) return [];
      return [
        { at: begin, state, step: 1 },
        { at: end, state, step: -1 },
      ];
    })
    .sort((one, other) => one.at - other.at);
  const open = new Map<OutageState | 'unknown', number>();
  const uptime: Uptime = { countedMs: Math.max(0, now - from), downMs: 0 };
  let since = from;
  for (const { at, state, step } of changes) {
    if (open.get('maintenance')) uptime.countedMs -= at - since;
    else if (open.get('major-outage')) uptime.downMs += at - since;
    else if (open.get('partial-outage')) uptime.downMs += (at - since) / 2;
    else if (open.get('unknown')) uptime.countedMs -= at - since;
    open.set(state, (open.get(state) ?? 0) + step);
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
