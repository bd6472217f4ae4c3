import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type {
  FileComponent,
  PageFile,
  PageState,
  StoredComponent,
} from '../../../../src/transfer/page-file/page-file.js';
import { describePath, planComponents } from '../../../../src/transfer/page-file/plan-components.js';
import { plan } from '../../../../src/transfer/page-file/plan.js';
import { choosePositions } from '../../../../src/transfer/page-file/component-positions.js';
import type { Step } from '../../../../src/transfer/page-file/step.js';

/** A few names, so that components have the same and one moves where another was. */
const name = fc.constantFrom('API', 'Web', 'Mail', 'Search', 'Login');
const description = fc.option(fc.constantFrom('one', 'two'));

const storedComponents = fc
  .array(fc.record({ name, description, parent: fc.nat(), position: fc.integer({ min: -2, max: 6 }) }), {
    maxLength: 8,
  })
  .map(seeds =>
    seeds.map((seed, index): StoredComponent => {
      const parent = seed.parent % (index + 1);
      return {
        id: String(index + 1),
        version: 1,
        values: { name: seed.name, description: seed.description },
        parentId: parent === 0 ? null : String(parent),
        position: seed.position,
      };
    }),
  )
  .map(sortComponents);

function sortComponents(components: StoredComponent[]): StoredComponent[] {
  return components.toSorted((one, other) => one.position - other.position || Number(one.id) - Number(other.id));
}

interface Seed {
  name: string;
  description: string | null | undefined;
  parent: number;
  /** Whether it is one of the page by its id. */
  isStored: boolean;
}

const seeds = fc.array(
  fc.record({
    name,
    description: fc.option(description, { nil: undefined }),
    parent: fc.nat(),
    isStored: fc.boolean(),
  }),
  { maxLength: 8 },
);

const toFile = (components: readonly StoredComponent[], list: readonly Seed[]): FileComponent[] => {
  const ids = components.map(({ id }) => id).toSorted((one, other) => Number(other) - Number(one));
  const roots: FileComponent[] = [];
  const all: FileComponent[] = [];
  for (const [index, seed] of list.entries()) {
    const parent = seed.parent % (index + 1);
    const siblings = parent === 0 ? roots : all[parent - 1]!.components;
    const id = (seed.isStored && ids.pop()) || null;
    // The reader refuses two without an id.
    const isTaken = id === null && siblings.some(one => one.id === null && one.values.name === seed.name);
    const values = {
      name: isTaken ? `${seed.name} ${index}` : seed.name,
      ...(seed.description !== undefined && { description: seed.description }),
    };
    const component = { id, values, line: index + 1, lines: {}, components: [] };
    all.push(component);
    siblings.push(component);
  }
  return roots;
};

/** What the API does with the steps. */
function applySteps(components: readonly StoredComponent[], steps: readonly Step[]): StoredComponent[] {
  const stored = new Map(components.map(component => [component.id, structuredClone(component)]));
  const ids = new Map<unknown, string>();
  const resolve = (id: unknown) => ids.get(id) ?? id;
  for (const { action, kind, id, input, version } of steps) {
    expect(kind).toBe('component');
    const existing = action === 'create' ? null : stored.get(id!)!;
    if (existing) expect(version).toBe(existing.version);
    if (action === 'delete') {
      // A child would get another parent, and with it another version.
      expect([...stored.values()].filter(({ parentId }) => parentId === id)).toEqual([]);
      stored.delete(id!);
      continue;
    }
    const { parentId = existing?.parentId, position = existing?.position, ...values } = input;
    const parent = resolve(parentId) as string | null;
    const ownId = existing?.id ?? String(stored.size + 100);
    ids.set(id, ownId);
    for (let above = parent; above !== null; above = stored.get(above)!.parentId) expect(above).not.toBe(ownId);
    stored.set(ownId, {
      id: ownId,
      version: (existing?.version ?? 0) + 1,
      parentId: parent,
      position: position as number,
      values: { ...(existing?.values ?? { description: null }), ...values } as StoredComponent['values'],
    });
  }
  return sortComponents([...stored.values()]);
}

const describeTree = (components: readonly StoredComponent[], parentId: string | null = null): object[] =>
  components
    .filter(component => component.parentId === parentId)
    .map(component => ({ name: component.values.name, children: describeTree(components, component.id) }));
const describeFile = (components: readonly FileComponent[]): object[] =>
  components.map(({ values, components: children }) => ({ name: values.name, children: describeFile(children) }));

const planWithDeletions = (components: readonly StoredComponent[], file: readonly FileComponent[]) => {
  const { steps, unlisted } = planComponents(components, file, true);
  return [...steps, ...unlisted];
};

