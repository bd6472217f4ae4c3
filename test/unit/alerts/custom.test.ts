import { describe, expect, jest, test } from '@jest/globals';
import { checkFields } from '../../../src/alerts/check-fields.js';
import type { AlertFieldsInput } from '../../../src/alerts/alert-source.inputs.js';
import { parseByFields } from '../../../src/alerts/formats/custom.js';
import { describeRefusal, Refusal } from '../../../src/core/errors.js';
import { Validation } from '../../../src/core/validation.js';

function check(input: AlertFieldsInput) {
  const validation = new Validation();
  const fields = checkFields(validation, input);
  validation.throwIfInvalid();
  return fields;
}
const parse = (input: AlertFieldsInput, body: unknown) => parseByFields(check(input), body);

const readProblem = (run: () => unknown): string => {
  try {
    return `no problem: ${JSON.stringify(run())}`;
  } catch (error) {
    return error instanceof Refusal ? describeRefusal(error) : String(error);
  }
};

test('one alert is read by the paths of its body', () => {
  const input = {
    title: '$.rule.name',
    text: '$.lines[*]',
    state: '$.ok',
    resolvedStates: ['TRUE'],
    key: '$.id',
    group: '$.rule.id',
    service: "$.tags[?@.key=='service'].value",
    startsAt: '$.since',
    labels: [
      { name: 'severity', path: '$.level' },
      { name: 'absent', path: '$.nothing' },
    ],
  };
  const body = {
    rule: { name: 'Disk full', id: 7 },
    lines: ['One', 'Two'],
    ok: false,
    id: 12,
    level: 'high',
    since: 1795651200,
    tags: [
      { key: 'team', value: 'web' },
      { key: 'service', value: 'shop' },
    ],
  };
  const alert = {
    title: 'Disk full',
    text: 'One\nTwo',
    status: 'firing',
    fingerprint: '12',
    group: '7',
    service: 'shop',
    labels: { severity: 'high', absent: '' },
    startsAt: new Date('2026-11-26T00:00:00Z'),
  };
  expect(parse(input, body)).toEqual([{ ...alert, startsAt: new Date(1_795_651_200_000) }]);
  expect(parse(input, { ...body, ok: true, since: '2026-11-25T10:00:00Z' })).toMatchObject([
    { status: 'resolved', startsAt: new Date('2026-11-25T10:00:00Z') },
  ]);
  expect(parse(input, { ...body, since: '1795651200000' })).toMatchObject([{ startsAt: new Date(1_795_651_200_000) }]);
});

test.each(['$.list[*]', '$.list'])(
  'the alerts of the list %s have paths of their own, and those of the body',
  alerts => {
    const input = {
      alerts,
      title: '@.name',
      state: '@.state',
      firingStates: ['bad'],
      resolvedStates: ['good'],
      group: '$.id',
    };
    const list = ['bad', 'Good', 'muted'].map((state, index) => ({ name: `Alert ${index}`, state }));
    expect(parse(input, { id: 'a', list })).toMatchObject([
      { title: 'Alert 0', status: 'firing', group: 'a' },
      { title: 'Alert 1', status: 'resolved', group: 'a' },
    ]);
  },
);

test('without a path of the key, title and service are the key', () => {
  const [one, other] = ['shop', 'docs'].map(
    service => parse({ title: '$.t', service: '$.s' }, { t: 'x', s: service })[0]!,
  );
  expect(one!.fingerprint).not.toBe(other!.fingerprint);
  expect(parse({ title: '$.t', service: '$.s' }, { t: 'x', s: 'shop' })[0]!.fingerprint).toBe(one!.fingerprint);
});

