import { beforeAll, describe, expect, test } from '@jest/globals';
import { createComponent, createNotice, createPage, createRecord } from '../../support/factories.js';
import {
  anyTimestamp,
  expectConditionalRequests,
  expectRoundTripToChangeNothing,
  expectSameNotFound,
  inputFormats,
  sendAs,
} from '../../support/record-rules.js';
import {
  customPage,
  customSubscriber,
  freshPage,
  freshSubscriber,
  freshTemplate,
} from '../../support/record-samples.js';
import { type TestResponse, useOwnService } from '../../support/service.js';

const service = useOwnService();
let page: string;
let component: number;
let notice: string;
beforeAll(async () => {
  page = (await createPage(service, { name: 'All' })).path;
  component = (await createComponent(service, page)).id;
  notice = (await createNotice(service, page, { subject: 'It', initial_comment: 'Hm' })).path;
});

type Values = Record<string, string | number | boolean | string[]>;
interface Resource {
  /** What errors call it. */
  name: string;
  /** Its path below a page or a notice; that of a page is below /v1. */
  collection: string;
  /** The values without which it is not created. */
  minimum: () => Values;
  /** The record with those alone, in the order of the reference of /v1; undefined is shown only if it is set. */
  fresh: Record<string, unknown>;
  /** Every value that can be sent. */
  complete: () => Values;
  /** What the record shows of them besides. */
  derived?: Values;
  /** A change that differs for each number. */
  change: (number: number) => Values;
}

const timestamps = { created_at: anyTimestamp, updated_at: anyTimestamp };
const link = expect.stringMatching(/^http/);
let subscribers = 0;
const email = () => `somebody-${++subscribers}@acme.example`;

const resources: Resource[] = [
  {
    name: 'page',
    collection: 'pages',
    minimum: () => ({ name: 'Acme' }),
    fresh: freshPage,
    complete: () => ({ name: 'Acmé', ...customPage }),
    derived: { timeline_threshold_in_days: 1 },
    change: number => ({ meta_title: `A & ${number}` }),
  },
  {
    name: 'component',
    collection: 'components',
    minimum: () => ({ name: 'API' }),
    fresh: {
      id: expect.any(Number),
      state: 'operational',
      name: 'API',
      description: null,
      position: expect.any(Number),
      parent_id: null,
      ...timestamps,
    },
    complete: () => ({ name: 'A & B', description: '50%', position: -3, parent_id: component }),
    change: number => ({ position: 10 + number }),
  },
  {
    name: 'notice',
    collection: 'notices',
    minimum: () => ({ subject: 'Disk full' }),
    fresh: {
      id: expect.any(Number),
      type: 'unplanned',
      subject: 'Disk full',
      synopsis: '',
      state: 'investigating',
      timeline_state: 'present',
      began_at: anyTimestamp,
      ended_at: null,
      ...timestamps,
      link,
      tag_list: [],
    },
    complete: () => ({ type: 'unplanned', subject: 'A & B', state: 'identified', tag_list: ['a', 'b'] }),
    change: number => ({ subject: `Disk ${number}` }),
  },
  {
    name: 'update',
    collection: 'updates',
    minimum: () => ({ content: '**Found** it' }),
    fresh: { id: expect.any(Number), content: '**Found** it', should_publish: true, ...timestamps, link },
    complete: () => ({ content: 'Ä & ö', should_publish: false }),
    change: number => ({ content: `Still ${number} %` }),
  },
  {
    name: 'notice template',
    collection: 'notice_templates',
    minimum: () => ({ name: 'Outage' }),
    fresh: freshTemplate,
    complete: () => ({
      name: 'Down',
      subject: 'Down & out',
      initial_comment: 'We look 100 % into it',
      component_id: String(component),
    }),
    change: number => ({ subject: `${number} & more` }),
  },
  {
    name: 'subscriber',
    collection: 'subscribers',
    minimum: () => ({ email: email() }),
    fresh: { ...freshSubscriber, email: expect.stringMatching(/@acme.example$/) },
    complete: () => ({ ...customSubscriber, email: email(), phone_number: `+44794600${1_000 + subscribers}` }),
    change: number => ({ nickname: `${number} & more` }),
  },
];

