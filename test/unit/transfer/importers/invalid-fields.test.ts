import { expect, test } from '@jest/globals';
import type { Answers } from '../../../../src/transfer/importers/source.js';
import { sources } from '../../../../src/transfer/importers/sources/registry.js';

const read = (name: keyof typeof sources, answers: Answers) =>
  sources[name].read(answers, { now: new Date('2026-11-01T00:00:00Z'), timeZone: 'UTC' });
const at = (string: string | null) => ({ human: 'then', string });
const time = '2026-07-01T10:00:00.000Z';
const incident = { created: at('2026-07-01 10:00:00'), visible: 1 };
const none = { human: null, value: null };

test.each<[string, object, object]>([
  ['no status is under investigation', { name: 'Slow', status: none }, { subject: 'Slow', state: 'investigating' }],
  [
    'no status and an end is resolved',
    { name: 'Slow', status: none, resolved_at: at('2026-07-01 11:00:00') },
    { state: 'resolved', endedAt: new Date('2026-07-01T11:00:00Z') },
  ],
  [
    'no status has that of its last update',
    { name: 'Slow', status: none, updates: [{ id: 1, status: 4, message: 'Done', created_at: '2026-07-01 12:00:00' }] },
    { state: 'resolved', endedAt: new Date('2026-07-01T12:00:00Z') },
  ],
  ['no name is called by its message', { name: null, message: '## Disks fail\n\nMore' }, { subject: 'Disks fail' }],
])('an incident of Cachet with %s', (_, fields, expected) => {
  const { notices, leftOut } = read('cachet', { incidents: [{ id: 1, ...incident, ...fields }] });
  expect(leftOut).toEqual([]);
  expect(notices).toMatchObject([expected]);
});

test('the message of an incident that cannot be stored is left out alone', () => {
  const { notices, leftOut } = read('cachet', { incidents: [{ id: 1, ...incident, name: 'Slow', message: 'a\0b' }] });
  expect(notices).toMatchObject([{ subject: 'Slow', updates: [] }]);
  expect(leftOut).toEqual([
    expect.objectContaining({ kind: 'field', reason: expect.stringContaining('`updates.0` here: contains NUL') }),
  ]);
});

test('an incident without name and text is left out', () => {
  const { notices, leftOut } = read('cachet', { incidents: [{ id: 1, ...incident, name: null, message: null }] });
  expect(notices).toEqual([]);
  expect(leftOut).toEqual([{ kind: 'notice', sourceId: '1', reason: '`subject`: is blank' }]);
});

test.each<[string, keyof typeof sources, Answers, string]>([
  [
    'a component of Cachet',
    'cachet',
    { components: [{ id: 1, name: 'API', order: 'first', description: ['x'], created_at: 'yesterday' }] },
    'of component 1 description, order, created_at',
  ],
  [
    'an incident of Statuspage',
    'statuspage',
    {
      incidents: [
        {
          id: 'i',
          name: 'Slow',
          status: 'resolved',
          created_at: time,
          impact: 3,
          resolved_at: 'soon',
          components: [{ id: 'a' }, { name: 'no id' }],
        },
      ],
    },
    'of notice i impact, resolved_at, components.1',
  ],
  [
    'a component of Better Stack',
    'betterstack',
    { resources: [{ id: 'r', attributes: { public_name: 'API', position: '1', explanation: 7 } }] },
    'of component r attributes.explanation, attributes.position',
  ],
  [
    'an incident of Instatus',
    'instatus',
    { incidents: [{ id: 'i', name: 'Slow', status: 'RESOLVED', started: time, resolved: 7, components: 'all' }] },
    'of notice i resolved, components',
  ],
])('%s keeps the record without the optional fields that are odd', (_, source, answers, dropped) => {
  const { components, notices, leftOut } = read(source, answers);
  expect(components.length + notices.length).toBe(1);
  expect(leftOut.every(({ kind }) => kind === 'field')).toBe(true);
  const [first] = leftOut;
  const names = leftOut.map(({ reason }) => /`(.+?)`/.exec(reason)![1]!);
  expect([first!.sourceId.split(' ').slice(0, 3).join(' '), names.toSorted()]).toEqual([
    dropped.split(' ').slice(0, 3).join(' '),
    dropped.split(' ').slice(3).join(' ').split(', ').toSorted(),
  ]);
});

test('a required field that is odd loses the record, and names that field', () => {
  const { components, leftOut } = read('cachet', { components: [{ id: 1, name: 7, order: 'first' }] });
  expect(components).toEqual([]);
  expect(leftOut).toMatchObject([{ kind: 'component', sourceId: '1', reason: expect.stringContaining('`name`') }]);
});

test('a maintenance whose window is odd does not become an incident', () => {
  const odd = { id: 'm', name: 'Move', status: 'verifying', created_at: time, scheduled_for: 7, scheduled_until: time };
  expect(read('statuspage', { incidents: [odd] })).toMatchObject({ notices: [], leftOut: [{ kind: 'notice' }] });
});

test('subscribers of Cachet 3 have a boolean beside the time, and their components as relationships', () => {
  const subscriber = (id: number, attributes: object, ids: string[] = []) => ({
    id: String(id),
    type: 'subscribers',
    attributes: { id, email: `${id}@example.com`, ...attributes },
    relationships: { components: { data: ids.map(one => ({ id: one, type: 'components' })) } },
  });
  const { subscribers, leftOut } = read('cachet', {
    subscribers: {
      data: [
        subscriber(1, { global: true, verified: true, verified_at: at('2024-05-01 10:00:00') }),
        subscriber(2, { global: false, verified: true, verified_at: at('2025-02-01 10:00:00') }, ['1']),
        subscriber(3, { global: true, verified: false, verified_at: at(null) }),
        subscriber(4, { global: false, verified: 1, subscriptions: [{ component_id: 1 }, { component: { id: 2 } }] }),
        subscriber(5, { global: true, verified: false, verified_at: at('2025-02-01 10:00:00') }),
        subscriber(6, { global: true, verified: true, verified_at: 7 }),
        subscriber(7, { global: false, verified: true, components: 'all' }),
        subscriber(8, { global: true, verified: '2024-05-01 10:00:00' }),
      ],
    },
  });
  expect(subscribers.map(({ email, componentIds, consentedAt }) => [email, componentIds, consentedAt])).toEqual([
    ['1@example.com', null, new Date('2024-05-01T10:00:00Z')],
    ['2@example.com', ['1'], new Date('2025-02-01T10:00:00Z')],
    ['4@example.com', ['1', '2'], null],
    ['6@example.com', null, null],
    ['8@example.com', null, new Date('2024-05-01T10:00:00Z')],
  ]);
  expect(leftOut.map(({ kind, sourceId, reason }) => `${kind} ${sourceId} ${reason.split(':')[0]}`)).toEqual([
    'subscriber 3 has not confirmed the subscription',
    'subscriber 5 has not confirmed the subscription',
    'field of subscriber 6 has no `verified_at` here',
    'subscriber 7 `components`',
  ]);
});
