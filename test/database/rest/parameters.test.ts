import { beforeAll, describe, expect, test } from '@jest/globals';
import { createNotice, createPage } from '../../support/factories.js';
import { type TestRequest, useService } from '../../support/service.js';

const service = useService();
let page: string;
beforeAll(async () => {
  page = (await createPage(service, { name: 'All' })).path;
});

const createComponent = async (query: string, request: TestRequest) =>
  (await service.call('POST', `${page}/components${query}`, request)).json.response;
async function newComponents(...names: string[]): Promise<number[]> {
  const ids: number[] = [];
  for (const name of names) ids.push((await createComponent('', { json: { name } })).id);
  return ids;
}
const newNotice = async (values: object): Promise<number> =>
  (await createNotice(service, page, { subject: 'It', ...values })).id;
const multipart = (values: Record<string, string>): FormData => {
  const data = new FormData();
  for (const [name, value] of Object.entries(values)) data.append(name, value);
  return data;
};
const json = { 'Content-Type': 'application/json' };

describe('a parameter', () => {
  test.each<[string, string, TestRequest]>([
    ['the query string', '?name=Here&position=7', {}],
    ['the query string, with an empty JSON body', '?name=Here&position=7', { body: '', headers: json }],
    ['the query string, with an empty form body', '?name=Here&position=7', { form: '' }],
    [
      'the query string, with a body of an unsupported type',
      '?name=Here&position=7',
      { body: 'name=No', headers: { 'Content-Type': 'text/plain' } },
    ],
    ['a form', '', { form: 'name=Here&position=7' }],
    ['a multipart form', '', { body: multipart({ name: 'Here', position: '7' }) }],
    ['JSON', '', { json: { name: 'Here', position: 7 } }],
    ['JSON with numbers as texts', '', { json: { name: 'Here', position: '7' } }],
    [
      'JSON with a charset in the content type',
      '',
      { body: '{"name":"Here","position":7}', headers: { 'Content-Type': 'application/json; charset=utf-8' } },
    ],
    ['the query string and a form', '?position=7', { form: 'name=Here' }],
    ['the query string and JSON', '?name=Here', { json: { position: 7 } }],
    ['a body that contradicts the query string', '?name=No&position=6', { json: { name: 'Here', position: 7 } }],
    ['a form that contradicts the query string', '?name=No&position=6', { form: 'name=Here&position=7' }],
    ['a repeated name, of which the last value counts', '', { form: 'name=No&position=6&name=Here&position=7' }],
  ])('can come from %s', async (_, query, request) => {
    expect(await createComponent(query, request)).toMatchObject({ name: 'Here', position: 7 });
  });

  test('of the path takes precedence over the body and the query string', async () => {
    const [one, other] = await newComponents('One', 'Other');
    const response = await service.patch(`${page}/components/${one}?component_id=${other}&page_id=x`, {
      component_id: other,
      page_id: 'x',
      id: other,
      name: 'Renamed',
    });
    expect(response.json.response).toMatchObject({ id: one, name: 'Renamed' });
  });

  test('that is a list comes from either the body or the query string', async () => {
    const [one, two, three] = await newComponents('One', 'Two', 'Three');
    const notice = await newNotice({});
    const response = await service.patch(
      `${page}/notices/${notice}?include=components&component_ids[]=${one}&component_ids[]=${two}`,
      {
        component_ids: [three],
      },
    );
    expect(response.json.response.components.map(({ id }: { id: number }) => id)).toEqual([three]);
  });

  test.each<[string, (ids: number[]) => TestRequest, number[]]>([
    ['brackets', ids => ({ form: `component_ids[]=${ids[1]}&component_ids[]=${ids[2]}` }), [1, 2]],
    ['encoded brackets', ids => ({ form: `component_ids%5B%5D=${ids[1]}&component_ids%5B%5D=${ids[2]}` }), [1, 2]],
    ['numbered brackets', ids => ({ form: `component_ids[1]=${ids[2]}&component_ids[0]=${ids[1]}` }), [1, 2]],
    ['JSON', ids => ({ json: { component_ids: [ids[1], ids[2]] } }), [1, 2]],
    ['JSON of texts', ids => ({ json: { component_ids: [`${ids[1]}`, `${ids[2]}`] } }), [1, 2]],
    ['a scalar', ids => ({ form: `component_ids=${ids[1]}` }), [1]],
    ['a scalar of JSON', ids => ({ json: { component_ids: ids[1] } }), [1]],
    [
      'brackets with blank items',
      ids => ({ form: `component_ids[]=&component_ids[]=${ids[1]}&component_ids[]=` }),
      [1],
    ],
    ['a blank item only', () => ({ form: 'component_ids[]=' }), []],
    ['an empty list of JSON', () => ({ json: { component_ids: [] } }), []],
    ['null', () => ({ json: { component_ids: null } }), []],
    ['its absence, which keeps the list', () => ({ json: {} }), [0]],
  ])('that is a list can be sent with %s', async (_, request, expected) => {
    const ids = await newComponents('Before', 'One', 'Two');
    const notice = await newNotice({ component_ids: [ids[0]] });
    const response = await service.call('PATCH', `${page}/notices/${notice}?include=components`, request(ids));
    expect(response.json.response.components.map(({ id }: { id: number }) => id)).toEqual(
      expected.map(index => ids[index]),
    );
  });

  test('that is a number becomes a text if a text is expected', async () => {
    expect(await createComponent('', { json: { name: 42, description: 1.5 } })).toMatchObject({
      name: '42',
      description: '1.5',
    });
  });

  test.each([
    ['malformed JSON', '', { body: '{"name":', headers: json }],
    ['JSON that is not an object', '', { json: ['name'] }],
    ['a lone percent sign', '?name=%', {}],
    ['a lone percent sign in a form', '', { form: 'name=100%' }],
    ['invalid UTF-8', '?name=%ff', {}],
    ['invalid UTF-8 in JSON', '', { body: new Uint8Array([123, 34, 255, 34, 58, 49, 125]), headers: json }],
    ['brackets 6 deep', '', { form: 'a[b][c][d][e][f][g]=1&name=x' }],
    ['1,001 parameters', '', { form: `${'a=1&'.repeat(1000)}name=x` }],
  ])('is refused with 400 from %s', async (_, query, request) => {
    const response = await service.call('POST', `${page}/components${query}`, request as TestRequest);
    expect(response.status).toBe(400);
    expect(response.json).toEqual({ error: 'bad_request', error_description: expect.any(String) });
  });

  test('of a read comes from the query string', async () => {
    await newComponents('One', 'Two');
    const count = Number((await service.get(`${page}/components?per_page=1`)).json.count);
    expect(count).toBe(1);
    expect((await service.get(`${page}/components?subscriber[email]=x@example.com&per_page=1`)).json.count).toBe(1);
    expect((await service.get(`${page}/subscribers`)).json.count).toBe(0);
  });
});