const readOnly = {
  id: 1,
  created_at: '2001-01-01T00:00:00.000Z',
  updated_at: '2001-01-01T00:00:00.000Z',
  version: 9,
  link: 'x',
  endpoint: 'x.example',
  children: [1],
  notice_id: 1,
  confirmed_at: null,
  consent_source: 'x',
  tag_text: 'a',
  unknown: 1,
};
/** Ids that no record has, most of which are no ids at all. */
const unknownIds = '2147483647 2147483648 0 -1 x 1.0 99999999999999999999 %2B1 %E2%91%A0 AAAAAA %00 %F0%9F%99%82'.split(
  ' ',
);
const toTexts = (values: Values) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, Array.isArray(value) ? value : `${value}`]));

describe.each(resources)('a $name', ({ name, collection, minimum, fresh, complete, derived, change }) => {
  const parentOf = (ofPage: string, ofNotice: string) =>
    ({ page: '/v1', update: ofNotice })[name as 'page' | 'update'] ?? ofPage;
  const path = () => `${parentOf(page, notice)}/${collection}`;
  const create = (values: object = minimum()) => createRecord(service, path(), values);

  test('has its fields in the order of the reference of /v1, and is readable at its Location with the same bytes', async () => {
    const { status, json, text, headers } = await service.post(path(), minimum());
    expect([status, json]).toEqual([201, { response: fresh }]);
    const all = await create(complete());
    expect(Object.keys(all)).toEqual(Object.keys(fresh));
    expect(Object.keys(json.response)).toEqual(Object.keys(fresh).filter(field => fresh[field] !== undefined));
    expect(headers.get('location')).toBe(`${path()}/${json.response.id}`);
    const read = await service.get(headers.get('location')!);
    expect([read.text, read.headers.get('etag')]).toEqual([text, headers.get('etag')]);
  });

  test.each(inputFormats)('can be created and changed by %s', async format => {
    const values = complete();
    const created = await sendAs(service, format, 'POST', path(), toTexts(values));
    expect([created.status, created.json.response]).toEqual([201, { ...fresh, ...values, ...derived }]);
    const record = created.headers.get('location')!;
    const changed = await sendAs(service, format, 'PUT', record, toTexts(change(1)));
    expect([changed.status, changed.json.response]).toEqual([
      200,
      { ...created.json.response, ...change(1), updated_at: anyTimestamp, ...('link' in fresh && { link }) },
    ]);
    expect(changed.json.response.updated_at > created.json.response.updated_at).toBe(true);
  });

  test('ignores read-only and unknown fields', async () => {
    const values = { ...readOnly, ...(name !== 'notice' && { state: 'degraded' }) };
    const record = await create({ ...values, ...minimum() });
    expect(record).toEqual(fresh);
    const changed = await service.patch(record.path, values);
    expect([changed.status, changed.json.response]).toEqual([200, record]);
    expect([record.id, record.created_at]).not.toEqual([1, readOnly.created_at]);
  });

  test('does not change if it is sent back whole', async () => {
    await expectRoundTripToChangeNothing(service, (await create()).path);
    await expectRoundTripToChangeNothing(service, (await create(complete())).path);
  });

  test('supports ETag, If-None-Match and If-Match', async () => {
    const record = await create();
    await expectConditionalRequests(service, record.path, (attempt, method, request) =>
      service.call(method, record.path, { json: change(attempt), ...request }),
    );
  });

  test('is not found under another parent, by an id that no record has, and once it is deleted', async () => {
    const record = await create();
    const other = await createPage(service);
    const elsewhere = parentOf(other.path, (await createNotice(service, page)).path);
    const foreign = name === 'page' ? '/v1/pages/ffffffff' : `${elsewhere}/${collection}/${record.id}`;
    const paths = unknownIds.map(id => `${path()}/${id}`).concat(foreign);
    expectSameNotFound(name, await Promise.all(paths.map(unknown => service.get(unknown))));
    const deleted = await service.delete(record.path);
    expect([deleted.status, deleted.text, deleted.headers.get('content-type')]).toEqual([204, '', null]);
    for (const missing of [foreign, record.path])
      expectSameNotFound(name, [
        await service.get(missing),
        await service.patch(missing, { name: '', subject: '', content: '', email: '' }),
        await service.patch(missing, {}, { headers: { 'if-match': '"9.x"' } }),
        await service.delete(missing),
      ]);
  });

  test('is not found on an unknown page, which is reported first', async () => {
    if (name === 'page') return;
    const record = (await create()).path.replace(page, '/v1/pages/ffffffff');
    const list = path().replace(page, '/v1/pages/ffffffff');
    expectSameNotFound('page', [
      await service.get(list),
      await service.post(list, {}),
      await service.get(record),
      await service.patch(record, {}),
      await service.delete(record),
    ]);
  });
});

