import { describe, expect, test } from '@jest/globals';
import { isHidden, isPrivatePage } from '../../../../src/transfer/importers/hidden-records.js';
import { sources } from '../../../../src/transfer/importers/sources/registry.js';
import type { Answers } from '../../../../src/transfer/importers/source.js';

const read = (name: keyof typeof sources, answers: Answers) =>
  sources[name].read(answers, { now: new Date('2026-11-01T00:00:00Z'), timeZone: 'UTC' });
const resource = (id: string, attributes: object, relationships: object = {}) => ({ id, attributes, relationships });

describe('a record that the source hides', () => {
  test.each<[string, unknown]>([
    ...[0, 2, '0', false, 'false', { value: 0, human: 'Signed in' }, 'internal'].map((value): [string, unknown] => [
      'visible',
      value,
    ]),
    ...[0, false, 'no'].map((value): [string, unknown] => ['enabled', value]),
    ...[true, 1, 'yes', '2026-01-01T00:00:00Z'].map((value): [string, unknown] => ['archivedAt', value]),
    ...[true, 1].map((value): [string, unknown] => ['is_private', value]),
    ['published', { human: 'in 70 years', string: '2099-01-01 00:00:00' }],
    ['published_at', '2099-01-01T00:00:00Z'],
    ['active', 0],
    ['visibility', 'staff'],
  ])('%s: %j', (name, value) => {
    expect(isHidden({ id: 1, [name]: value }, 'component')).toBe(true);
    expect(isHidden(resource('1', { [name]: value }), 'component')).toBe(true);
  });

  test.each([
    { visible: 1, enabled: true, public: '1', active: 1 },
    { visible: { value: 1, human: 'Guest' }, published: '2026-01-01T00:00:00Z' },
    { published: { human: '10 months ago', string: '2026-01-01 00:00:00' }, published_at: null },
    { published: { human: null, string: null } },
    { hidden: false, private: 0, archivedAt: null, deleted_at: '', visibility: 'public', draft: 'no' },
  ])('is not %j', row => expect(isHidden(row, 'component')).toBe(false));

  test('is no incident that is over', () => expect(isHidden({ active: 0 }, 'notice')).toBe(false));
});

test('leaves out what is hidden, what is below it, and a group of hidden components alone', () => {
  const group = (id: string, visible: number) =>
    resource(id, { id: Number(id), name: `Group ${id}`, order: 0, visible });
  const component = (id: string, groupId: string | null, enabled = true) =>
    resource(
      id,
      { id: Number(id), name: `Component ${id}`, order: 0, enabled },
      { group: { data: groupId && { id: groupId, type: 'componentGroups' } } },
    );
  const { components, leftOut } = read('cachet', {
    'component-groups': { data: [group('1', 1), group('2', 0), group('3', 1), group('4', 1)] },
    components: {
      data: [
        component('1', '1'),
        component('2', null, false),
        component('3', '2'),
        component('4', '3', false),
        component('5', '1', false),
      ],
    },
  });
  expect(components.map(({ name }) => name)).toEqual(['Group 1', 'Group 4', 'Component 1']);
  expect(leftOut.map(({ kind, sourceId, reason }) => `${kind} ${sourceId} ${reason}`)).toEqual([
    'component group 2 is not shown to visitors',
    'component 2 is not shown to visitors',
    'component 4 is not shown to visitors',
    'component 5 is not shown to visitors',
    'component 3 is below group 2, which is not shown to visitors',
    'component group 3 has only components of which none is shown',
  ]);
});

test('leaves out a hidden group that cannot be used otherwise, with what is below it', () => {
  const { components } = read('cachet', {
    'component-groups': [{ id: 1, name: null, visible: 0 }],
    components: [{ id: 1, name: 'Payroll', group_id: 1, enabled: true }],
  });
  expect(components).toEqual([]);
});

test.each<[string, keyof typeof sources, Answers]>([
  [
    'a schedule of Cachet',
    'cachet',
    {
      schedules: [{ id: 1, name: 'x', visible: 0, scheduled_at: '2026-01-01 00:00', completed_at: '2026-01-01 01:00' }],
    },
  ],
  [
    'an incident of Statuspage',
    'statuspage',
    {
      incidents: [{ id: 'i', name: 'x', status: 'resolved', created_at: '2026-01-01T00:00:00Z', private: true }],
    },
  ],
  [
    'an incident of Instatus',
    'instatus',
    {
      incidents: [{ id: 'i', name: 'x', status: 'RESOLVED', started: '2026-01-01T00:00:00Z', published: false }],
    },
  ],
  [
    'a report of Better Stack',
    'betterstack',
    {
      'status-reports': [
        resource('1', { title: 'x', report_type: 'manual', starts_at: '2026-01-01T00:00:00Z', hidden: true }),
      ],
    },
  ],
])('leaves out %s that is not shown', (_, source, answers) => {
  const { notices, leftOut } = read(source, answers);
  expect(notices).toEqual([]);
  expect(leftOut).toMatchObject([{ kind: 'notice', reason: 'is not shown to visitors' }]);
});

test('leaves out archived components of Instatus, and the group that only they name', () => {
  const { components } = read('instatus', {
    components: [
      { id: 'a', name: 'Old', archivedAt: '2026-01-01T00:00:00Z', group: { id: 'g', name: 'Secret' } },
      { id: 'b', name: 'Web', archivedAt: null },
    ],
  });
  expect(components.map(({ name }) => name)).toEqual(['Web']);
});

test.each([
  [{ viewers_must_be_team_members: true }, true],
  [{ ip_restrictions: '10.0.0.0/8' }, true],
  [{ attributes: { password_enabled: true } }, true],
  [{ published: 0 }, true],
  [{ viewers_must_be_team_members: false, ip_restrictions: null, password: null, published: 1 }, false],
])('a page with %j is private: %s', (page, isPrivate) => expect(isPrivatePage(page)).toBe(isPrivate));
