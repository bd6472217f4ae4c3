import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  type AlertRule,
  alertActions,
  decide,
  decideGroup,
  groupStates,
  matchesPattern,
  nextStep,
} from '../../../src/alerts/alert.rules.js';

const word = fc.constantFrom('shop', 'mail', 'team', 'web', 'web-1', '');
const rule: fc.Arbitrary<AlertRule> = fc.record({
  label: fc.option(word),
  value: fc.option(fc.constantFrom('shop', 'web*', '*', 'mail')),
  componentIds: fc.uniqueArray(fc.constantFrom('1', '2', '3'), { maxLength: 3 }),
  templateId: fc.option(fc.constantFrom('one', 'two')),
  action: fc.constantFrom(...alertActions),
  shouldResolve: fc.boolean(),
});
const alert = fc.record({ labels: fc.dictionary(word, word), service: word });

describe('The decision about an alert', () => {
  test('is that of the first rule that selects it, and a draft without one', () => {
    fc.assert(
      fc.property(fc.array(rule), alert, (rules, one) => {
        const index = rules.findIndex(
          each => decide([each], one).action === each.action && decide([each], one) === each,
        );
        const expected = index < 0 ? { action: 'DRAFT', componentIds: [], templateId: null } : rules[index];
        expect(decide(rules, one)).toMatchObject(expected!);
        // Rules after it do not count.
        if (index >= 0) expect(decide(rules.slice(0, index + 1), one)).toBe(rules[index]);
      }),
    );
  });

  test.each([
    [{ label: null, value: 'shop' }, true],
    [{ label: 'team', value: 'web' }, true],
    [{ label: 'team', value: 'shop' }, false],
    [{ label: 'missing', value: '*' }, false],
    [{ label: 'toString', value: '*' }, false],
    [{ label: null, value: null }, true],
  ])('%o selects it: %s', (selection, isSelected) => {
    const ignoring: AlertRule = {
      componentIds: [],
      templateId: null,
      action: 'IGNORE',
      shouldResolve: false,
      ...selection,
    };
    expect(decide([ignoring], { labels: { team: 'web' }, service: 'shop' }).action === 'IGNORE').toBe(isSelected);
  });
});

test('a pattern matches as the regular expression does that it stands for', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', '*', '.'), maxLength: 8 });
  fc.assert(
    fc.property(text, text, (pattern, value) => {
      const parts = pattern.split('*').map(part => part.replaceAll('.', '\\.'));
      expect(matchesPattern(pattern, value)).toBe(new RegExp(`^${parts.join('.*')}$`).test(value));
    }),
    { numRuns: 1_000 },
  );
});

describe('The decision about a group', () => {
  test('is the most careful of its alerts, in any order, and ignores what is ignored', () => {
    fc.assert(
      fc.property(fc.array(rule, { maxLength: 6 }), rules => {
        const effective = rules.filter(({ action }) => action !== 'IGNORE');
        const decision = decideGroup(rules);
        expect(decision === null).toBe(effective.length === 0);
        if (!decision) return;
        expect(decision.action).toBe(effective.some(({ action }) => action === 'DRAFT') ? 'DRAFT' : 'PUBLISH');
        expect(decision.shouldResolve).toBe(!effective.some(({ shouldResolve }) => !shouldResolve));
        expect([...decision.componentIds].toSorted()).toEqual(
          ['1', '2', '3'].filter(id => effective.some(({ componentIds }) => componentIds.includes(id))),
        );
        const reversed = decideGroup(rules.toReversed())!;
        expect([reversed.action, reversed.shouldResolve]).toEqual([decision.action, decision.shouldResolve]);
      }),
    );
  });
});

test('a group makes one draft until all of its alerts are over, and proposes one resolution after that', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom('firing' as const, 'resolved' as const)), statuses => {
      let state: (typeof groupStates)[number] = 'new';
      const steps: string[] = [];
      for (const status of statuses) {
        const step = nextStep({ state, outcome: 'pending', startsAtMs: null }, status, null);
        if (!step) continue;
        steps.push(step);
        state = step === 'open' ? 'open' : 'resolved';
      }
      expect(steps).toEqual(steps.map((_, index) => (index % 2 ? 'resolve' : 'open')));
      const last = statuses.at(-1);
      if (last && steps.length) expect(steps.at(-1)).toBe(last === 'firing' ? 'open' : 'resolve');
    }),
  );
});

describe('A firing alert of an open group', () => {
  const earlier = Date.UTC(2026, 10, 20);
  const later = Date.UTC(2026, 10, 23);
  test.each([
    ['whose draft or notice is open', 'pending', earlier, later, null],
    ['whose notice is over, if it begins later', 'ended', earlier, later, 'open'],
    ['whose notice is over, if it is the same one again', 'ended', earlier, earlier, null],
    ['whose notice is over, if its sender does not say when it began', 'ended', null, null, 'open'],
    ['whose notice is over, if its sender says now when it began', 'ended', null, later, 'open'],
    ['whose draft was deleted, if it begins later', 'dismissed', earlier, later, 'open'],
    ['whose draft was deleted, if it is the same one again', 'dismissed', earlier, earlier, null],
    ['whose draft was deleted, if its sender does not say when it began', 'dismissed', null, null, null],
  ] as const)('%s', (_, outcome, startsAtMs, received, step) => {
    expect(nextStep({ state: 'open', outcome, startsAtMs }, 'firing', received)).toBe(step);
  });
});
