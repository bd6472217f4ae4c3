import { beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  choicesOf,
  type Conditions,
  filterRecords,
  type FilterValue,
  type FilterKey,
  listKeys,
  toQueryString,
  resources,
  type JsonRecord,
} from '../../support/filter-reference.js';
import type { GraphQLInputObjectType } from 'graphql';
import type { Caller } from '../../../src/auth/access.js';
import { grantEverywhere } from '../../../src/auth/roles.js';
import type { Refusal } from '../../../src/core/errors.js';
import { Component } from '../../../src/components/component.entity.js';
import { Notice } from '../../../src/notices/notice.entity.js';
import { NoticeTemplate } from '../../../src/notices/templates/template.entity.js';
import { NoticeUpdate } from '../../../src/notices/updates/update.entity.js';
import { Page } from '../../../src/pages/page.entity.js';
import { TimeZone } from '../../../src/pages/time-zone.entity.js';
import { operators } from '../../../src/records/filter-operators.js';
import { compileFilter } from '../../../src/records/filter-sql.js';
import { Statement } from '../../../src/records/statement.js';
import { compileSource, findKey } from '../../../src/records/table-sql.js';
import { createFilterReader } from '../../../src/rest/filter.js';
import { parseQueryParameters } from '../../../src/rest/request/parameters.js';
import { wireFilterNames } from '../../../src/rest/wire-names.js';
import { restSchema as schema } from '../../../src/schema.js';
import { Subscriber } from '../../../src/subscribers/subscriber.entity.js';
import { createFilterRecords, type FilterRecords, sampleTexts, splitTags } from '../../support/filter-records.js';
import { useOwnService } from '../../support/service.js';
import { propertyRuns, seed } from '../../support/property-runs.js';

const service = useOwnService();
let all: FilterRecords;
beforeAll(async () => {
  all = await createFilterRecords(service, seed);
}, 180_000);

const names = Object.keys(resources);
const listOf = (resource: string) => all.lists.find(list => list.resource === resource)!;
const related = (record: JsonRecord | null | undefined, key: FilterKey): JsonRecord[] =>
  [key.association ? (record?.[key.association] ?? []) : record].flat();
const valuesOf = (resource: string, key: FilterKey): string[] =>
  listOf(resource)
    .records.flatMap(record => related(record, key))
    .flatMap(record => record[key.attribute] ?? [])
    .map(String);

/** Mutations that turn a value into an equal or a similar one. */
const mutations: ((text: string) => string)[] = [
  text => text,
  text => text,
  text => ` ${text}\t`,
  text => text.toUpperCase(),
  text => text.toLowerCase(),
  text => [...text].slice(0, 2).join(''),
  text => [...text].slice(1).join(''),
  text => `${[...text].slice(0, 1).join('')}%`,
  text => `%${[...text].slice(-1).join('')}`,
  text => [...text].map((letter, index) => (index % 2 ? letter : '_')).join(''),
  text => text.replace(/[\\%_]/g, '\\$&'),
  text => `${text}\\`,
  text => `\\${text}`,
];

const operandOf = (key: FilterKey, values: string[]): fc.Arbitrary<string> => {
  const { kind, operator } = key;
  const choices = choicesOf(key);
  if (choices) return fc.constantFrom(...choices);
  const stored = values.length ? [fc.constantFrom(...values)] : [];
  if (kind === 'integer' && operator !== 'matches' && operator !== 'cont')
    return fc.oneof(
      ...stored,
      ...stored,
      fc.constantFrom('0', '-1', '+3', '007', '9223372036854775807', '-9223372036854775808'),
    );
  if (kind === 'time')
    return fc.oneof(
      ...stored,
      ...stored,
      fc.constantFrom('2025-06-01', '2025-06-01T14:30:00.001+02:00', '9999-12-31', '2026-01-01T00:00Z'),
    );
  if (kind === 'boolean') return fc.constantFrom('true', 'false', '1', '0', ' true ');
  const text = fc.oneof(
    ...stored,
    ...stored,
    fc.constantFrom(...sampleTexts),
    fc.string({ unit: 'binary', maxLength: 3 }).filter(value => !value.includes('\0')),
  );
  return fc.tuple(text, fc.constantFrom(...mutations)).map(([value, mutate]) => mutate(value));
};

