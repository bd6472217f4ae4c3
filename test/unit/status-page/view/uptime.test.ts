import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { defaultImpact, type Impact, impacts } from '../../../../src/notices/impact.rules.js';
import { computeHistory } from '../../../../src/status-page/view/history.js';
import { type HistoryNotice, listPageSpans, toOutages } from '../../../../src/status-page/view/outages.js';
import { computeUptime } from '../../../../src/status-page/view/uptime.js';

const now = Date.parse('2026-11-20T14:30:00.000Z');
const dayMs = 86_400_000;
const iso = (ms: number) => new Date(ms).toISOString();

interface Span {
  type: 'unplanned' | 'planned';
  from: number;
  to: number | null;
  impact: Impact;
}

const toNotices = (spans: readonly Span[]): HistoryNotice[] =>
  spans.map(({ type, from, to, impact }, index) => ({
    id: index + 1,
    type,
    state: to === null ? 'investigating' : 'resolved',
    beganAt: iso(from),
    endedAt: to === null ? null : iso(to),
    componentIds: [1],
    impacts: impact === defaultImpact ? undefined : { 1: impact },
  }));

const computeShare = (spans: readonly Span[], createdAt = now - 365 * dayMs) =>
  computeHistory({
    page: { zone: 'Etc/UTC' },
    components: [{ id: 1, parentId: null, createdAt: iso(createdAt) }],
    notices: toNotices(spans),
    now: new Date(now),
  }).get(1)!.uptime;

const span = (impact: Impact, from: number, to: number | null, type: Span['type'] = 'unplanned'): Span => ({
  type,
  from,
  to,
  impact,
});

describe('the uptime of a component', () => {
  test('is to the second that of a reference that looks at each second', () => {
    const from = now - 3_600_000;
    const seconds = fc.integer({ min: -600, max: 3_600 });
    const spans = fc.array(
      fc.record({
        type: fc.constantFrom('unplanned' as const, 'planned' as const),
        begin: seconds,
        length: fc.option(fc.integer({ min: 0, max: 1_200 })),
        impact: fc.constantFrom(...impacts),
      }),
      { maxLength: 12 },
    );
    fc.assert(
      fc.property(spans, generated => {
        const notices = toNotices(
          generated.map(({ type, begin, length, impact }) => ({
            type,
            impact,
            from: from + begin * 1_000,
            to: length === null ? null : from + (begin + length) * 1_000,
          })),
        );
        const uptime = computeUptime(
          notices.flatMap(notice => listPageSpans([notice], toOutages(notice, new Map(), now), now)),
          from,
          now,
        );
        const naive = { countedMs: 0, downMs: 0 };
        for (let at = from; at < now; at += 1_000) {
          const open = notices.filter(
            ({ beganAt, endedAt }) => Date.parse(beganAt!) <= at && (endedAt === null || at < Date.parse(endedAt)),
          );
          if (open.some(({ type }) => type === 'planned')) continue;
          naive.countedMs += 1_000;
          const given = open.map(({ impacts: byId }) => byId?.[1]);
          if (given.includes('major-outage')) naive.downMs += 1_000;
          else if (given.includes('partial-outage')) naive.downMs += 500;
        }
        expect(uptime).toEqual(naive);
      }),
      { numRuns: 200 },
    );
  });

  test('is that of the 90 days that the bar shows', () => {
    const begin = Date.parse('2026-08-23T00:00:00.000Z');
    const outage = span('major-outage', begin - dayMs, begin + 864_000);
    expect(computeShare([outage])).toBe(1 - 864_000 / (now - begin));
    expect(computeShare([])).toBe(1);
  });

  test('counts a partial outage half, and a degradation not at all', () => {
    const hours = (impact: Impact) => computeShare([span(impact, now - 20 * 3_600_000, now - 10 * 3_600_000)])!;
    expect(hours('degraded')).toBe(1);
    expect(1 - hours('partial-outage')).toBeCloseTo((1 - hours('major-outage')) / 2, 12);
  });

  test('leaves out maintenance, an outage within it included', () => {
    const during = [
      span('degraded', now - 2 * dayMs, now - dayMs, 'planned'),
      span('major-outage', now - 1.5 * dayMs, now - 1.25 * dayMs),
    ];
    expect(computeShare(during)).toBe(1);
  });

  test('is that of the time since the component exists, and unknown below 7 days', () => {
    const outage = span('major-outage', now - dayMs, now);
    expect(computeShare([outage], now - 10 * dayMs)).toBeCloseTo(0.9, 12);
    expect(computeShare([outage], now - 7 * dayMs)).not.toBeNull();
    expect(computeShare([outage], now - 7 * dayMs + 1)).toBeNull();
  });
});
