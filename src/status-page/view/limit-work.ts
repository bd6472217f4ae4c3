import { ComponentTree } from '../../components/component-tree.js';
import type { DayBoundaries } from './history-sweep.js';
import { type ComponentImpact, computeImpacts } from './notice-impact.js';
import { groupSpans, type HistorySource, type Outage, type Span, toOutages, toPeriodOutages } from './outages.js';

/** What a history is computed from, as outages, and how they affect components, by index of the component. */
interface LimitedSource {
  counted: HistorySource;
  outages: readonly Outage[];
  impacts: readonly (ComponentImpact | null)[];
}

/** What takes about a tenth of a second each. */
const maxWork = {
  /** Components that notices name, each with its manual statuses. 50,000 are read, and the last notice whole. */
  named: 60_000,
  /** Components that groups of outages affect. */
  affected: 200_000,
  /** Outages, and days with one, of components that are not affected alike. */
  swept: 100_000,
};

/**
 * The outages of a history and their impacts. Where they take too much work, the older half of what it is computed
 * from is left out until they do not, and days before have no data: no page keeps others waiting by its history.
 */
export function limitWork(source: HistorySource, boundaries: DayBoundaries): LimitedSource {
  const tree = new ComponentTree(source.components);
  for (let counted = source; ; counted = keepNewerHalf(counted)) {
    const limited = tryWork(counted, tree, boundaries);
    if (limited) return limited;
  }
}

/** Null: it takes too much work. */
function tryWork(counted: HistorySource, tree: ComponentTree, boundaries: DayBoundaries): LimitedSource | null {
  const { components, notices, periods = [], upstream = [] } = counted;
  const now = counted.now.getTime();
  const periodsById = groupSpans(periods, now);
  const countParts = (id: number) => 1 + (periodsById.get(id)?.length ?? 0);
  let named = 0;
  for (const { componentIds } of notices) for (const id of componentIds) named += countParts(id);
  if (named > maxWork.named) return null;
  const operational = periods.filter(({ state }) => state === 'operational');
  const operationalById = groupSpans(operational, now);
  const outages = [
    ...notices.flatMap(notice => toOutages(notice, periodsById, now)),
    ...periods.flatMap(period => toPeriodOutages(period, new Map(), now)),
    ...upstream.flatMap(period => toPeriodOutages(period, operationalById, now)),
  ];
  const impacts = computeImpacts(tree, outages, maxWork.affected);
  if (!impacts) return null;
  const days = outages.map(outage => countDays(outage, boundaries));
  const sweptImpacts = new Set<ComponentImpact | null>([null]);
  const withOwn = new Set([...periods, ...upstream].map(({ componentId }) => componentId));
  let swept = 0;
  for (const [index, impact] of impacts.entries()) {
    const { id } = components[index]!;
    if (!withOwn.has(id) && sweptImpacts.has(impact)) continue;
    if (!withOwn.has(id)) sweptImpacts.add(impact);
    let affectedDays = 0;
    for (let each = impact; each; each = each.others) {
      swept += each.outages.length * countParts(id);
      for (const outage of each.outages) affectedDays += days[outage]!;
      if (swept > maxWork.swept) return null;
    }
    swept += Math.min(affectedDays, boundaries.days.length);
  }
  return swept > maxWork.swept ? null : { counted, outages, impacts };
}

/** At most. */
function countDays({ from, to }: Span, { starts, ends }: DayBoundaries): number {
  const ms = Math.min(to, ends.at(-1)!) - Math.max(from, starts[0]!);
  return ms < 0 ? 0 : Math.ceil(ms / 86_400_000) + 1;
}

/** Of those that last, the ones that began first, and of the others those that ended last. */
function keepNewerHalf(source: HistorySource): HistorySource {
  const { notices, periods = [], upstream = [], completeSince } = source;
  const toTime = (time: string | null) => (time ? Date.parse(time) : Number.MAX_SAFE_INTEGER);
  const sorted = [...notices, ...periods, ...upstream].sort(
    (one, other) => toTime(other.endedAt) - toTime(one.endedAt) || toTime(one.beganAt) - toTime(other.beganAt),
  );
  const half = Math.floor(sorted.length / 2);
  const counted = new Set(sorted.slice(0, half));
  const lastLeftOut = sorted.slice(half).find(({ endedAt }) => endedAt)?.endedAt;
  // By their moments: times of the database have the offset of its session.
  const incomplete = [completeSince, lastLeftOut]
    .filter(time => time != null)
    .toSorted((one, other) => Date.parse(one) - Date.parse(other));
  const isCounted = (each: (typeof sorted)[number]) => counted.has(each);
  return {
    ...source,
    notices: notices.filter(isCounted),
    periods: periods.filter(isCounted),
    upstream: upstream.filter(isCounted),
    completeSince: incomplete.at(-1) ?? null,
  };
}
