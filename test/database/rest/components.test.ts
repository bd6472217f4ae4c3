import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  expectConditionalRequests,
  expectRoundTripToChangeNothing,
  expectSameNotFound,
  inputForms,
  moment,
  refused,
  send,
  versionAt,
} from '../../support/record-rules.js';
import { startTestService, type TestService } from '../../support/service.js';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

/** Each test has a page of its own. */
const newPage = async () => `/v1/pages/${(await service.post('/v1/pages', { name: 'Acme' })).json.response.id}`;
const add = async (page: string, fields: object = {}) =>
  (await service.post(`${page}/components`, { name: 'API', ...fields })).json.response;
const list = async (page: string, query = '') =>
  (await service.get(`${page}/components?${query}`)).json.response as { name: string }[];
const namesIn = (records: { name: string }[]) => records.map(({ name }) => name);

const fresh = {
  id: expect.any(Number),
  state: 'operational',
  name: 'API',
  description: null,
  position: 1,
  parent_id: null,
  created_at: moment,
  updated_at: moment,
};

describe('creating', () => {
  test('a component with a name alone takes every default, in the order of the interface document', async () => {
    const page = await newPage();
    const answer = await service.post(`${page}/components`, { name: 'API' });
    expect([answer.status, answer.json]).toEqual([201, { response: fresh }]);
    expect(Object.keys(answer.json.response)).toEqual(Object.keys(fresh));
    const location = `${page}/components/${answer.json.response.id}`;
    expect(answer.headers.get('location')).toBe(location);
    expect((await service.get(location)).text).toBe(answer.text);
  });

  test.each(inputForms)('a component may be sent as %s', async form => {
    const page = await newPage();
    const parent = await add(page);
    const values = { name: 'A & B', description: 'Both', position: '-3', parent_id: String(parent.id) };
    const { status, json } = await send(service, form, 'POST', `${page}/components`, values);
    expect([status, json.response]).toEqual([
      201,
      { ...fresh, name: 'A & B', description: 'Both', position: -3, parent_id: parent.id },
    ]);
  });

  test('what is read-only is ignored', async () => {
    expect(
      await add(await newPage(), {
        id: 1,
        state: 'degraded',
        created_at: '2001-01-01T00:00:00.000Z',
        version: 9,
        children: [1],
      }),
    ).toEqual(fresh);
  });

  test.each([
    ['no name', {}, { name: ["can't be blank"] }],
    ['a blank name', { name: ' ' }, { name: ["can't be blank"] }],
    ['a long name', { name: 'x'.repeat(256) }, { name: ['is too long (maximum is 255 characters)'] }],
    [
      'a long description',
      { name: 'a', description: 'x'.repeat(65536) },
      { description: ['is too long (maximum is 65535 characters)'] },
    ],
    ['a position that is no number', { name: 'a', position: 'top' }, { position: ['is not a number'] }],
    ['half a position', { name: 'a', position: 1.5 }, { position: ['must be an integer'] }],
    ['a position beyond 32 bits', { name: 'a', position: 2147483648 }, { position: ['is invalid'] }],
    ['a parent that is not there', { name: 'a', parent_id: 2147483647 }, { parent_id: ['is invalid'] }],
    ['a parent beyond any id', { name: 'a', parent_id: '99999999999999999999' }, { parent_id: ['is invalid'] }],
    ['a parent that is no id', { name: 'a', parent_id: 'root' }, { parent_id: ['is invalid'] }],
    ['a list of parents', { name: 'a', parent_id: [1] }, { parent_id: ['is invalid'] }],
  ])('%s is refused, by field', async (_, fields, messages) => {
    const { status, json } = await service.post(`${await newPage()}/components`, fields);
    expect([status, json]).toEqual([422, refused(messages as unknown as Record<string, string[]>)]);
  });
});

describe('changing', () => {
  test('what is absent stays, null and blank clear', async () => {
    const page = await newPage();
    const parent = await add(page);
    const path = `${page}/components/${(await add(page, { description: 'Text', position: 4, parent_id: parent.id })).id}`;
    expect((await service.patch(path, { name: 'New' })).json.response).toMatchObject({
      name: 'New',
      description: 'Text',
      position: 4,
      parent_id: parent.id,
    });
    expect((await service.patch(path, { description: '', parent_id: '' })).json.response).toMatchObject({
      description: null,
      position: 4,
      parent_id: null,
    });
    expect((await service.patch(path, { position: null })).json.response.position).toBe(2);
    expect((await service.patch(path, { name: null })).json).toEqual(refused({ name: ["can't be blank"] }));
  });

  test.each(inputForms)('a change may be sent as %s', async form => {
    const page = await newPage();
    const path = `${page}/components/${(await add(page)).id}`;
    const { status, json } = await send(service, form, 'PUT', path, { position: '9', description: '50%' });
    expect([status, json.response]).toEqual([200, { ...fresh, position: 9, description: '50%' }]);
  });

  test('a whole record sent back changes nothing', async () => {
    const page = await newPage();
    const parent = await add(page);
    await expectRoundTripToChangeNothing(
      service,
      `${page}/components/${(await add(page, { parent_id: parent.id, description: 'x' })).id}`,
    );
    await expectRoundTripToChangeNothing(service, `${page}/components/${parent.id}`);
  });

  test('ETag, If-None-Match and If-Match hold', async () => {
    const page = await newPage();
    const path = `${page}/components/${(await add(page)).id}`;
    await expectConditionalRequests(service, path, (attempt, method, request) =>
      service.call(method, path, { json: { position: 10 + attempt }, ...request }),
    );
  });
});

