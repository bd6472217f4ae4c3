import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startTestService, type TestService } from '../../support/service.js';

let service: TestService;
let notices: string;
beforeAll(async () => {
  service = await startTestService();
  notices = await newPage();
});
afterAll(() => service.stop());

const newPage = async (): Promise<string> =>
  `/v1/pages/${(await service.post('/v1/pages', { name: 'Page' })).json.response.id}/notices`;

/** The path of a new notice, with an update for each of these contents. */
async function notice(...contents: string[]): Promise<string> {
  const path = `${notices}/${(await service.post(notices, { subject: 'Disk full' })).json.response.id}`;
  for (const content of contents) await comment(path, { content });
  return path;
}
async function comment(path: string, values: object) {
  const answer = await service.post(`${path}/updates`, values);
  expect([answer.status, answer.json.messages]).toEqual([201, undefined]);
  return answer.json.response;
}
const read = (path: string) => service.get(`${path}?include=updates`);
const synopsis = async (path: string): Promise<string> => (await service.get(path)).json.response.synopsis;
const version = (answer: { headers: Headers }) => answer.headers.get('etag')?.split('.')[0];

const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const keys = ['id', 'content', 'should_publish', 'created_at', 'updated_at'];

describe('a new update', () => {
  test('is answered with its keys in order, and stands at its Location as it was answered', async () => {
    const path = await notice();
    const created = await service.post(`${path}/updates`, { content: '**Found** it' });
    const { response } = created.json;
    expect(created.status).toBe(201);
    expect(response).toEqual({
      id: expect.any(Number),
      content: '**Found** it',
      should_publish: true,
      created_at: timestamp,
      updated_at: response.created_at,
    });
    expect(Object.keys(response)).toEqual(keys);
    expect(created.headers.get('location')).toBe(`${path}/updates/${response.id}`);
    const again = await service.get(`${path}/updates/${response.id}`);
    expect([again.text, again.headers.get('etag')]).toEqual([created.text, created.headers.get('etag')]);
  });

  test.each<[string, (path: string) => Parameters<TestService['call']>]>([
    ['the query string', path => ['POST', `${path}/updates?content=%C3%84+%26+%C3%B6&should_publish=false`]],
    ['a form', path => ['POST', `${path}/updates`, { form: 'content=%C3%84+%26+%C3%B6&should_publish=0' }]],
    ['JSON', path => ['POST', `${path}/updates`, { json: { content: 'Ä & ö', should_publish: false } }]],
    [
      'JSON with a number for a boolean',
      path => ['POST', `${path}/updates`, { json: { content: 'Ä & ö', should_publish: 0 } }],
    ],
    [
      'a multipart body',
      path => ['POST', `${path}/updates`, { body: multipart({ content: 'Ä & ö', should_publish: 'false' }) }],
    ],
  ])('may be sent as %s', async (_, request) => {
    const answer = await service.call(...request(await notice()));
    expect([answer.status, answer.json.response]).toMatchObject([201, { content: 'Ä & ö', should_publish: false }]);
  });

  test.each([{}, { should_publish: null }, { should_publish: '' }])(
    'is told unless it is said otherwise: %j',
    async values => {
      expect((await comment(await notice(), { content: 'x', ...values })).should_publish).toBe(true);
    },
  );

  test.each([{}, { content: null }, { content: '' }, { content: ' \n ' }])('needs content: %j', async values => {
    const path = await notice();
    const answer = await service.post(`${path}/updates`, values);
    expect([answer.status, answer.json]).toEqual([
      422,
      {
        error: 'invalid_resource',
        error_description: 'The current resource was deemed invalid.',
        messages: { content: ["can't be blank"] },
      },
    ]);
    expect((await service.get(`${path}/updates`)).json).toEqual({ response: [], count: 0 });
  });

  test('has 65,535 characters at most', async () => {
    const path = await notice();
    expect((await comment(path, { content: '𝕏'.repeat(65_535) })).content).toHaveLength(131_070);
    const answer = await service.post(`${path}/updates`, { content: '𝕏'.repeat(65_536) });
    expect([answer.status, answer.json.messages]).toEqual([
      422,
      { content: ['is too long (maximum is 65535 characters)'] },
    ]);
  });

  test.each([
    [{ content: 'a\0' }, { content: ['is invalid'] }],
    [{ content: ['a'] }, { content: ['is invalid'] }],
    [{ content: 'a', should_publish: 'maybe' }, { should_publish: ['is not included in the list'] }],
  ])('is refused with %j', async (values, messages) => {
    const answer = await service.post(`${await notice()}/updates`, values);
    expect([answer.status, answer.json.messages]).toEqual([422, messages]);
  });

  test('ignores what is read-only or unknown, and keeps its content as it was written', async () => {
    const update = await comment(await notice(), {
      id: 1,
      content: '  7\r\n',
      created_at: '2020-01-01',
      notice_id: 1,
      state: 'resolved',
    });
    expect(update).toEqual({
      id: update.id,
      content: '  7\r\n',
      should_publish: true,
      created_at: timestamp,
      updated_at: update.created_at,
    });
    expect(update.created_at).not.toMatch(/^2020/);
  });
});

