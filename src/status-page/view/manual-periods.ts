import { type ManualPeriod, toImpact } from '../../components/manual-status.rules.js';
import type { UpstreamPeriod } from '../../components/upstream/upstream.rules.js';
import type { ComponentImpact, HistoryNotice } from './notice-impact.js';

type Span = Pick<ManualPeriod, 'beganAt' | 'endedAt'>;

const beginOf = ({ beganAt }: Span): number => Date.parse(beganAt);
const endOf = ({ endedAt }: { endedAt: string | null }): number =>
  endedAt ? Date.parse(endedAt) : Number.POSITIVE_INFINITY;
const contains = (period: Span, moment: number): boolean => beginOf(period) <= moment && moment < endOf(period);

/**
 * Notices and periods as one list for a history, in which a notice does not affect a component that has a manual
 * status: it is cut into pieces, each with the components that it affects then, and these follow each other.
 */
export function mergePeriods(
  notices: readonly HistoryNotice[],
  periods: readonly ManualPeriod[],
): readonly HistoryNotice[] {
  const affecting = notices.flatMap(leaveOutRecovered);
  if (!periods.length) return affecting;
  const periodsById = Map.groupBy(periods, ({ componentId }) => componentId);
  const pieces = affecting.flatMap(notice => {
    const own = notice.componentIds.flatMap(id => periodsById.get(id) ?? []);
    return cutNotice(notice, own).map(({ piece, begin }) => {
      const isManual = (id: number) => periodsById.get(id)?.some(period => contains(period, begin));
      return { ...piece, componentIds: piece.componentIds.filter(id => !isManual(id)) };
    });
  });
  return [...pieces, ...periods.flatMap(toNotice)];
}

/** A notice in pieces, each with the components that are not operational again then. */
function leaveOutRecovered(notice: HistoryNotice): HistoryNotice[] {
  const { recovered = {} } = notice;
  const spans = Object.values(recovered).map(beganAt => ({ beganAt, endedAt: null }));
  if (!spans.length) return [notice];
  return cutNotice(notice, spans).map(({ piece, begin }) => ({
    ...piece,
    componentIds: piece.componentIds.filter(id => !(Date.parse(recovered[id] ?? '') <= begin)),
  }));
}

/** What upstreams said as notices, without the time in which a person said that a component is operational. */
export const toUpstreamNotices = (
  upstream: readonly UpstreamPeriod[],
  periods: readonly ManualPeriod[],
): readonly HistoryNotice[] =>
  mergePeriods(
    upstream.flatMap(toNotice),
    periods.filter(({ state }) => state === 'operational'),
  );

/** When the upstream of a component was unknown, and no person had set its state, in milliseconds. */
export const findUnknown = (upstream: readonly UpstreamPeriod[], periods: readonly ManualPeriod[], now: number) =>
  upstream
    .filter(({ state }) => state === 'unknown')
    .flatMap(({ componentId, beganAt, endedAt }) => {
      const span: HistoryNotice = {
        id: null,
        type: 'planned',
        state: null,
        beganAt,
        endedAt,
        componentIds: [componentId],
      };
      return excludePeriods(
        span,
        periods.filter(period => period.componentId === componentId),
      ).map(part => ({ componentId, from: Date.parse(part.beganAt!), to: Math.min(now, endOf(part)) }));
    });

/** The notices that affect a component, without the time in which it had a manual status, and how they affect it. */
export function maskNotices(
  notices: readonly HistoryNotice[],
  { outages }: Pick<ComponentImpact, 'outages'>,
  componentId: number,
  periods: readonly ManualPeriod[],
): { notices: HistoryNotice[]; impact: Pick<ComponentImpact, 'outages'> } {
  const states = new Map(
    outages.flatMap(({ notices: indexes, state }) => indexes.map(index => [index, state] as const)),
  );
  const parts = [...states]
    .toSorted(([one], [other]) => one - other)
    .flatMap(([index, state]) => {
      const notice = notices[index]!;
      const isOwn = notice.id === null && notice.componentIds[0] === componentId;
      return (isOwn ? [notice] : excludePeriods(notice, periods)).map(part => ({ notice: part, state }));
    });
  const indexesByState = Map.groupBy(parts.keys(), index => parts[index]!.state);
  return {
    notices: parts.map(({ notice }) => notice),
    impact: { outages: [...indexesByState].map(([state, indexes]) => ({ notices: indexes, state })) },
  };
}

/** The parts of a notice that are in none of the periods. */
const excludePeriods = (notice: HistoryNotice, periods: readonly ManualPeriod[]): HistoryNotice[] =>
  cutNotice(notice, periods)
    .filter(({ begin }) => !periods.some(period => contains(period, begin)))
    .map(({ piece }) => piece);

/** The notice, cut where one of the periods begins or ends. */
function cutNotice(notice: HistoryNotice, periods: readonly Span[]): { piece: HistoryNotice; begin: number }[] {
  const { beganAt, endedAt } = notice;
  if (beganAt === null) return [{ piece: notice, begin: Number.NaN }];
  const begin = Date.parse(beganAt);
  const end = endOf(notice);
  const cuts = periods.flatMap(period => [beginOf(period), endOf(period)]).filter(at => begin < at && at < end);
  const bounds = [begin, ...new Set(cuts.sort((one, other) => one - other))];
  const toIso = (at: number) => new Date(at).toISOString();
  return bounds.map((from, index) => ({
    begin: from,
    piece: {
      ...notice,
      beganAt: toIso(from),
      endedAt: index < bounds.length - 1 ? toIso(bounds[index + 1]!) : endedAt,
    },
  }));
}

/** A period as a notice that names its component; none for one in which it was operational or unknown. */
function toNotice({ componentId, state, beganAt, endedAt }: ManualPeriod | UpstreamPeriod): HistoryNotice[] {
  if (state === 'operational' || state === 'unknown') return [];
  const impact = toImpact(state);
  return [
    {
      id: null,
      type: impact ? 'unplanned' : 'planned',
      state: null,
      beganAt,
      endedAt,
      componentIds: [componentId],
      impacts: impact ? { [componentId]: impact } : {},
    },
  ];
}
