import { type ManualPeriod, toImpact } from '../../components/manual-status.rules.js';
import type { UpstreamPeriod } from '../../components/upstream/upstream.rules.js';
import { defaultImpact, findWorstImpact, type Impact, impacts, worstImpactOf } from '../../notices/impact.rules.js';
import type { PageSnapshot, SnapshotNotice } from './snapshot.js';

/** From best to worst. */
export const outageStates = ['maintenance', 'partially-degraded', ...impacts] as const;
export type OutageState = (typeof outageStates)[number];

/** What a history needs of a notice. */
export type HistoryNotice = Pick<
  SnapshotNotice,
  'id' | 'type' | 'state' | 'beganAt' | 'endedAt' | 'componentIds' | 'impacts' | 'recovered'
>;

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

/** In milliseconds. What lasts ends now. */
export interface Span {
  from: number;
  to: number;
}

/** A part of a notice, a manual status or what an upstream said, in which the same components are affected. */
export interface Outage extends Span {
  /** Of the notice. Null: it is none. */
  noticeId: number | null;
  isPlanned: boolean;
  componentIds: readonly number[];
  /** By id of the component, where it is not the default. */
  impacts?: Readonly<Record<number, Impact>>;
}

/** An outage as a component, or the page, is affected by it. */
export interface OutageSpan extends Span {
  noticeId: number | null;
  state: OutageState;
}

/** By component: spans of time, sorted, which do not overlap. */
type SpansById = ReadonlyMap<number, readonly Span[]>;

function toSpan({ beganAt, endedAt }: Pick<ManualPeriod, 'beganAt' | 'endedAt'>, now: number): Span {
  const from = Date.parse(beganAt);
  return { from, to: Math.max(from, endedAt ? Date.parse(endedAt) : now) };
}

export function groupSpans(periods: readonly Omit<ManualPeriod, 'state'>[], now: number): SpansById {
  const byId = Map.groupBy(periods, ({ componentId }) => componentId);
  return new Map([...byId].map(([id, own]) => [id, joinSpans(own.map(period => toSpan(period, now)))]));
}

function joinSpans(spans: readonly Span[]): Span[] {
  const joined: Span[] = [];
  for (const { from, to } of spans.toSorted((one, other) => one.from - other.from)) {
    const last = joined.at(-1);
    if (last && from <= last.to) last.to = Math.max(last.to, to);
    else joined.push({ from, to });
  }
  return joined;
}

/** The parts of a span outside of others. One without duration is whole, or within another. */
function excludeSpans({ from, to }: Span, others: readonly Span[]): Span[] {
  if (from === to) return others.some(other => other.from <= from && from < other.to) ? [] : [{ from, to }];
  const parts: Span[] = [];
  let begin = from;
  for (const other of others) {
    if (other.from >= to) break;
    if (other.from > begin) parts.push({ from: begin, to: other.from });
    begin = Math.max(begin, other.to);
  }
  return begin < to ? [...parts, { from: begin, to }] : parts;
}

/** The whole time of a notice. Null: it does not count, like false alarms and maintenance that never began. */
function toWholeSpan({ type, state, beganAt, endedAt }: HistoryNotice, now: number): Span | null {
  return type === 'general' || state === 'false_alarm' || beganAt === null ? null : toSpan({ beganAt, endedAt }, now);
}

/**
 * A notice as outages, sorted by begin: one, or one for each time in which it affects components. It affects none that
 * is operational again, or that has a manual status. It takes time proportional to the components that it names.
 */
export function toOutages(notice: HistoryNotice, periods: SpansById, now: number): Outage[] {
  const { id: noticeId, type, componentIds, impacts: byId, recovered = {} } = notice;
  const whole = toWholeSpan(notice, now);
  if (!whole) return [];
  const common = { noticeId, isPlanned: type === 'planned', impacts: byId };
  if (!componentIds.some(id => recovered[id] !== undefined || periods.has(id)))
    return [{ ...common, ...whole, componentIds }];
  const parts = componentIds.flatMap(componentId => {
    const recoveredAt = Date.parse(recovered[componentId] ?? '');
    if (recoveredAt <= whole.from) return [];
    const affected = recoveredAt < whole.to ? { ...whole, to: recoveredAt } : whole;
    return excludeSpans(affected, periods.get(componentId) ?? []).map(span => ({ ...span, componentId }));
  });
  return [...Map.groupBy(parts, ({ from, to }) => `${from} ${to}`).values()]
    .map(same => ({
      ...common,
      from: same[0]!.from,
      to: same[0]!.to,
      componentIds: same.map(({ componentId }) => componentId),
    }))
    .sort((one, other) => one.from - other.from);
}

