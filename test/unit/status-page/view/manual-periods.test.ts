import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { computeComponentStates } from '../../../../src/components/component.states.js';
import { manualStatuses } from '../../../../src/components/manual-status.rules.js';
import { findWorstImpact, type Impact, impacts } from '../../../../src/notices/impact.rules.js';
import { toCalendarDay } from '../../../../src/status-page/view/days.js';
import { computeHistory, createHistory } from '../../../../src/status-page/view/history.js';
import { type HistoryState, historyStates } from '../../../../src/status-page/view/history-sweep.js';
import type { ManualPeriod } from '../../../../src/components/manual-status.rules.js';
import { type HistoryNotice, type OutageState, outageStates } from '../../../../src/status-page/view/outages.js';

const minuteMs = 60_000;
const now = Date.parse('2026-11-20T12:00:00.000Z');
const zone = 'Etc/UTC';
/** The component is that old: its uptime is that of the last 8 days. */
const firstMinute = now - 8 * 1_440 * minuteMs;
const toIso = (minute: number) => new Date(firstMinute + minute * minuteMs).toISOString();
const lastMinute = (now - firstMinute) / minuteMs;

const component = (id: number, parentId: number | null) => ({ id, parentId, createdAt: toIso(0) });
const period = (componentId: number, state: ManualPeriod['state'], from: number, to: number | null): ManualPeriod => ({
  componentId,
  state,
  beganAt: toIso(from),
  endedAt: to === null ? null : toIso(to),
});
const incident = (id: number, componentIds: number[], from: number, to: number | null, impact?: Impact) =>
  ({
    id,
    type: 'unplanned',
    state: to === null ? 'investigating' : 'resolved',
    componentIds,
    beganAt: toIso(from),
    endedAt: to === null ? null : toIso(to),
    impacts: impact && Object.fromEntries(componentIds.map(each => [each, impact])),
  }) as HistoryNotice;

type Source = Pick<Parameters<typeof computeHistory>[0], 'components' | 'notices' | 'periods'>;
const compute = (source: Source) => computeHistory({ page: { zone }, now: new Date(now), ...source });

const holds = ({ beganAt, endedAt }: { beganAt: string | null; endedAt: string | null }, at: number) =>
  Date.parse(beganAt!) <= at && (endedAt === null || at < Date.parse(endedAt));

/** The state of each component at a moment, as the page shows it, and the notices that it is from. */
function lookAt({ components, notices, periods = [] }: Source, at: number) {
  const manual = new Map(periods.filter(each => holds(each, at)).map(each => [each.componentId, each.state]));
  const open = notices.filter(each => holds(each, at));
  const hasRecovered = ({ recovered }: HistoryNotice, id: number) => Date.parse(recovered?.[id] ?? '') <= at;
  const isNamed = (notice: HistoryNotice, id: number) =>
    !manual.has(id) && notice.componentIds.includes(id) && !hasRecovered(notice, id);
  const ownImpact = (id: number): Impact | null => {
    const state = manual.get(id);
    if (state) return impacts.find(impact => impact === state) ?? null;
    const naming = open.filter(notice => notice.type === 'unplanned' && isNamed(notice, id));
    return findWorstImpact(naming.map(notice => notice.impacts?.[id] ?? 'degraded'));
  };
  const degraded = new Set(components.map(({ id }) => id).filter(id => ownImpact(id)));
  const states = computeComponentStates(components, degraded);
  const stateOf = (id: number): HistoryState => {
    const state = manual.get(id) ?? ownImpact(id) ?? states.get(id)!;
    if (manual.has(id) || state !== 'operational') return state;
    return open.some(notice => notice.type === 'planned' && isNamed(notice, id)) ? 'maintenance' : state;
  };
  const affects = (notice: HistoryNotice, id: number): boolean => {
    if (manual.has(id)) return false;
    const named = notice.componentIds.filter(each => isNamed(notice, each));
    if (notice.type === 'planned') return named.includes(id);
    return computeComponentStates(components, new Set(named)).get(id) !== 'operational';
  };
  /** All that affect it at once: a day has the minutes of each. */
  const statesOf = (id: number): HistoryState[] => {
    if (manual.has(id)) return [manual.get(id)!];
    const isOutage = (each: number) => impacts.some(impact => impact === manual.get(each));
    const manualOutages = new Set(components.map(one => one.id).filter(isOutage));
    const fromManual = computeComponentStates(components, manualOutages).get(id)!;
    return [
      fromManual,
      ...open
        .filter(notice => affects(notice, id))
        .map(notice => {
          if (notice.type === 'planned') return 'maintenance' as const;
          return isNamed(notice, id) ? (notice.impacts?.[id] ?? 'degraded') : 'partially-degraded';
        }),
    ];
  };
  /** All that affect the page at once: an incident is at least a degradation, also where it affects no component. */
  const pageStates = (): OutageState[] => [
    ...open.map(notice => {
      if (notice.type === 'planned') return 'maintenance' as const;
      const named = notice.componentIds.filter(id => isNamed(notice, id));
      return findWorstImpact(named.map(id => notice.impacts?.[id] ?? 'degraded')) ?? 'degraded';
    }),
    ...[...manual.values()].flatMap(state => outageStates.find(each => each === state) ?? []),
  ];
  return {
    stateOf,
    pageStates,
    statesOf,
    noticesOf: (id: number) => open.filter(notice => affects(notice, id)).map(notice => notice.id!),
  };
}