const filterValueOf = (key: FilterKey, values: string[]): fc.Arbitrary<FilterValue> => {
  if (key.operator === 'present' || key.operator === 'blank')
    return fc.constantFrom(undefined, '', 'true', '1', 'false', '0', ' ');
  const one = operandOf(key, values);
  if (key.operator !== 'in' && key.operator !== 'not_in')
    return fc.oneof({ weight: 20, arbitrary: one }, { weight: 1, arbitrary: fc.constantFrom('', ' ') });
  return fc.oneof(
    one,
    fc.array(fc.oneof({ weight: 5, arbitrary: one }, { weight: 1, arbitrary: fc.constantFrom('', ' ') }), {
      maxLength: 4,
    }),
  );
};

const conditionsOn = (resource: string, maxLength: number): fc.Arbitrary<Conditions> => {
  const keys = [...listKeys(resources[resource]!)];
  const condition = fc
    .constantFrom(...keys)
    .chain(([name, key]) =>
      filterValueOf(key, valuesOf(resource, key)).map(value => [name, value] as [string, FilterValue]),
    );
  return fc.uniqueArray(condition, { minLength: 1, maxLength, selector: ([name]) => name });
};

async function fetchJson(path: string) {
  const response = await service.get(`/v1/${path}`);
  if (response.status !== 200) throw new Error(`${response.status} to ${path}: ${response.text}`);
  return response.json;
}
const withQuery = (path: string, query: string) => `${path}${path.includes('?') ? '&' : '?'}${query}`;
const ids = (records: JsonRecord[]) => records.map(({ id, name }) => id ?? name);
const expectedIds = (resource: string, conditions: Conditions) =>
  ids(filterRecords(resources[resource]!, listOf(resource).records, conditions));

const entities = {
  pages: Page,
  components: Component,
  notices: Notice,
  updates: NoticeUpdate,
  notice_templates: NoticeTemplate,
  subscribers: Subscriber,
  timezones: TimeZone,
};
const caller: Caller = { kind: 'token', key: 'test', grants: grantEverywhere('owner') };
const options = {
  caller,
  outputMode: 'rest',
  filterNames: wireFilterNames,
  maxListSize: 500,
  maxBytes: 1_000_000,
} as const;

/** Compiles filters of a list as its route does, to an expression each: the ids of the records that it selects. */
function compileFilters(resource: string, filters: Conditions[]) {
  const meta = service.database.orm.getMetadata().get<object>(entities[resource as keyof typeof entities]);
  const id = `l.${findKey(meta).fieldNames[0]}::text`;
  const reader = createFilterReader(schema.getType(`${meta.className}Filter`) as GraphQLInputObjectType);
  const statement = new Statement(options, {});
  const scope = `${id} = any(${statement.bind(ids(listOf(resource).records).map(String))})`;
  const lists = filters.map(conditions => {
    const filter = reader.read(parseQueryParameters(toQueryString(conditions)).filter);
    const where = [scope, ...compileFilter(filter, meta, 'l', statement)].join(' and ');
    return `array(select ${id} from ${compileSource(meta)} l where ${where} order by 1)`;
  });
  return { lists, values: statement.values };
}

/** Compares what filters select in the database with the reference, in one statement; returns how many records. */
async function expectAgreement(resource: string, filters: Conditions[]): Promise<number[]> {
  const { lists, values } = compileFilters(resource, filters);
  const rows = await service.database.query<{ ids: string[] }>(
    `select ids from (values ${lists.map(list => `(${list})`).join(', ')}) filtered (ids)`,
    values,
  );
  const describeAll = (selected: (index: number) => string[]) =>
    filters.map((conditions, index) => [decodeURIComponent(toQueryString(conditions)), selected(index).toSorted()]);
  expect(describeAll(index => rows[index]!.ids)).toEqual(
    describeAll(index => expectedIds(resource, filters[index]!).map(String)),
  );
  return rows.map(row => row.ids.length);
}

describe.each(names)('the list of %s', resource => {
  test('can be filtered by the attributes of the reference of /v1 and no others', async () => {
    const { path } = listOf(resource);
    const { status, json } = await service.get(`/v1/${withQuery(path, 'filter[nonsense]=1')}`);
    const allowed = /There are: (.*)\.$/.exec(json.error_description)![1]!.split(', ');
    expect(status).toBe(400);
    expect(allowed.filter(key => !/for_components?$/.test(key)).toSorted()).toEqual(
      [...listKeys(resources[resource]!).keys()].toSorted(),
    );
  });

  test('agrees with the reference implementation on every key', async () => {
    const filters = [...listKeys(resources[resource]!)].flatMap(([name, key], index) =>
      fc
        .sample(filterValueOf(key, valuesOf(resource, key)), { numRuns: 2, seed: seed + 7_919 * index })
        .map((value): Conditions => [[name, value]]),
    );
    const counts = await expectAgreement(resource, filters);
    // With few records most conditions select all or none; at least one must select some.
    expect(counts.some(count => count > 0 && count < listOf(resource).records.length)).toBe(true);
  });

  test('agrees with the reference implementation on several keys at once', async () => {
    await expectAgreement(resource, fc.sample(conditionsOn(resource, 3), propertyRuns(300)));
  });

  test('answers a request with the records that the filter selects, in their order, and their count', async () => {
    for (const conditions of fc.sample(conditionsOn(resource, 2), { seed, numRuns: 3 })) {
      const query = toQueryString(conditions);
      const { response, count } = await fetchJson(withQuery(listOf(resource).path, query));
      const expected = expectedIds(resource, conditions);
      expect([query, ids(response), count]).toEqual([query, expected, expected.length]);
    }
  });
});