test.each<[AlertFieldsInput, unknown, string]>([
  [{ title: '$.a.b' }, { a: {} }, '`fields.title` finds nothing by the path $.a.b.'],
  [{ title: '$.a', state: '$.s' }, { a: 'x' }, '`fields.state` finds nothing by the path $.s.'],
  [{ title: '$.a', key: '$.k' }, { a: 'x', k: { deep: 1 } }, '`fields.key` finds nothing by the path $.k.'],
  [
    { title: '@.a', alerts: '$.l[*]' },
    { l: [{ a: 1 }, {}] },
    '`fields.title` finds nothing in alert 2 by the path @.a.',
  ],
  [{ title: '@.a', alerts: '$.l[*]' }, { m: [] }, '`fields.alerts` finds nothing by the path $.l[*].'],
])('%j refuses %j', (input, body, message) => {
  expect(readProblem(() => parse(input, body))).toContain(message);
});

describe('A path is refused', () => {
  test.each<[AlertFieldsInput, string]>([
    [{ title: 'alert.name' }, '`fields.title` must be a JSONPath such as `$.alert.title`: expected'],
    [{ title: '$.a[' }, '`fields.title` must be a JSONPath'],
    [{ title: '$.a', text: '$..b' }, '`fields.text` must name each level in place of `..`'],
    [{ title: '$.a', text: '$.b[0,0]' }, '`fields.text` must not have several selectors'],
    [{ title: '$.a', key: '$.b[?match(@.c, "(a+)+")]' }, '`fields.key` must not call functions'],
    [{ title: '$.a', key: '$.b[?length(@.c) > 1]' }, '`fields.key` must not call functions'],
    [{ title: '$.a', group: '$.b[?@[*]]' }, '`fields.group` must compare only single values'],
    [{ title: '$.a', group: '$.b[?!(@.x == 1 && @[?@..y])]' }, '`fields.group` must compare only single values'],
    [{ title: '$.a', group: '$.b[?@.x == $.y]' }, '`fields.group` must compare only single values'],
    [{ title: '@.a' }, '`fields.title` must begin with `$`, since `@` is one alert of the list `alerts`.'],
    [{ title: '@.a', alerts: '@.b' }, '`fields.alerts` must begin with `$`'],
    [{ title: '$.a', labels: [{ name: 'x', path: '$..y' }] }, '`fields.labels.0.path` must name each level'],
    [{ title: '$.a', labels: [{ name: ' ', path: '$.y' }] }, '`fields.labels.0.name` must not be blank'],
    [{ title: `$.${'a'.repeat(255)}` }, '`fields.title` must have at most'],
    [{ title: '$.a', resolvedStates: ['ok'] }, '`fields.state` must not be blank'],
  ])('%j', (input, message) => expect(readProblem(() => check(input))).toContain(message));
});

test('a path of the body is joined once for all alerts, of which no more are read than are stored', () => {
  const elements = Array.from({ length: 50_000 }, (_, index) => ({ t: `alert ${index}` }));
  const alerts = parse({ alerts: '$.i[*]', title: '@.t', text: '$.i[*].t' }, { i: elements });
  expect(alerts).toHaveLength(1_001);
  const lengths = [...new Set(alerts.map(({ text }) => text.length))];
  expect([lengths.length, lengths[0]! > 9_000, lengths[0]! <= 10_000]).toEqual([1, true, true]);
});

test('a long text of the body is read once for all alerts', () => {
  const labels = Array.from({ length: 20 }, (_, index) => ({ name: `label ${index}`, path: '$.k' }));
  const paths = { alerts: '$.i', title: '$.k', key: '$.k', group: '$.k', service: '$.k', startsAt: '$.k', labels };
  const text = 'a '.repeat(20_000);
  const reads = jest.spyOn(String.prototype, 'toWellFormed');
  const alerts = parse(paths, { i: Array.from({ length: 101 }, () => 1), k: text });
  const readTimes = reads.mock.contexts.filter(each => String(each) === text).length;
  reads.mockRestore();
  // For a line, two keys and a time.
  expect(readTimes).toBe(4);
  expect(alerts).toHaveLength(101);
  expect(new Set(alerts.map(({ fingerprint }) => fingerprint)).size).toBe(1);
});