const minute = fc.integer({ min: 0, max: lastMinute - 1 });
const length = fc.option(fc.integer({ min: 1, max: 2_000 }), { freq: 5 });
const notices = fc
  .array(
    fc.record({
      from: minute,
      length,
      isPlanned: fc.boolean(),
      named: fc.uniqueArray(fc.integer({ min: 1, max: 5 }), { maxLength: 3 }),
      impact: fc.constantFrom(...impacts),
      /** Of the components that it names in turn. */
      recovers: fc.array(fc.option(fc.integer({ min: 0, max: 2_000 })), { maxLength: 2 }),
    }),
    { maxLength: 4 },
  )
  .map(list =>
    list.map(({ from, length: lasts, isPlanned, named, impact, recovers }, index): HistoryNotice => {
      const to = lasts === null || from + lasts >= lastMinute ? null : from + lasts;
      const whole = incident(list.length - index, named, from, to, impact);
      if (isPlanned) return { ...whole, type: 'planned', state: 'underway', impacts: {} };
      const turns = named.flatMap((id, place) =>
        recovers[place] == null ? [] : [[id, toIso(from + recovers[place])]],
      );
      return { ...whole, recovered: Object.fromEntries(turns) };
    }),
  );
/** Of each component one after the other. */
const periods = fc
  .array(
    fc.record({
      id: fc.integer({ min: 1, max: 5 }),
      from: minute,
      state: fc.constantFrom(...manualStatuses),
      length: fc.integer({ min: 1, max: 2_000 }),
    }),
    { maxLength: 6 },
  )
  .map(list =>
    [...Map.groupBy(list, ({ id }) => id).values()].flatMap(own =>
      own
        .toSorted((one, other) => one.from - other.from)
        .flatMap(({ id, from, state, length: lasts }, index, sorted) => {
          const to = Math.min(from + lasts, sorted[index + 1]?.from ?? Number.POSITIVE_INFINITY);
          return to === from ? [] : [period(id, state, from, to >= lastMinute ? null : to)];
        }),
    ),
  );
const trees = fc
  .array(fc.nat(), { minLength: 5, maxLength: 5 })
  .map(choices => choices.map((choice, index) => component(index + 1, choice % (index + 1) || null)));

