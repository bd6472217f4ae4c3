import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  type Conditions,
  filtered,
  type Given,
  type Key,
  keysOf,
  queryOf,
  resources,
  type Shown,
} from '../../support/filter-reference.js';
import { makeRecords, type Records, texts, withTags } from '../../support/filter-records.js';
import { startTestService, type TestService } from '../../support/service.js';

// The same run again, or another: FILTER_SEED=<number>. A failure of fast-check tells its seed and path as well.
const seed = Number(process.env.FILTER_SEED ?? 20_261_121);

let service: TestService;
let all: Records;
beforeAll(async () => {
  service = await startTestService();
  all = await makeRecords(service, seed);
}, 180_000);
afterAll(() => service.stop());

const names = Object.keys(resources);
const listOf = (resource: string) => all.lists.find(list => list.resource === resource)!;
const related = (record: Shown | null | undefined, key: Key): Shown[] =>
  [key.association ? (record?.[key.association] ?? []) : record].flat();
const valuesOf = (resource: string, key: Key): string[] =>
  listOf(resource)
    .records.flatMap(record => related(record, key))
    .flatMap(record => record[key.attribute] ?? [])
    .map(String);

/** A value, and ways to make of it one that nearly is it. */
const near: ((text: string) => string)[] = [
  text => text,
  text => text,
  text => ` ${text}\t`,
  text => text.toUpperCase(),
  text => text.toLowerCase(),
  text => [...text].slice(0, 2).join(''),
  text => [...text].slice(1).join(''),
  text => `${[...text].slice(0, 1).join('')}%`,
  text => `%${[...text].slice(-1).join('')}`,
  text => [...text].map((letter, place) => (place % 2 ? letter : '_')).join(''),
  text => text.replace(/[\\%_]/g, '\\$&'),
  text => `${text}\\`,
  text => `\\${text}`,
];

const operandOf = ({ kind, operator }: Key, values: string[]): fc.Arbitrary<string> => {
  const known = values.length ? [fc.constantFrom(...values)] : [];
  if (kind === 'integer' && operator !== 'matches' && operator !== 'cont')
    return fc.oneof(
      ...known,
      ...known,
      fc.constantFrom('0', '-1', '+3', '007', '9223372036854775807', '-9223372036854775808'),
    );
  if (kind === 'time')
    return fc.oneof(
      ...known,
      ...known,
      fc.constantFrom('2025-06-01', '2025-06-01T14:30:00.001+02:00', '9999-12-31', '2026-01-01T00:00Z'),
    );
  if (kind === 'boolean') return fc.constantFrom('true', 'false', '1', '0', ' true ');
  const text = fc.oneof(
    ...known,
    ...known,
    fc.constantFrom(...texts),
    fc.string({ unit: 'binary', maxLength: 3 }).filter(one => !one.includes('\0')),
  );
  return fc.tuple(text, fc.constantFrom(...near)).map(([one, changed]) => changed(one));
};