describe('a boolean', () => {
  const setVisible = async (request: TestRequest) => {
    const response = await service.call('PATCH', page, request);
    return response.status === 200 ? response.json.response.visible_to_search : response.json.messages;
  };

  test.each<[string, TestRequest, boolean]>([
    ['true in JSON', { json: { visible_to_search: true } }, true],
    ['false in JSON', { json: { visible_to_search: false } }, false],
    ['1 in JSON', { json: { visible_to_search: 1 } }, true],
    ['0 in JSON', { json: { visible_to_search: 0 } }, false],
    ['"true" in JSON', { json: { visible_to_search: 'true' } }, true],
    ['"0" in JSON', { json: { visible_to_search: '0' } }, false],
    ['true', { form: 'visible_to_search=true' }, true],
    ['false', { form: 'visible_to_search=false' }, false],
    ['1', { form: 'visible_to_search=1' }, true],
    ['0', { form: 'visible_to_search=0' }, false],
    ['a blank, which sets the default', { form: 'visible_to_search=' }, true],
    ['null, which sets the default', { json: { visible_to_search: null } }, true],
  ])('can be sent as %s', async (_, request, value) => {
    await setVisible({ json: { visible_to_search: !value } });
    expect(await setVisible(request)).toBe(value);
  });

  test.each([['yes'], ['TRUE'], ['on'], ['t'], ['2'], ['-1'], [2], [0.5], [[true]], [{ a: true }], ['\0']])(
    'cannot be sent as %j',
    async given => {
      expect(await setVisible({ json: { visible_to_search: given } })).toEqual({
        visible_to_search: ['is not included in the list'],
      });
    },
  );
});