test('the steps make the tree of the file, and a second plan has none', () => {
  fc.assert(
    fc.property(storedComponents, seeds, (components, list) => {
      const file = toFile(components, list);
      const result = applySteps(components, planWithDeletions(components, file));
      expect(describeTree(result)).toEqual(describeFile(file));
      expect(planWithDeletions(result, file)).toEqual([]);
    }),
    { numRuns: 500 },
  );
});

test('without --prune nothing is deleted, and a second plan has no steps', () => {
  fc.assert(
    fc.property(storedComponents, seeds, (components, list) => {
      const file = toFile(components, list);
      const { steps } = planComponents(components, file, false);
      const result = applySteps(components, steps);
      expect(result.map(({ id }) => id)).toEqual(expect.arrayContaining(components.map(({ id }) => id)));
      expect(planComponents(result, file, false).steps).toEqual([]);
    }),
    { numRuns: 500 },
  );
});

test('no position changes that need not: a new component in a gap, one that moves to the front', () => {
  const [a, b, c] = [1, 2, 3].map(id => ({ id: String(id), position: id * 10 })) as [Sibling, Sibling, Sibling];
  expect(choosePositions([a, null, b, c])).toEqual([10, 11, 20, 30]);
  expect(choosePositions([c, a, b])).toEqual([9, 10, 20]);
  expect(choosePositions([{ id: '1', position: 1 }, null, { id: '2', position: 2 }])).toEqual([1, 2, 3]);
  // The order of the ids is that of the page.
  const same = ['3', '5', '9'].map(id => ({ id, position: 0 }));
  expect(choosePositions(same)).toEqual([0, 0, 0]);
  expect(choosePositions([null, null])).toEqual([1, 2]);
});
type Sibling = { id: string; position: number };

const record = (values: PageFile['page']['values'], id: string | null = null) => ({ id, values, line: 7, lines: {} });
const component = (given: string, id: string | null = null, components: FileComponent[] = []): FileComponent => ({
  ...record({ name: given }, id),
  components,
});
const stored = (id: string, given: string, parentId: string | null, position: number): StoredComponent => ({
  id,
  version: 4,
  values: { name: given, description: null },
  parentId,
  position,
});

test('a component is renamed by its id, and moved by a name that is there once', () => {
  const components = [stored('1', 'Europe', null, 1), stored('2', 'API', '1', 1), stored('3', 'Web', '1', 2)];
  const { steps } = planComponents(components, [component('EU', '1', [component('Web')]), component('API')], false);
  expect(steps).toMatchObject([
    { action: 'change', id: '1', changes: [{ field: 'name', before: 'Europe', after: 'EU' }], version: 4 },
    { action: 'change', id: '2', input: { parentId: null }, changes: [{ before: 'Europe', after: null }, {}] },
  ]);
  expect(() => planComponents(components, [component('API', '12')], false)).toThrow('The page has no component 12.');
});

const state: PageState = {
  page: { id: '2017f84a', version: 3, values: { name: 'Page', locale: 'en', shouldSendNotificationsBySlack: false } },
  brand: { id: '2017f84a', version: 2, values: { colorBodyText: '#000000' } },
  components: [stored('1', 'Europe', null, 1), stored('2', 'API', '1', 1), stored('3', 'API', null, 2)],
  templates: [
    { id: 'aaaaaa', version: 1, values: { name: 'Outage', content: null }, componentIds: ['2'] },
    { id: 'bbbbbb', version: 1, values: { name: 'Other', content: null }, componentIds: [] },
  ],
  metrics: [
    { id: '5', version: 2, values: { name: 'Latency', unit: 'ms', color: '#3b82f6' }, componentIds: [] },
    { id: '6', version: 1, values: { name: 'Queue', unit: null, color: '#3b82f6' }, componentIds: [] },
  ],
  channels: [
    { channel: 'SLACK', isConfigured: false, host: null },
    { channel: 'TEAMS', isConfigured: true, host: 'teams.example' },
  ],
};
const untouched: PageFile = {
  page: record({}, '2017f84a'),
  brand: null,
  components: null,
  channels: null,
  templates: null,
  metrics: null,
};
const make = (file: Partial<PageFile>, options: { prune?: boolean; rewritesCredentials?: boolean } = {}) =>
  plan(state, { ...untouched, ...file }, { prune: false, rewritesCredentials: false, ...options });

test('sections and fields that the file leaves out stay, also with --prune', () => {
  expect(make({}, { prune: true })).toEqual({ steps: [], unlisted: {} });
  expect(make({ page: record({ locale: 'de' }), brand: record({ colorBodyText: '#111111' }) }).steps).toMatchObject([
    { kind: 'page', changes: [{ field: 'locale', before: 'en', after: 'de' }], input: { locale: 'de' }, version: 3 },
    { kind: 'brand', input: { colorBodyText: '#111111' }, version: 2 },
  ]);
});