/** A manual status, or what an upstream said, as outages; none while the component was operational or unknown. */
export function toPeriodOutages(period: ManualPeriod | UpstreamPeriod, excluded: SpansById, now: number): Outage[] {
  const { componentId, state } = period;
  if (state === 'operational' || state === 'unknown') return [];
  const impact = toImpact(state);
  const common = {
    noticeId: null,
    isPlanned: !impact,
    componentIds: [componentId],
    impacts: impact ? { [componentId]: impact } : {},
  };
  return excludeSpans(toSpan(period, now), excluded.get(componentId) ?? []).map(span => ({ ...common, ...span }));
}

/** The begins and the ends of spans, in their order. */
export const toChanges = <Item extends Span>(spans: readonly Item[]) =>
  spans
    .flatMap(span => [
      { at: span.from, span, step: 1 },
      { at: span.to, span, step: -1 },
    ])
    .sort((one, other) => one.at - other.at);

/** By component: when its upstream was unknown, and no person had set its state. */
export function findUnknown(upstream: readonly UpstreamPeriod[], periods: SpansById, now: number): SpansById {
  const unknown = Map.groupBy(
    upstream.filter(({ state }) => state === 'unknown'),
    ({ componentId }) => componentId,
  );
  const exclude = (id: number, own: readonly UpstreamPeriod[]) =>
    own.flatMap(period => excludeSpans(toSpan(period, now), periods.get(id) ?? []));
  return new Map([...unknown].map(([id, own]) => [id, exclude(id, own)]));
}

/**
 * An outage as a component is affected by it. A manual status of the component, and what its upstream said, count in
 * their whole time, and all else without the time in which it had a manual status.
 */
export function toComponentSpans(
  { noticeId, componentIds, from, to }: Outage,
  state: OutageState,
  componentId: number,
  periods: readonly Span[] | undefined,
): OutageSpan[] {
  const isOwn = noticeId === null && componentIds[0] === componentId;
  const spans = isOwn || !periods ? [{ from, to }] : excludeSpans({ from, to }, periods);
  return spans.map(span => ({ ...span, noticeId, state }));
}

/**
 * The spans of a component, without those in which others that a notice names affect it while the notice names it
 * itself. The spans of a notice are together, and sorted by begin.
 */
export function preferNamed(spans: readonly OutageSpan[]): OutageSpan[] {
  return [...Map.groupBy(spans, ({ noticeId }) => noticeId)].flatMap(([noticeId, same]) => {
    if (noticeId === null || same.length === 1) return same;
    const [named, others] = [true, false].map(isNamed =>
      same.filter(({ state }) => (state !== 'partially-degraded') === isNamed),
    );
    const joined = joinSpans(named!);
    const left = others!.flatMap(span => excludeSpans(span, joined).map(part => ({ ...span, ...part })));
    return [...named!, ...left].sort((one, other) => one.from - other.from);
  });
}

/** The outages of all notices, manual statuses and upstreams as the page as a whole is affected by them. */
export function listPageSpans(
  notices: readonly HistoryNotice[],
  outages: readonly Outage[],
  now: number,
): OutageSpan[] {
  const byNotice = Map.groupBy(outages, ({ noticeId }) => noticeId);
  const ofNotices = notices.flatMap((notice): OutageSpan[] => {
    const { id: noticeId, type } = notice;
    const whole = toWholeSpan(notice, now);
    if (!whole) return [];
    if (type === 'planned') return [{ ...whole, noticeId, state: 'maintenance' }];
    return listWorst(whole, byNotice.get(noticeId) ?? []).map(span => ({ ...span, noticeId }));
  });
  const others = (byNotice.get(null) ?? []).map((outage): OutageSpan => {
    const { noticeId, from, to, isPlanned } = outage;
    return { noticeId, from, to, state: isPlanned ? 'maintenance' : worstImpactOf(outage) };
  });
  return [...ofNotices, ...others];
}

/** The worst impact of an incident at each time. It is at least a degradation, also while it affects no component. */
function listWorst(whole: Span, outages: readonly Outage[]): (Span & { state: Impact })[] {
  if (whole.from === whole.to) return [{ ...whole, state: findWorst(outages.map(worstImpactOf)) }];
  const lasting = new Map<Impact, number>();
  const spans: (Span & { state: Impact })[] = [];
  let { from } = whole;
  for (const { at, span, step } of [...toChanges(outages), { at: whole.to, span: null, step: 0 }]) {
    const state = findWorst(impacts.filter(impact => lasting.get(impact)));
    const last = spans.at(-1);
    if (last?.state === state) last.to = at;
    else if (at > from) spans.push({ from, to: at, state });
    from = at;
    if (span) lasting.set(worstImpactOf(span), (lasting.get(worstImpactOf(span)) ?? 0) + step);
  }
  return spans;
}

const findWorst = (list: readonly Impact[]): Impact => findWorstImpact(list) ?? defaultImpact;