describe('a field of the GraphQL API only', () => {
  test('is ignored by /v1, with any value', async () => {
    const planned = { type: 'planned', begins_at_date: '2099-01-01', begins_at_time: '10:00', duration_in_minutes: 5 };
    for (const reminder of ['garbage', 'one_hour', [1]]) {
      const id = await newNotice({ ...planned, reminder });
      const before = (await service.get(`${page}/notices/${id}`)).headers.get('etag');
      expect((await service.patch(`${page}/notices/${id}`, { reminder })).headers.get('etag')).toBe(before);
      const pageEtag = (await service.get(page)).headers.get('etag');
      expect((await service.patch(page, { reminder })).headers.get('etag')).toBe(pageEtag);
    }
    for (const kinds of ['garbage', ['planned'], [1]]) {
      const { json } = await service.post(`${page}/subscribers`, {
        email: `${JSON.stringify(kinds).length}@example.com`,
        kinds,
      });
      const path = `${page}/subscribers/${json.response.id}`;
      const before = (await service.get(path)).headers.get('etag');
      expect((await service.patch(path, { kinds })).headers.get('etag')).toBe(before);
    }
    const { text } = await service.get('/v1/openapi.json');
    for (const name of ['reminder', 'kinds']) expect(text).not.toContain(`"${name}"`);
  });
});

describe('a number sent for a text', () => {
  test.each(['7', '-0.5', '9007199254740993', '12345678901234567890', '-12345678901234567890123'])(
    'keeps its digits: %s',
    async number => {
      expect(await createComponent('', { body: `{"name":${number},"position":7}`, headers: json })).toMatchObject({
        name: number,
        position: 7,
      });
    },
  );

  test('is refused for an integer field if it is too large', async () => {
    const response = await service.call('POST', `${page}/components`, {
      body: '{"name":"A","position":12345678901234567890}',
      headers: json,
    });
    expect([response.status, response.json.messages]).toEqual([422, { position: ['is invalid'] }]);
  });
});

describe('more than 1,000 parameters', () => {
  const names = (count: number, prefix: string) =>
    Array.from({ length: count }, (_, index) => [`${prefix}${index}`, '1']);
  const form = (count: number, prefix = 'x') => new URLSearchParams(names(count, prefix)).toString();

  test.each<[string, string, TestRequest]>([
    ['a query string', `?${form(1_001)}`, {}],
    ['a form', '', { form: form(1_001) }],
    ['JSON', '', { json: Object.fromEntries(names(1_001, 'x')) }],
    ['a query string and a form', `?${form(600, 'q')}`, { form: form(600) }],
    ['a query string and JSON', `?${form(600, 'q')}`, { json: Object.fromEntries(names(600, 'x')) }],
  ])('are refused in %s', async (_, query, request) => {
    const response = await service.call('POST', `${page}/components${query}`, request);
    expect([response.status, response.json]).toEqual([
      400,
      { error: 'bad_request', error_description: 'A request can have at most 1,000 parameters.' },
    ]);
  });
});