/** Letters whose lower case depends on the language or on what follows. */
test.each<[text: string, operator: 'cont' | 'matches', pattern: string, isMatch: boolean]>([
  ['İstanbul', 'cont', 'istan', true],
  ['İstanbul', 'cont', 'İSTAN', true],
  ['istanbul', 'matches', 'İSTANBUL', true],
  ['ISTANBUL', 'cont', 'İs', true],
  ['ıstanbul', 'cont', 'istan', false],
  ['ΟΔΟΣ', 'matches', 'οδος', true],
  ['οδος', 'cont', 'ΔΟΣ', true],
  ['οδός', 'cont', 'Σ', true],
  ['σοφός', 'cont', 'ς', true],
  ['ΣΟΦΙΑ', 'cont', 'ς', true],
  ['οδος', 'cont', 'ΔΟΤ', false],
  ['\u212aelvin', 'cont', 'kelvin', true],
])('%j %s %j: %s', async (text, operator, pattern, isMatch) => {
  const values: unknown[] = [text];
  const operand = { sql: 'l.name', type: 'text', isCaseInsensitive: false } as const;
  const condition = operators[operator](operand, pattern, value => `$${values.push(value)}::text`);
  const rows = await service.database.query(`select ${condition} as matches from (values ($1::text)) l (name)`, values);
  expect(rows).toEqual([{ matches: isMatch }]);
});

describe('included records', () => {
  interface IncludedCollection {
    list: string;
    include: string;
    collection: string;
  }
  const includedCollections: IncludedCollection[] = [
    ...['components', 'notices', 'subscribers'].map(collection => ({
      list: 'pages',
      include: 'components,notices.updates,notices.components,subscribers.components',
      collection,
    })),
    ...['updates', 'components'].map(collection => ({ list: 'notices', include: 'updates,components', collection })),
    { list: 'subscribers', include: 'components', collection: 'components' },
  ];
  const collectionOf = (record: JsonRecord, collection: string): JsonRecord[] =>
    collection === 'subscribers'
      ? (record[collection] as JsonRecord[]).map(splitTags)
      : (record[collection] as JsonRecord[]);

  test('are filtered like their own lists, on lists and single records, without filtering their parents', async () => {
    for (const [chosen, { list, include, collection }] of includedCollections.entries()) {
      for (const conditions of fc.sample(conditionsOn(collection, 2), { seed: seed + chosen, numRuns: 2 })) {
        const { path, records } = listOf(list);
        const query = `include=${include}&${toQueryString(conditions, `filter[${collection}]`)}`;
        const expected = records.map(record => [
          record.id,
          ids(filterRecords(resources[collection]!, collectionOf(record, collection), conditions)),
        ]);
        const shown = (response: JsonRecord[]) => response.map(record => [record.id, ids(record[collection])]);
        expect([query, shown((await fetchJson(`${path}?${query}`)).response)]).toEqual([query, expected]);
        const index = chosen % records.length;
        expect([query, shown([(await fetchJson(`${path}/${records[index]!.id}?${query}`)).response])]).toEqual([
          query,
          [expected[index]],
        ]);
      }
    }
  });

  test('are not filtered by filters of another collection or of the record itself', async () => {
    const { path, records } = listOf('notices');
    const record = records.find(({ updates, components }) => updates.length && components.length)!;
    const idsOf = (response: JsonRecord) => [ids(response.updates), ids(response.components)];
    for (const query of ['filter[subject_eq]=none%20such', 'filter[id_eq]=0', 'filter[nonsense]=1']) {
      const { response } = await fetchJson(`${path}/${record.id}?include=updates,components&${query}`);
      expect([query, ...idsOf(response)]).toEqual([query, ...idsOf(record)]);
    }
    const { response } = await fetchJson(`${path}/${record.id}?include=updates,components&filter[updates][id_eq]=0`);
    expect(idsOf(response)).toEqual([[], ids(record.components)]);
  });

  test('have filters that are ignored if they are not included', async () => {
    for (const { list, collection } of includedCollections) {
      const { path, records } = listOf(list);
      for (const at of [path, `${path}/${records[0]!.id}`]) {
        expect((await service.get(`/v1/${at}?filter[${collection}][id_eq]=0`)).text).toBe(
          (await service.get(`/v1/${at}`)).text,
        );
      }
    }
  });
});

