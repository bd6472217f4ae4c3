import { describe, expect, test } from '@jest/globals';
import {
  expectConditionalRequests,
  expectRoundTripToChangeNothing,
  expectSameNotFound,
  inputFormats,
  anyTimestamp,
  invalidBody,
  sendAs,
  versionAt,
} from '../../support/record-rules.js';
import { createComponent, createPage } from '../../support/factories.js';
import { useService } from '../../support/service.js';

const service = useService();

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
  created_at: anyTimestamp,
  updated_at: anyTimestamp,
};

describe('creating a component', () => {
  test('uses the defaults if only a name is sent, and returns the fields in the order of the reference of /v1', async () => {
    const { path: page } = await createPage(service);
    const response = await service.post(`${page}/components`, { name: 'API' });
    expect([response.status, response.json]).toEqual([201, { response: fresh }]);
    expect(Object.keys(response.json.response)).toEqual(Object.keys(fresh));
    const location = `${page}/components/${response.json.response.id}`;
    expect(response.headers.get('location')).toBe(location);
    expect((await service.get(location)).text).toBe(response.text);
  });

  test.each(inputFormats)('accepts %s', async form => {
    const { path: page } = await createPage(service);
    const parent = await createComponent(service, page);
    const values = { name: 'A & B', description: 'Both', position: '-3', parent_id: String(parent.id) };
    const { status, json } = await sendAs(service, form, 'POST', `${page}/components`, values);
    expect([status, json.response]).toEqual([
      201,
      { ...fresh, name: 'A & B', description: 'Both', position: -3, parent_id: parent.id },
    ]);
  });

  test('ignores read-only fields', async () => {
    expect(
      await createComponent(service, (await createPage(service)).path, {
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
    ['a position that is not a number', { name: 'a', position: 'top' }, { position: ['is not a number'] }],
    ['a fractional position', { name: 'a', position: 1.5 }, { position: ['must be an integer'] }],
    ['a position beyond 32 bits', { name: 'a', position: 2147483648 }, { position: ['is invalid'] }],
    ['an unknown parent', { name: 'a', parent_id: 2147483647 }, { parent_id: ['is invalid'] }],
    ['a parent id out of range', { name: 'a', parent_id: '99999999999999999999' }, { parent_id: ['is invalid'] }],
    ['a parent id that is not a number', { name: 'a', parent_id: 'root' }, { parent_id: ['is invalid'] }],
    ['a list of parents', { name: 'a', parent_id: [1] }, { parent_id: ['is invalid'] }],
  ])('refuses %s under its field', async (_, fields, messages) => {
    const { status, json } = await service.post(`${(await createPage(service)).path}/components`, fields);
    expect([status, json]).toEqual([422, invalidBody(messages as unknown as Record<string, string[]>)]);
  });
});

describe('updating a component', () => {
  test('keeps omitted fields, and clears null and blank ones', async () => {
    const { path: page } = await createPage(service);
    const parent = await createComponent(service, page);
    const { id } = await createComponent(service, page, { description: 'Text', position: 4, parent_id: parent.id });
    const path = `${page}/components/${id}`;
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
    expect((await service.patch(path, { name: null })).json).toEqual(invalidBody({ name: ["can't be blank"] }));
  });

  test.each(inputFormats)('accepts %s', async form => {
    const { path: page } = await createPage(service);
    const path = `${page}/components/${(await createComponent(service, page)).id}`;
    const { status, json } = await sendAs(service, form, 'PUT', path, { position: '9', description: '50%' });
    expect([status, json.response]).toEqual([200, { ...fresh, position: 9, description: '50%' }]);
  });

  test('changes nothing if the whole record is sent back', async () => {
    const { path: page } = await createPage(service);
    const parent = await createComponent(service, page);
    await expectRoundTripToChangeNothing(
      service,
      `${page}/components/${(await createComponent(service, page, { parent_id: parent.id, description: 'x' })).id}`,
    );
    await expectRoundTripToChangeNothing(service, `${page}/components/${parent.id}`);
  });

  test('supports ETag, If-None-Match and If-Match', async () => {
    const { path: page } = await createPage(service);
    const path = `${page}/components/${(await createComponent(service, page)).id}`;
    await expectConditionalRequests(service, path, (attempt, method, request) =>
      service.call(method, path, { json: { position: 10 + attempt }, ...request }),
    );
  });
});

describe('positions', () => {
  test('continue after the last sibling, without moving others', async () => {
    const { path: page } = await createPage(service);
    const parent = await createComponent(service, page);
    expect((await createComponent(service, page)).position).toBe(2);
    expect((await createComponent(service, page, { parent_id: parent.id })).position).toBe(1);
    expect((await createComponent(service, page, { parent_id: parent.id, position: 8 })).position).toBe(8);
    expect((await createComponent(service, page, { parent_id: parent.id })).position).toBe(9);
    expect((await createComponent(service, page)).position).toBe(3);
    expect(((await list(page)) as unknown as { position: number }[]).map(({ position }) => position)).toEqual([
      1, 1, 2, 3, 8, 9,
    ]);
  });

  test('start at 1 and end at the largest 32-bit integer', async () => {
    const { path: page } = await createPage(service);
    await createComponent(service, page, { position: -5 });
    expect((await createComponent(service, page)).position).toBe(1);
    await createComponent(service, page, { position: 2147483647 });
    expect((await createComponent(service, page)).position).toBe(2147483647);
  });

  test('order the list, with equal positions by id', async () => {
    const { path: page } = await createPage(service);
    for (const [name, position] of Object.entries({ third: 5, first: 1, fourth: 5, second: 3 }))
      await createComponent(service, page, { name, position });
    expect(namesIn(await list(page))).toEqual(['first', 'second', 'third', 'fourth']);
  });
});

describe('the list of components', () => {
  test('counts, paginates and filters', async () => {
    const { path: page } = await createPage(service);
    const parent = await createComponent(service, page, { name: 'Root' });
    for (const name of ['One', 'Two', 'Three'])
      await createComponent(service, page, { name, parent_id: parent.id, position: 2 });
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

  test('supports no includes', async () => {
    const { path: page } = await createPage(service);
    for (const path of [`${page}/components`, `${page}/components/${(await createComponent(service, page)).id}`]) {
      expect((await service.get(`${path}?include=notices`)).status).toBe(400);
    }
  });
});

describe('not found', () => {
  test('unknown ids and ids of other pages get the same response', async () => {
    const { path: page } = await createPage(service);
    const foreign = (await createComponent(service, (await createPage(service)).path)).id;
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

  test('an unknown page is reported before its components', async () => {
    const { id } = await createComponent(service, (await createPage(service)).path);
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

  test('a deleted component is not found', async () => {
    const { path: page } = await createPage(service);
    const path = `${page}/components/${(await createComponent(service, page)).id}`;
    const deleted = await service.delete(path);
    expect([deleted.status, deleted.text]).toEqual([204, '']);
    expectSameNotFound('component', [await service.get(path), await service.delete(path)]);
    expect(await versionAt(service, path)).toBeNaN();
  });
});