describe('positions', () => {
  test('go on after the last sibling, and nobody else moves', async () => {
    const page = await newPage();
    const parent = await add(page);
    expect((await add(page)).position).toBe(2);
    expect((await add(page, { parent_id: parent.id })).position).toBe(1);
    expect((await add(page, { parent_id: parent.id, position: 8 })).position).toBe(8);
    expect((await add(page, { parent_id: parent.id })).position).toBe(9);
    expect((await add(page)).position).toBe(3);
    expect(((await list(page)) as unknown as { position: number }[]).map(({ position }) => position)).toEqual([
      1, 1, 2, 3, 8, 9,
    ]);
  });

  test('begin at 1, and end where 32 bits do', async () => {
    const page = await newPage();
    await add(page, { position: -5 });
    expect((await add(page)).position).toBe(1);
    await add(page, { position: 2147483647 });
    expect((await add(page)).position).toBe(2147483647);
  });

  test('order the list, equal ones by id', async () => {
    const page = await newPage();
    for (const [name, position] of Object.entries({ third: 5, first: 1, fourth: 5, second: 3 }))
      await add(page, { name, position });
    expect(namesIn(await list(page))).toEqual(['first', 'second', 'third', 'fourth']);
  });
});

describe('the list', () => {
  test('counts, pages and narrows', async () => {
    const page = await newPage();
    const parent = await add(page, { name: 'Root' });
    for (const name of ['One', 'Two', 'Three']) await add(page, { name, parent_id: parent.id, position: 2 });
    const { json } = await service.get(`${page}/components`);
    expect([Object.keys(json), json.count, namesIn(json.response)]).toEqual([
      ['response', 'count'],
      4,
      ['Root', 'One', 'Two', 'Three'],
    ]);
    const second = (await service.get(`${page}/components?page=2&per_page=3`)).json;
    expect([namesIn(second.response), second.count, second.pagination]).toEqual([
      ['Three'],
      1,
      { current: 2, previous: 1, next: null, per_page: 3, pages: 2, count: 4 },
    ]);
    expect(namesIn(await list(page, 'filter[parent_id_blank]'))).toEqual(['Root']);
    expect(namesIn(await list(page, `filter[parent_id_eq]=${parent.id}&filter[name_matches]=t%25`))).toEqual([
      'Two',
      'Three',
    ]);
    expect(namesIn(await list(page, 'filter[state_eq]=degraded'))).toEqual([]);
  });

  test('includes nothing', async () => {
    const page = await newPage();
    for (const path of [`${page}/components`, `${page}/components/${(await add(page)).id}`]) {
      expect((await service.get(`${path}?include=notices`)).status).toBe(400);
    }
  });
});

describe('not found', () => {
  test('missing and foreign ids get the same answer', async () => {
    const page = await newPage();
    const foreign = (await add(await newPage())).id;
    const ids = [foreign, 2147483647, 2147483648, 0, -1, 'x', '1.0', '99999999999999999999', '%2B1', '%E2%91%A0'];
    const reads = await Promise.all(ids.map(id => service.get(`${page}/components/${id}`)));
    const writes = [
      await service.patch(`${page}/components/${foreign}`, { name: '' }),
      await service.delete(`${page}/components/${foreign}`),
    ];
    const stale = await service.patch(
      `${page}/components/${foreign}`,
      { name: '' },
      { headers: { 'if-match': '"9.x"' } },
    );
    expectSameNotFound('component', [...reads, ...writes, stale]);
  });

  test('a missing page is named before what stands on it', async () => {
    const { id } = await add(await newPage());
    const path = '/v1/pages/ffffffff/components';
    const calls = [
      service.get(path),
      service.get(`${path}/${id}`),
      service.post(path, {}),
      service.patch(`${path}/${id}`, {}),
      service.delete(`${path}/${id}`),
    ];
    expectSameNotFound('page', await Promise.all(calls));
  });

  test('a deleted component is gone', async () => {
    const page = await newPage();
    const path = `${page}/components/${(await add(page)).id}`;
    const deleted = await service.delete(path);
    expect([deleted.status, deleted.text]).toEqual([204, '']);
    expectSameNotFound('component', [await service.get(path), await service.delete(path)]);
    expect(await versionAt(service, path)).toBeNaN();
  });
});