function multipart(values: Record<string, string>): FormData {
  const data = new FormData();
  for (const [name, value] of Object.entries(values)) data.append(name, value);
  return data;
}

describe('the list of updates', () => {
  test('is oldest first, and of that notice alone', async () => {
    const [path] = [await notice('1', '2', '3'), await notice('other')];
    const { json } = await service.get(`${path}/updates`);
    expect([Object.keys(json), json.count]).toEqual([['response', 'count'], 3]);
    expect(json.response.map((one: { content: string }) => one.content)).toEqual(['1', '2', '3']);
    expect(json.response.map((one: object) => Object.keys(one))).toEqual([keys, keys, keys]);
  });

  test('takes pages and filters', async () => {
    const path = await notice('one', 'two', 'three');
    const { json } = await service.get(`${path}/updates?page=1&per_page=2`);
    expect(json.response).toHaveLength(2);
    expect(json.pagination).toEqual({ current: 1, previous: null, next: 2, per_page: 2, pages: 2, count: 3 });
    expect((await service.get(`${path}/updates?filter[content_cont]=T&filter[content_not_eq]=two`)).json).toMatchObject(
      {
        response: [{ content: 'three' }],
        count: 1,
      },
    );
    expect((await service.get(`${path}/updates?include=notice`)).status).toBe(400);
  });
});

describe('a changed update', () => {
  test.each(['PATCH', 'PUT'])('by %s has its new content, and its should_publish stays', async method => {
    const path = await notice();
    const update = await comment(path, { content: 'old', should_publish: false });
    const answer = await service.call(method, `${path}/updates/${update.id}`, {
      form: 'content=new&should_publish=true',
    });
    expect(answer.status).toBe(200);
    expect(answer.json.response).toEqual({ ...update, content: 'new', updated_at: timestamp });
    expect(answer.json.response.updated_at > update.updated_at).toBe(true);
  });

  test('stays what it was, and its notice too, when it is sent back whole or with nothing', async () => {
    const path = await notice('one');
    const before = await read(path);
    const [update] = before.json.response.updates;
    const at = `${path}/updates/${update.id}`;
    const etag = (await service.get(at)).headers.get('etag');
    for (const values of [
      update,
      {},
      { id: 9, created_at: '2020-01-01', should_publish: !update.should_publish, unknown: 1 },
    ]) {
      const answer = await service.patch(at, values);
      expect([answer.status, answer.json, answer.headers.get('etag')]).toEqual([200, { response: update }, etag]);
    }
    const after = await read(path);
    expect([after.text, after.headers.get('etag')]).toEqual([before.text, before.headers.get('etag')]);
  });

  test.each([null, '', ' '])('cannot have %j for its content', async content => {
    const path = await notice('one');
    const [{ id }] = (await service.get(`${path}/updates`)).json.response;
    const answer = await service.patch(`${path}/updates/${id}`, { content });
    expect([answer.status, answer.json.messages]).toEqual([422, { content: ["can't be blank"] }]);
  });

  test('is not written over by one who has seen an older version', async () => {
    const path = await notice('one');
    const [{ id }] = (await service.get(`${path}/updates`)).json.response;
    const at = `${path}/updates/${id}`;
    const seen = (await service.get(at)).headers.get('etag')!;
    expect((await service.patch(at, { content: 'two' }, { headers: { 'if-match': seen } })).status).toBe(200);
    for (const method of ['PATCH', 'DELETE']) {
      const answer = await service.call(method, at, { json: { content: '' }, headers: { 'if-match': seen } });
      expect([method, answer.status]).toEqual([method, 412]);
    }
  });
});