describe('a history with manual statuses', () => {
  test('is that of a reference that looks at each minute: states, notices and uptime', () => {
    fc.assert(
      fc.property(trees, notices, periods, (components, listed, manual) => {
        const source = { components, notices: listed, periods: manual };
        const histories = compute(source);
        const naive = new Map(
          components.map(({ id }) => [id, { days: new Map<string, Naive>(), counted: 0, down: 0 }]),
        );
        for (let at = firstMinute; at < now; at += minuteMs) {
          const { stateOf, statesOf, noticesOf } = lookAt(source, at);
          const date = toCalendarDay(new Date(at), zone);
          for (const [id, { days }] of naive) {
            const state = stateOf(id);
            const day = days.get(date) ?? { state: 'operational', notices: new Set(), minutes: new Map() };
            days.set(date, day);
            if (historyStates.indexOf(state) > historyStates.indexOf(day.state)) day.state = state;
            for (const notice of noticesOf(id)) day.notices.add(notice);
            for (const one of new Set(statesOf(id))) day.minutes.set(one, (day.minutes.get(one) ?? 0) + 1);
            addMinute(naive.get(id)!, state, source, id, at);
          }
        }
        for (const [id, { days, counted, down }] of naive) {
          const { days: computed, uptime } = histories.get(id)!;
          const shown = computed.filter(({ state }) => state !== 'none');
          expect(shown.map(({ date, state, noticeCount, minutes }) => [date, state, noticeCount, minutes])).toEqual(
            [...days].map(([date, { state, notices: ids, minutes }]) => [
              date,
              state,
              ids.size,
              Object.fromEntries(outageStates.map(one => [one, minutes.get(one) ?? 0])),
            ]),
          );
          if (counted < 7 * 1_440) expect(uptime).toBeNull();
          else expect(uptime).toBeCloseTo(1 - down / counted, 9);
        }
      }),
      { numRuns: 20 },
    );
  });

  test('has on the page as a whole the worst of each minute', () => {
    fc.assert(
      fc.property(trees, notices, periods, (components, listed, manual) => {
        const source = { components, notices: listed, periods: manual };
        const minutes = new Map<string, Map<OutageState, number>>();
        for (let at = firstMinute; at < now; at += minuteMs) {
          const date = toCalendarDay(new Date(at), zone);
          const day = minutes.get(date) ?? new Map<OutageState, number>();
          minutes.set(date, day);
          for (const state of new Set(lookAt(source, at).pageStates())) day.set(state, (day.get(state) ?? 0) + 1);
        }
        const history = createHistory({ page: { zone }, now: new Date(now), ...source }, [...minutes.keys()]);
        expect(history.getPageDays().map(({ date, state, minutes: ofDay }) => [date, state, ofDay])).toEqual(
          [...minutes].map(([date, day]) => [
            date,
            outageStates.findLast(state => day.has(state)) ?? 'operational',
            Object.fromEntries(outageStates.map(state => [state, day.get(state) ?? 0])),
          ]),
        );
      }),
      { numRuns: 10 },
    );
  });

  test('has a manual status in place of the notices that name the component', () => {
    const source = {
      components: [component(1, null), component(2, null)],
      notices: [incident(7, [1, 2], 60, 600, 'major-outage')],
      periods: [period(1, 'operational', 120, 180)],
    };
    const [first, second] = [1, 2].map(
      id =>
        compute(source)
          .get(id)!
          .days.find(day => day.state !== 'none')!,
    );
    expect(first).toMatchObject({ state: 'major-outage', noticeCount: 1, noticeIds: [7] });
    expect([first!.minutes['major-outage'], second!.minutes['major-outage']]).toEqual([480, 540]);
  });

  test('has an outage without a notice, which the page and the ancestors have, too', () => {
    const source = {
      components: [component(1, null), component(2, 1)],
      notices: [],
      periods: [period(2, 'partial-outage', lastMinute - 30, null)],
    };
    const days = compute(source);
    expect(days.get(2)!.days.at(-1)).toMatchObject({ state: 'partial-outage', noticeCount: 0, noticeIds: [] });
    expect(days.get(2)!.days.at(-1)!.minutes['partial-outage']).toBe(30);
    expect(days.get(1)!.days.at(-1)!.state).toBe('partially-degraded');
    const page = createHistory({ page: { zone }, now: new Date(now), ...source }, ['2026-11-20']).getPageDays();
    expect(page).toMatchObject([{ state: 'partial-outage', noticeCount: 0 }]);
  });
});

interface Naive {
  state: HistoryState;
  notices: Set<number>;
  minutes: Map<HistoryState, number>;
}

/** Maintenance does not count, also where an incident is worse at the same time. */
function addMinute(
  uptime: { counted: number; down: number },
  state: HistoryState,
  { notices: listed, periods: manual = [] }: Source,
  id: number,
  at: number,
): void {
  const own = manual.find(each => each.componentId === id && holds(each, at));
  const isMaintained = listed.some(
    notice => notice.type === 'planned' && notice.componentIds.includes(id) && holds(notice, at),
  );
  if (own ? own.state === 'maintenance' : isMaintained) return;
  uptime.counted += 1;
  if (state === 'major-outage') uptime.down += 1;
  else if (state === 'partial-outage') uptime.down += 0.5;
}
