import { historyLengthDays } from '../../pages/public-page.js';
import { toCalendarDay, addDays, startOfDay } from './days.js';
import { type HistoryDay, type SweptHistory, sweepDays } from './history-sweep.js';
import { limitWork } from './limit-work.js';
import { type ComponentImpact, listOutages } from './notice-impact.js';
import {
  findUnknown,
  groupSpans,
  type HistorySource,
  listPageSpans,
  type OutageSpan,
  preferNamed,
  toComponentSpans,
} from './outages.js';
import type { NoticeHistory, PageSnapshot } from './snapshot.js';
import { computeUptime, toShare } from './uptime.js';

/** The states of a list of days. The arrays are shared: they must not be changed. */
interface History {
  /** By the notices and manual statuses that affect a component. `none` before it was created or first affected. */
  getComponentDays(id: number): HistoryDay[];
  /** Of the time from the first of the days on, or since the first that is known. Null: that is too little. */
  getUptime(id: number): number | null;
  /** By all notices: the worst state of all components and of the notices that name none. Never `none`. */
  getPageDays(): HistoryDay[];
}

interface SweptImpact {
  /** Of what is computed from it. */
  key: number;
  affecting: OutageSpan[];
  swept: SweptHistory;
}

interface ComponentHistory {
  days: HistoryDay[];
  uptime: number | null;
}

/** The last 90 days of each component, today included, by component id. */
export function computeHistory(source: HistorySource): Map<number, ComponentHistory> {
  const today = toCalendarDay(source.now, source.page.zone);
  const days = Array.from({ length: historyLengthDays }, (_, index) => addDays(today, index + 1 - historyLengthDays));
  const history = createHistory(source, days);
  return new Map(
    source.components.map(({ id }) => [id, { days: history.getComponentDays(id), uptime: history.getUptime(id) }]),
  );
}

/**
 * The history over successive days: every bar of the page reads from it. Maintenance counts while it is underway.
 * An open notice on a root affects every component on every day. So components with the same impact share one array,
 * and the cost per component grows with the number of its notices, not with notices times days.
 */
export function createHistory(source: HistorySource, days: readonly string[]): History {
  const { zone } = source.page;
  const now = source.now.getTime();
  const starts = [...days, addDays(days.at(-1)!, 1)].map(day => startOfDay(day, zone).getTime());
  const ends = days.map((_, index) => Math.min(starts[index + 1]!, now));
  // Most days of most components have no outage: all components share these objects.
  const [noDataDays, operationalDays] = (['none', 'operational'] as const).map(state =>
    days.map(date => ({ date, state, minutes: noMinutes, noticeCount: 0, noticeIds: [] })),
  );
  const boundaries = { days, starts, ends };
  const { counted, outages, impacts } = limitWork(source, boundaries);
  const { components, notices, periods = [], upstream = [], completeSince } = counted;
  const knownSince = completeSince ? Date.parse(completeSince) : Number.NEGATIVE_INFINITY;
  const periodsById = groupSpans(periods, now);
  const unknownById = findUnknown(upstream, periodsById, now);
  const sweptByImpact = new Map<ComponentImpact | number | null, SweptImpact>();
  const histories = new Map<string, HistoryDay[]>();
  const uptimes = new Map<string, number | null>();
  const indexById = new Map(components.map(({ id }, index) => [id, index]));
  const sweepImpact = (id: number, impact: ComponentImpact | null): SweptImpact => {
    const spans = listOutages(impact).flatMap(({ index, state }) =>
      toComponentSpans(outages[index]!, state, id, periodsById.get(id)),
    );
    const affecting = preferNamed(spans);
    return { key: sweptByImpact.size, affecting, swept: sweepDays(affecting, boundaries) };
  };
  const sweepComponent = (id: number) => {
    const index = indexById.get(id)!;
    const impact = impacts[index]!;
    // Components that are affected alike share it, but for those with times of their own.
    const alike = periodsById.has(id) || unknownById.has(id) ? id : impact;
    const sweptImpact = sweptByImpact.get(alike) ?? sweepImpact(id, impact);
    sweptByImpact.set(alike, sweptImpact);
    // A back-dated notice may have begun before the component was created.
    const since = Math.max(knownSince, Math.min(sweptImpact.swept.since, Date.parse(components[index]!.createdAt)));
    return { ...sweptImpact, since };
  };
  return {
    getUptime(id) {
      const { affecting, key: impactKey, since } = sweepComponent(id);
      const from = Math.max(starts[0]!, since);
      const key = `${from} ${impactKey}`;
      const cached = uptimes.get(key);
      if (cached !== undefined) return cached;
      const uptime = toShare(computeUptime(affecting, from, now, unknownById.get(id)));
      uptimes.set(key, uptime);
      return uptime;
    },
    getComponentDays(id) {
      const { key: impactKey, swept, since } = sweepComponent(id);
      const firstKnownDay = ends.findIndex(end => end > since);
      const key = `${firstKnownDay} ${impactKey}`;
      const isUnknown = (day: number) =>
        ends[day]! <= since ||
        unknownById.get(id)?.some(({ from, to }) => from <= starts[day]! && ends[day]! <= to && starts[day]! < to);
      const history =
        histories.get(key) ??
        swept.days.map(
          (day, dayIndex) => day ?? (isUnknown(dayIndex) ? noDataDays![dayIndex]! : operationalDays![dayIndex]!),
        );
      histories.set(key, history);
      return history;
    },
    getPageDays: () =>
      sweepDays(listPageSpans(notices, outages, now), boundaries).days.map(
        (day, index) => day ?? (ends[index]! <= knownSince ? noDataDays![index]! : operationalDays![index]!),
      ),
  };
}

const noMinutes = { maintenance: 0, 'partially-degraded': 0, degraded: 0, 'partial-outage': 0, 'major-outage': 0 };

/** Of a snapshot without one: its notices, and the manual statuses that hold. */
export const listHistory = ({ notices, components }: PageSnapshot): NoticeHistory => ({
  notices,
  periods: components.flatMap(({ id, manual }) => (manual ? { ...manual, componentId: id, endedAt: null } : [])),
  completeSince: null,
});
