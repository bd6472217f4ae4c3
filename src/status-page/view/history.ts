import type { ManualPeriod } from '../../components/manual-status.rules.js';
import type { UpstreamPeriod } from '../../components/upstream/upstream.rules.js';
import { historyLengthDays } from '../../pages/public-page.js';
import { toCalendarDay, addDays, startOfDay } from './days.js';
import { findUnknown, maskNotices, mergePeriods, toUpstreamNotices } from './manual-periods.js';
import { type ComponentImpact, computeImpacts, computePageImpact, type HistoryNotice } from './notice-impact.js';
import { computeUptime, toShare } from './uptime.js';
import type { HistoryDay } from './history-day.js';
import { createHistorySweep } from './history-sweep.js';
import type { NoticeHistory, PageSnapshot } from './snapshot.js';

/** What a history is computed from: a part of a snapshot, and the moment until which open notices count. */
export interface HistorySource {
  page: Pick<PageSnapshot['page'], 'zone'>;
  components: readonly Pick<PageSnapshot['components'][number], 'id' | 'parentId' | 'createdAt'>[];
  notices: readonly HistoryNotice[];
  /** The manual statuses of components, each of which counts in place of notices. Absent: there are none. */
  periods?: readonly ManualPeriod[];
  /** What upstreams said of components, of which the worst of all counts. Absent: there are none. */
  upstream?: readonly UpstreamPeriod[];
  /** Days before it have no data unless one of the notices affects them. Null or absent: no notice is missing. */
  completeSince?: string | null;
  now: Date;
}

/** The states of a list of days. The arrays are shared: they must not be changed. */
interface History {
  /** By the notices and manual statuses that affect a component. `none` before it was created or first affected. */
  getComponentDays(id: number): HistoryDay[];
  /** Of the time from the first of the days on, or since the first that is known. Null: that is too little. */
  getUptime(id: number): number | null;
  /** By all notices: the worst state of all components and of the notices that name none. Never `none`. */
  getPageDays(): HistoryDay[];
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
export function createHistory(
  { page: { zone }, components, notices: wholeNotices, periods = [], upstream = [], completeSince, now }: HistorySource,
  days: readonly string[],
): History {
  const starts = [...days, addDays(days.at(-1)!, 1)].map(day => startOfDay(day, zone).getTime());
  const ends = days.map((_, index) => Math.min(starts[index + 1]!, now.getTime()));
  // Most days of most components have no outage: all components share these objects.
  const [noDataDays, operationalDays] = (['none', 'operational'] as const).map(state =>
    days.map(date => ({ date, state, minutes: noMinutes, noticeCount: 0, noticeIds: [] })),
  );
  const knownSince = completeSince ? Date.parse(completeSince) : Number.NEGATIVE_INFINITY;
  const notices = [...mergePeriods(wholeNotices, periods), ...toUpstreamNotices(upstream, periods)];
  const unknownById = Map.groupBy(findUnknown(upstream, periods, now.getTime()), ({ componentId }) => componentId);
  const periodsById = Map.groupBy(periods, ({ componentId }) => componentId);
  const boundaries = { days, starts, ends };
  const sweep = createHistorySweep(notices, boundaries, now.getTime());
  const sweptByImpact = new Map<string, ReturnType<typeof sweepImpact>>();
  const histories = new Map<string, HistoryDay[]>();
  const uptimes = new Map<string, number | null>();
  const impacts = computeImpacts(components, notices);
  const indexById = new Map(components.map(({ id }, index) => [id, index]));
  const sweepImpact = (id: number, impact: Pick<ComponentImpact, 'outages'>) => {
    const own = periodsById.get(id);
    if (!own) return { impact, notices, swept: sweep(impact) };
    const masked = maskNotices(notices, impact, id, own);
    return { ...masked, swept: createHistorySweep(masked.notices, boundaries, now.getTime())(masked.impact) };
  };
  const sweepComponent = (id: number) => {
    const index = indexById.get(id)!;
    const impact = impacts[index]!;
    const key = periodsById.has(id) || unknownById.has(id) ? `own ${id}` : impact.key;
    const affecting = sweptByImpact.get(key) ?? sweepImpact(id, impact);
    sweptByImpact.set(key, affecting);
    // A back-dated notice may have begun before the component was created.
    const since = Math.max(knownSince, Math.min(affecting.swept.since, Date.parse(components[index]!.createdAt)));
    return { ...affecting, key, since };
  };
  return {
    getUptime(id) {
      const { impact, notices: affecting, key: impactKey, since } = sweepComponent(id);
      const from = Math.max(starts[0]!, since);
      const key = `${from} ${impactKey}`;
      const cached = uptimes.get(key);
      if (cached !== undefined) return cached;
      const uptime = toShare(computeUptime(impact, affecting, from, now.getTime(), unknownById.get(id)));
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
      sweep(computePageImpact(notices)).days.map(
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