test('what an empty section does not list is counted, and deleted with --prune, children first', () => {
  const file = { components: [], templates: [], metrics: [], channels: [] };
  expect(make(file)).toEqual({ steps: [], unlisted: { component: 3, template: 2, metric: 2, channel: 1 } });
  const { steps } = make(file, { prune: true });
  expect(steps.map(({ action, name: of }) => `${action} ${of}`)).toEqual([
    'delete Outage',
    'delete Other',
    'delete Latency',
    'delete Queue',
    'delete Europe / API',
    'delete Europe',
    'delete API',
    'delete TEAMS',
  ]);
});

test('templates name components by name, path or id, and by nothing else', () => {
  const template = (...texts: string[]) => [
    { ...record({ name: 'Outage' }), components: texts.map(text => ({ text, line: 9 })) },
  ];
  expect(make({ templates: template('Europe / API') }).steps).toEqual([]);
  expect(make({ templates: template('3', 'Europe') }).steps).toMatchObject([
    {
      input: { componentIds: ['3', '1'] },
      changes: [{ field: 'components', before: ['Europe / API'], after: ['API', 'Europe'] }],
    },
  ]);
  const find = (text: string) => () => make({ templates: template(text) });
  // A root component has no other path than its name.
  expect(find('API')).toThrow('2 components are named API. Write the path, such as Europe / API, or the id.');
  expect(find('Search')).toThrow('There is no component Search.');
});

test('metrics are matched by id or name, and those that are deleted make room for new ones', () => {
  const metric = (values: PageFile['page']['values'], id: string | null = null) => ({
    ...record(values, id),
    components: null,
  });
  expect(make({ metrics: [metric({ name: 'Latency', unit: 'ms' }), metric({ name: 'Queue', unit: null })] })).toEqual({
    steps: [],
    unlisted: {},
  });
  const metrics = [metric({ name: 'Response time', unit: null }, '5'), metric({ name: 'Errors', unit: null })];
  expect(make({ metrics })).toMatchObject({ steps: [{ id: '5' }, { name: 'Errors' }], unlisted: { metric: 1 } });
  expect(make({ metrics }, { prune: true }).steps).toMatchObject([
    { action: 'delete', kind: 'metric', id: '6', version: 1 },
    { action: 'change', kind: 'metric', id: '5', input: { name: 'Response time', unit: null }, version: 2 },
    { action: 'create', kind: 'metric', input: { name: 'Errors' } },
  ]);
  expect(() => make({ metrics: [metric({ name: 'Errors' }, '7')] })).toThrow('The page has no metric 7.');
});

test('a channel changes with its host, on request, or where it is new; its switch is set afterwards', () => {
  const channel = (of: string, url: string | null) => ({
    channel: of,
    credentials: url === null ? null : { url },
    missing: url === null ? ['URL'] : [],
    line: 5,
  });
  const teams = channel('TEAMS', 'https://teams.example/secret');
  expect(make({ channels: [teams] }).steps).toEqual([]);
  expect(make({ channels: [channel('TEAMS', null)] }).steps).toEqual([]);
  expect(() => make({ channels: [channel('SLACK', null)] })).toThrow('The variable URL is not set.');
  expect(make({ channels: [teams] }, { rewritesCredentials: true }).steps).toMatchObject([
    { action: 'change', changes: [{ field: 'credentials', after: 'written again' }] },
  ]);
  const slack = channel('SLACK', 'https://hooks.example/secret');
  const { steps } = make({ channels: [slack], page: record({ shouldSendNotificationsBySlack: false }) });
  expect(steps).toMatchObject([
    { kind: 'channel', name: 'SLACK', changes: [{ field: 'host', after: 'hooks.example' }] },
    { kind: 'page', input: { shouldSendNotificationsBySlack: false } },
  ]);
  expect(JSON.stringify(steps.map(({ changes }) => changes))).not.toContain('secret');
});

test('a page that does not exist is created before everything on it', () => {
  const nothing: PageState = { page: null, brand: null, components: [], templates: [], metrics: [], channels: [] };
  const file = { ...untouched, page: record({ name: 'New' }), components: [component('API')] };
  const { steps } = plan(nothing, file, { prune: false, rewritesCredentials: false });
  expect(steps).toMatchObject([
    { action: 'create', kind: 'page', input: { name: 'New' } },
    { action: 'create', kind: 'component', input: { name: 'API', parentId: null, position: 1 } },
  ]);
});

test('the path of a component has the names of those above it', () => {
  const { components } = planComponents(state.components, null, false);
  expect(describePath(components, '2')).toBe('Europe / API');
});