const givenOf = (key: Key, values: string[]): fc.Arbitrary<Given> => {
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

const conditionsOn = (resource: string, most: number): fc.Arbitrary<Conditions> => {
  const keys = [...keysOf(resources[resource]!)];
  const condition = fc
    .constantFrom(...keys)
    .chain(([name, key]) => givenOf(key, valuesOf(resource, key)).map(given => [name, given] as [string, Given]));
  return fc.uniqueArray(condition, { minLength: 1, maxLength: most, selector: ([name]) => name });
};

const anyOf = (list: string[], most: number) =>
  fc.constantFrom(...list).chain(resource => fc.tuple(fc.constant(resource), conditionsOn(resource, most)));

async function responseOf(path: string) {
  const answer = await service.get(`/v1/${path}`);
  if (answer.status !== 200) throw new Error(`${answer.status} to ${path}: ${answer.text}`);
  return answer.json;
}
const withQuery = (path: string, query: string) => `${path}${path.includes('?') ? '&' : '?'}${query}`;
const ids = (records: Shown[]) => records.map(({ id, name }) => id ?? name);

async function expectAgreement(resource: string, conditions: Conditions): Promise<number> {
  const { path, records } = listOf(resource);
  const query = queryOf(conditions);
  const json = await responseOf(withQuery(path, query));
  const wanted = ids(filtered(resources[resource]!, records, conditions));
  expect([decodeURIComponent(query), ids(json.response)]).toEqual([decodeURIComponent(query), wanted]);
  expect(json.count).toBe(wanted.length);
  return wanted.length;
}

describe.each(names)('The list of %s', resource => {
  test('may be filtered by the attributes of the contract, and by no others', async () => {
    const { path } = listOf(resource);
    const { status, json } = await service.get(`/v1/${withQuery(path, 'filter[nonsense]=1')}`);
    const legal = /There are: (.*)\.$/.exec(json.error_description)![1]!.split(', ');
    expect(status).toBe(400);
    expect(legal.filter(key => !/for_components?$/.test(key)).toSorted()).toEqual(
      [...keysOf(resources[resource]!).keys()].toSorted(),
    );
  });

  test('agrees with the reference on every key', async () => {
    let telling = 0;
    for (const [place, [name, key]] of [...keysOf(resources[resource]!)].entries()) {
      for (const given of fc.sample(givenOf(key, valuesOf(resource, key)), {
        numRuns: 2,
        seed: seed + 7_919 * place,
      })) {
        const found = await expectAgreement(resource, [[name, given]]);
        if (found > 0 && found < listOf(resource).records.length) telling++;
      }
    }
    // Most conditions leave all or nothing where there are few records; some must not.
    expect(telling).toBeGreaterThan(0);
  }, 240_000);
});

test('Lists agree with the reference on several keys at once', async () => {
  await fc.assert(
    fc.asyncProperty(anyOf(names, 3), async ([resource, conditions]) => {
      await expectAgreement(resource, conditions);
    }),
    { seed, numRuns: 300 },
  );
}, 240_000);

describe('The records that are included', () => {
  interface Place {
    list: string;
    include: string;
    collection: string;
  }
  const places: Place[] = [
    ...['components', 'notices', 'subscribers'].map(collection => ({
      list: 'pages',
      include: 'components,notices.updates,notices.components,subscribers.components',
      collection,
    })),
    ...['updates', 'components'].map(collection => ({ list: 'notices', include: 'updates,components', collection })),
    { list: 'subscribers', include: 'components', collection: 'components' },
  ];
  const collectionOf = (record: Shown, collection: string): Shown[] =>
    collection === 'subscribers' ? (record[collection] as Shown[]).map(withTags) : (record[collection] as Shown[]);

  test('are narrowed as their own lists are, on lists and on single records, and the records above them are not', async () => {
    const anywhere = fc
      .constantFrom(...places)
      .chain(place => fc.tuple(fc.constant(place), conditionsOn(place.collection, 2), fc.nat()));
    await fc.assert(
      fc.asyncProperty(anywhere, async ([{ list, include, collection }, conditions, chosen]) => {
        const { path, records } = listOf(list);
        const query = `include=${include}&${queryOf(conditions, `filter[${collection}]`)}`;
        const wanted = records.map(record => [
          record.id,
          ids(filtered(resources[collection]!, collectionOf(record, collection), conditions)),
        ]);
        const shown = (response: Shown[]) => response.map(record => [record.id, ids(record[collection])]);
        expect([query, shown((await responseOf(`${path}?${query}`)).response)]).toEqual([query, wanted]);
        const place = chosen % records.length;
        expect([query, shown([(await responseOf(`${path}/${records[place]!.id}?${query}`)).response])]).toEqual([
          query,
          [wanted[place]],
        ]);
      }),
      { seed, numRuns: 80 },
    );
  }, 240_000);

  test('are whole where another collection or the record itself is filtered', async () => {
    const { path, records } = listOf('notices');
    const record = records.find(({ updates, components }) => updates.length && components.length)!;
    const whole = (response: Shown) => [ids(response.updates), ids(response.components)];
    for (const query of ['filter[subject_eq]=none%20such', 'filter[id_eq]=0', 'filter[nonsense]=1']) {
      const { response } = await responseOf(`${path}/${record.id}?include=updates,components&${query}`);
      expect([query, ...whole(response)]).toEqual([query, ...whole(record)]);
    }
    const { response } = await responseOf(`${path}/${record.id}?include=updates,components&filter[updates][id_eq]=0`);
    expect(whole(response)).toEqual([[], ids(record.components)]);
  });

  test('are not missed where they are not included: their filters are ignored', async () => {
    for (const { list, collection } of places) {
      const { path, records } = listOf(list);
      for (const at of [path, `${path}/${records[0]!.id}`]) {
        expect((await service.get(`/v1/${at}?filter[${collection}][id_eq]=0`)).text).toBe(
          (await service.get(`/v1/${at}`)).text,
        );
      }
    }
  });
});

describe('A value of the wrong kind', () => {
  const wrong: Record<string, string[]> = {
    integer: ['abc', '1.5', '1e3', '0x1', '9223372036854775808', '-9223372036854775809', '1 2', '٣', '--1'],
    time: ['yesterday', '2026-02-30', '2026-13-01', '25:00', '1', '2026-01-01T24:00:00Z', 'infinity', 'now'],
    boolean: ['yes', 'TRUE', '2', 'null'],
    text: ['a\0b', '\0'],
    email: ['a\0b'],
    tags: ['a\0b'],
  };

  test.each(names)(
    'in a filter of %s is a 400 that names the key and the value',
    async resource => {
      const { path } = listOf(resource);
      for (const [place, [name, key]] of [...keysOf(resources[resource]!)].entries()) {
        const kind = ['present', 'blank'].includes(key.operator)
          ? 'boolean'
          : ['matches', 'cont'].includes(key.operator)
            ? 'text'
            : key.kind;
        const value = wrong[kind]![place % wrong[kind]!.length]!;
        const list = ['in', 'not_in'].includes(key.operator) ? '[]' : '';
        const { status, json } = await service.get(
          `/v1/${withQuery(path, `filter[${name}]${list}=${encodeURIComponent(value)}`)}`,
        );
        expect([name, value, status, json.error]).toEqual([name, value, 400, 'bad_request']);
        expect(json.error_description).toContain(name);
        expect(json.error_description).toContain(JSON.stringify(value));
      }
    },
    120_000,
  );

  test('in a filter of what is included is one too', async () => {
    const { path } = listOf('notices');
    const { status, json } = await service.get(`/v1/${path}?include=components&filter[components][position_gt]=high`);
    expect([status, json.error]).toEqual([400, 'bad_request']);
    expect(json.error_description).toMatch(/position_gt.*"high"/);
  });

  test('may be one of several', async () => {
    const { path } = listOf('notices');
    const { status, json } = await service.get(`/v1/${path}?filter[id_in][]=1&filter[id_in][]=&filter[id_in][]=two`);
    expect([status, json.error_description]).toEqual([400, expect.stringMatching(/id_in.*"two"/)]);
  });

  test.each(['created_at_matches', 'begins_at_cont', 'should_automate_schedule_cont', 'components_created_at_matches'])(
    'is what a text is looked for in: %s',
    async key => {
      const { status, json } = await service.get(`/v1/${listOf('notices').path}?filter[${key}]=1`);
      expect([status, json.error]).toEqual([400, 'bad_request']);
      expect(json.error_description).toContain(key);
    },
  );
});