describe('a filter value of the wrong type', () => {
  const invalid: Record<string, string[]> = {
    integer: ['abc', '1.5', '1e3', '0x1', '9223372036854775808', '-9223372036854775809', '1 2', '٣', '--1'],
    time: ['yesterday', '2026-02-30', '2026-13-01', '25:00', '1', '2026-01-01T24:00:00Z', 'infinity', 'now'],
    boolean: ['yes', 'TRUE', '2', 'null'],
    text: ['a\0b', '\0'],
    email: ['a\0b'],
    tags: ['a\0b'],
    choice: ['past', 'Present', 'a\0b'],
  };

  const kindOf = (key: FilterKey) => {
    if (['present', 'blank'].includes(key.operator)) return 'boolean';
    if (choicesOf(key)) return 'choice';
    return ['matches', 'cont'].includes(key.operator) || !(key.kind in invalid) ? 'text' : key.kind;
  };

  const catchRefusal = (work: () => unknown): Refusal => {
    try {
      throw new Error(`not refused: ${JSON.stringify(work())}`);
    } catch (error) {
      return error as Refusal;
    }
  };

  test.each(names)('in a list of %s is refused with the key and the value', async resource => {
    const requestedKinds = new Set<string>();
    for (const [index, [name, key]] of [...listKeys(resources[resource]!)].entries()) {
      const kind = kindOf(key);
      const value = invalid[kind]![index % invalid[kind]!.length]!;
      const isList = ['in', 'not_in'].includes(key.operator);
      const describeError = (code: string, message: string) => [
        name,
        value,
        code,
        message.includes(name),
        message.includes(JSON.stringify(value)),
      ];
      const { code, message } = catchRefusal(() => compileFilters(resource, [[[name, isList ? [value] : value]]]));
      expect(describeError(code, message)).toEqual([name, value, 'BAD_REQUEST', true, true]);
      if (requestedKinds.has(kind)) continue;
      requestedKinds.add(kind);
      const path = withQuery(listOf(resource).path, toQueryString([[name, value]]));
      const { status, json } = await service.get(`/v1/${path}`);
      expect([status, ...describeError(json.error, json.error_description)]).toEqual([
        400,
        name,
        value,
        'bad_request',
        true,
        true,
      ]);
    }
  });

  test.each([
    ['timeline_state_eq', 'future, present, past_recent, past_distant'],
    ['type_in', 'unplanned, planned, general'],
    ['components_state_not_eq', 'operational, degraded, partially-degraded'],
  ])('from outside of a closed list is refused with the list: %s', async (key, list) => {
    const { status, json } = await service.get(`/v1/${listOf('notices').path}?filter[${key}]=past`);
    expect([status, json.error_description]).toEqual([400, `The filter ${key} takes ${list}, not "past".`]);
  });

  test('in a filter of included records answers 400 too', async () => {
    const { path } = listOf('notices');
    const { status, json } = await service.get(`/v1/${path}?include=components&filter[components][position_gt]=high`);
    expect([status, json.error]).toEqual([400, 'bad_request']);
    expect(json.error_description).toMatch(/position_gt.*"high"/);
  });

  test('answers 400 as one of several values too', async () => {
    const { path } = listOf('notices');
    const { status, json } = await service.get(`/v1/${path}?filter[id_in][]=1&filter[id_in][]=&filter[id_in][]=two`);
    expect([status, json.error_description]).toEqual([400, expect.stringMatching(/id_in.*"two"/)]);
  });

  test.each(['created_at_matches', 'begins_at_cont', 'should_automate_schedule_cont', 'components_created_at_matches'])(
    'includes a text operator on an attribute that is no text: %s',
    async key => {
      const { status, json } = await service.get(`/v1/${listOf('notices').path}?filter[${key}]=1`);
      expect([status, json.error]).toEqual([400, 'bad_request']);
      expect(json.error_description).toContain(key);
    },
  );
});