const send = (collection: string, values: object): Promise<TestResponse> =>
  service.post(`${page}/${collection}`, values);

test.each<[string, () => Promise<TestResponse>, string]>([
  [
    'a maintenance',
    () =>
      send('notices', { subject: 'x', type: 'planned', begins_at: '2030-01-01T10:00Z', ends_at: '2030-01-01T11:00Z' }),
    'id type subject synopsis state timeline_state begins_at ends_at began_at ended_at should_automate_schedule created_at updated_at link tag_list',
  ],
  [
    'a general notice',
    () => send('notices', { subject: 'x', type: 'general' }),
    'id type subject synopsis timeline_state began_at ended_at created_at updated_at link tag_list',
  ],
  [
    'a custom domain',
    () => send('custom_domain', { domain: 'status.order.example' }),
    'type from to created_at updated_at',
  ],
  ['a time zone', () => service.get('/v1/timezones/UTC'), 'name offset'],
])('%s has its fields in the order of the reference of /v1', async (_, request, fields) => {
  expect(Object.keys((await request()).json.response).join(' ')).toBe(fields);
});

test('the Location of a custom domain is that of its page', async () => {
  const domain = await send('custom_domain', { domain: 'status.located.example' });
  expect(domain.headers.get('location')).toBe(`${page}/custom_domain`);
});

describe('a record', () => {
  test('has timestamps in UTC with milliseconds', async () => {
    const { response } = (await service.get(`${page}?include=brand,notices.updates`)).json;
    const timestamps = [response, response.brand, response.notices[0]].flatMap(({ created_at, updated_at }) => [
      created_at,
      updated_at,
    ]);
    for (const timestamp of [...timestamps, (await service.get(notice)).json.response.began_at])
      expect(timestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  });

  test('can be found by the timestamps of a read', async () => {
    const { response } = (await service.get(notice)).json;
    const found = await service.get(
      `${page}/notices?filter[created_at_eq]=${response.created_at}&filter[began_at_eq]=${response.began_at}`,
    );
    expect(found.json.response.map(({ id }: { id: number }) => id)).toContain(response.id);
  });

  test.each([
    ['2030-05-06T07:08:09.123Z', '2030-05-06T07:08:09.123Z'],
    ['2030-05-06T07:08:09+02:00', '2030-05-06T05:08:09.000Z'],
    ['2030-05-06T07:08:09 02:00', '2030-05-06T05:08:09.000Z'],
    ['2030-05-06', '2030-05-06T00:00:00.000Z'],
    ['2030-05-06 07:08:09 +0000', '2030-05-06T07:08:09.000Z'],
    ['2030-05-06T07:08:09.1239Z', '2030-05-06T07:08:09.123Z'],
  ])('accepts the timestamp %s', async (begins_at, expected) => {
    const { response } = (await send('notices', { subject: 'x', type: 'planned', begins_at, ends_at: '2031-01-01' }))
      .json;
    expect(response.begins_at).toBe(expected);
  });
});

describe('a successful response', () => {
  test.each<[string, () => Promise<TestResponse>, number]>([
    ['a read', () => service.get(page), 200],
    ['a list', () => service.get('/v1/pages'), 200],
    ['a creation', () => send('components', { name: 'New' }), 201],
    ['an update', () => service.patch(page, { name: 'All' }), 200],
    ['an update that changes nothing', () => service.patch(page, {}), 200],
  ])('to %s is JSON that caches must revalidate', async (_, send, status) => {
    const { status: actual, headers, text } = await send();
    expect(actual).toBe(status);
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(headers.get('cache-control')).toBe('private, no-cache');
    expect(headers.get('vary')).toBe('Authorization, Origin');
    expect(Number(headers.get('content-length'))).toBe(Buffer.byteLength(text));
  });
});