describe('the notice of an update', () => {
  test('is written with each write to the update: version and updated_at move', async () => {
    const path = await notice();
    let before = await service.get(path);
    const moved = async () => {
      const after = await service.get(path);
      const result =
        version(after) !== version(before) && after.json.response.updated_at > before.json.response.updated_at;
      before = after;
      return result;
    };
    const { id } = await comment(path, { content: 'one' });
    expect(await moved()).toBe(true);
    await service.patch(`${path}/updates/${id}`, { content: 'two' });
    expect(await moved()).toBe(true);
    await service.delete(`${path}/updates/${id}`);
    expect(await moved()).toBe(true);
  });

  test('has a synopsis that follows the first, whatever becomes of it', async () => {
    const path = await notice('# The *first*', 'The <b>second</b>');
    expect(await synopsis(path)).toBe('The first\n');
    const ids = (await service.get(`${path}/updates`)).json.response.map((one: { id: number }) => one.id);
    await service.patch(`${path}/updates/${ids[1]}`, { content: 'The 2nd' });
    expect(await synopsis(path)).toBe('The first\n');
    await service.patch(`${path}/updates/${ids[0]}`, { content: '[The 1st](https://example.org)' });
    expect(await synopsis(path)).toBe('The 1st\n');
    await service.delete(`${path}/updates/${ids[0]}`);
    expect(await synopsis(path)).toBe('The 2nd\n');
    await service.delete(`${path}/updates/${ids[1]}`);
    expect(await synopsis(path)).toBe('');
  });
});

test('a deleted update is gone', async () => {
  const path = await notice('one');
  const [{ id }] = (await service.get(`${path}/updates`)).json.response;
  const answer = await service.delete(`${path}/updates/${id}`);
  expect([answer.status, answer.text]).toEqual([204, '']);
  for (const method of ['GET', 'PATCH', 'DELETE'])
    expect((await service.call(method, `${path}/updates/${id}`)).status).toBe(404);
  expect((await service.get(`${path}/updates`)).json).toEqual({ response: [], count: 0 });
});

describe('what is not there', () => {
  const sentence = (word: string) => ({
    error: 'not_found',
    error_description: `We couldn't find the ${word} you were looking for.`,
  });

  test('is named from the outermost: page, notice, update', async () => {
    const path = await notice('one');
    const [{ id }] = (await service.get(`${path}/updates`)).json.response;
    const own = path.split('/').at(-1);
    const cases: [string, string][] = [
      [`/v1/pages/00000000/notices/${own}/updates/${id}`, 'page'],
      [`${await newPage()}/${own}/updates/${id}`, 'notice'],
      [`${notices}/999999999/updates/${id}`, 'notice'],
      [`${notices}/x/updates/${id}`, 'notice'],
      [`${await notice('other')}/updates/${id}`, 'update'],
      ...['999999999', '0', 'x', '2147483648'].map((unknown): [string, string] => [
        `${path}/updates/${unknown}`,
        'update',
      ]),
    ];
    for (const [at, word] of cases) {
      for (const method of ['GET', 'PATCH', 'DELETE']) {
        const answer = await service.call(method, at, method === 'GET' ? {} : { json: { content: '' } });
        expect([method, at, answer.status, answer.json]).toEqual([method, at, 404, sentence(word)]);
      }
    }
    for (const method of ['GET', 'POST']) {
      const answer = await service.call(method, `${notices}/999999999/updates`, method === 'GET' ? {} : { json: {} });
      expect([method, answer.status, answer.json]).toEqual([method, 404, sentence('notice')]);
    }
  });
});

test('a read token reads updates and writes none', async () => {
  const path = await notice('one');
  const token = service.tokens.read;
  const [{ id }] = (await service.get(`${path}/updates`, { token })).json.response;
  expect((await service.get(`${path}/updates/${id}`, { token })).status).toBe(200);
  expect((await service.get(`${path}/updates/${id}`, { token: null })).status).toBe(401);
  expect((await service.post(`${path}/updates`, { content: 'x' }, { token })).status).toBe(403);
  for (const method of ['PATCH', 'DELETE'])
    expect((await service.call(method, `${path}/updates/${id}`, { token })).status).toBe(403);
});
