import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { manualStatuses, type ManualComponentStatus } from '../../../../src/components/manual-status.rules.js';
import { findPeriods, type IncidentSpan } from '../../../../src/transfer/importers/component-periods.js';
import { impacts } from '../../../../src/notices/impact.rules.js';

const severity: ManualComponentStatus[] = ['operational', 'maintenance', ...impacts];
const findWorst = (states: ManualComponentStatus[]) => severity.findLast(state => states.includes(state));

const moment = fc.integer({ min: 0, max: 20 }).map(time => new Date(time));
const incident = fc
  .record({
    impact: fc.constantFrom(...impacts),
    span: fc.tuple(moment, moment),
    isOpen: fc.boolean(),
    changes: fc.array(fc.record({ state: fc.constantFrom(...manualStatuses), at: moment }), { maxLength: 4 }),
  })
  .map(({ impact, span, isOpen, changes }): IncidentSpan => {
    const [beganAt, endedAt] = span.toSorted((one, other) => +one - +other) as [Date, Date];
    return { impact, beganAt, endedAt: isOpen ? null : endedAt, changes: changes.toSorted((a, b) => +a.at - +b.at) };
  });

test('periods say the state of each moment at which the impacts of the incidents do not', () => {
  fc.assert(
    fc.property(fc.array(incident, { maxLength: 4 }), incidents => {
      const periods = findPeriods(incidents);
      const moments = incidents.flatMap(({ beganAt, endedAt, changes }) => [
        beganAt,
        endedAt ?? beganAt,
        ...changes.map(({ at }) => at),
      ]);
      const last = Math.max(0, ...moments.map(Number));
      for (let time = 0; time < last; time += 1) {
        const ongoing = incidents.filter(({ beganAt, endedAt }) => +beganAt <= time && (!endedAt || time < +endedAt));
        const shown = findWorst(ongoing.map(({ impact }) => impact));
        const actual = findWorst(
          ongoing.map(({ impact, changes }) =>
            changes.length ? (changes.findLast(({ at }) => +at <= time)?.state ?? 'operational') : impact,
          ),
        );
        const covering = periods.filter(({ beganAt, endedAt }) => +beganAt <= time && time < +endedAt);
        expect(covering.map(({ state }) => state)).toEqual(actual === shown ? [] : [actual]);
      }
    }),
  );
});
