import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { createComponent, createPage } from '../../support/factories.js';
import { type TestResponse, useService } from '../../support/service.js';

const service = useService();
let page: string;
beforeAll(async () => {
  page = (await createPage(service, { name: 'All' })).path;
});

const etagOf = ({ headers }: TestResponse): string => headers.get('etag') ?? 'none';
const versionOf = (response: TestResponse): number => Number(/^"(\d+)\./.exec(etagOf(response))?.[1]);
const newComponent = async () => (await createComponent(service, page, { name: 'One' })).path;
const newNotice = async (values: object = {}) => {
  const { json } = await service.post(`${page}/notices`, { subject: 'It', initial_comment: 'Hm', ...values });
  return `${page}/notices/${json.response.id}`;
};
const patchIf = (path: string, match: string, values: object = { name: 'Two' }) =>
  service.patch(path, values, { headers: { 'If-Match': match } });
const getUnless = (path: string, match: string) => service.get(path, { headers: { 'If-None-Match': match } });

describe('include=version', () => {
  test('has the version of each record of a list, which If-Match takes', async () => {
    const notice = await newNotice();
    await service.patch(notice, { subject: 'Again' });
    const { id } = (await service.get(notice)).json.response;
    for (const path of [
      '/v1/pages',
      ...['components', 'notices', 'notice_templates', 'subscribers'].map(one => `${page}/${one}`),
    ]) {
      const { status, json } = await service.get(`${path}?include=version`);
      expect([path, status]).toEqual([path, 200]);
      for (const record of json.response) expect(record.version).toEqual(expect.any(Number));
    }
    const list = await service.get(`${page}/notices?include=version,updates`);
    const { version } = list.json.response.find((one: { id: number }) => one.id === id);
    expect(version).toBe(versionOf(await service.get(notice)));
    expect((await service.get(`${notice}/updates?include=version`)).json.response[0].version).toBe(1);
    expect((await patchIf(notice, `"${version - 1}."`, { subject: 'Late' })).status).toBe(412);
    expect((await patchIf(notice, `"${version}."`, { subject: 'In time' })).status).toBe(200);
  });

  test('is in no response that does not ask for it', async () => {
    const { json } = await service.get(`${page}/notices`);
    for (const record of json.response) expect(record).not.toHaveProperty('version');
  });
});

describe('the ETag', () => {
  test('consists of the version of the record and a hash of the body', async () => {
    const response = await service.get(await newComponent());
    const hash = createHash('sha256').update(response.text).digest('base64url').slice(0, 22);
    expect(etagOf(response)).toBe(`"1.${hash}"`);
  });

  test('has the version of a record that was changed 200 times', async () => {
    const path = await newComponent();
    await service.database.query('update component set version = 200 where id = $1', [path.split('/').at(-1)]);
    expect(versionOf(await service.get(path))).toBe(200);
  });

  test('of a create or update response equals that of the next read', async () => {
    const created = await service.post(`${page}/components`, { name: 'One' });
    const path = created.headers.get('location')!;
    expect(etagOf(created)).toBe(etagOf(await service.get(path)));
    expect(etagOf(await service.patch(path, { name: 'Two' }))).toBe(etagOf(await service.get(path)));
  });

  test.each(['/v1/pages', '/v1/timezones', '/v1/hello', '/v1/timezones/UTC'])(
    'is not sent for a resource that is not a single stored record: %s',
    async path => {
      expect((await service.get(path)).headers.get('etag')).toBeNull();
    },
  );

  test('of a record with includes differs, but has the same version', async () => {
    const plain = await service.get(page);
    const more = await service.get(`${page}?include=brand`);
    expect(etagOf(more)).not.toBe(etagOf(plain));
    expect(versionOf(more)).toBe(versionOf(plain));
  });

  test('of a new notice has version 1, with a comment, components and tags too', async () => {
    const component = (await createComponent(service, page, { name: 'One' })).id;
    const notice = await newNotice({ component_ids: [component], tag_list: ['a'], should_publish: true });
    expect(versionOf(await service.get(notice))).toBe(1);
  });

  test.each<[string, object]>([
    ['a state', { state: 'identified' }],
    ['a comment', { additional_comment: 'Found it' }],
    ['a state and a comment', { state: 'identified', additional_comment: 'Found it' }],
    [
      'all at once',
      { subject: 'That', state: 'resolved', additional_comment: 'Done', tag_list: ['b'], should_publish: true },
    ],
  ])('of a notice moves by one version with a PATCH of %s', async (_, values) => {
    const notice = await newNotice();
    const before = versionOf(await service.get(notice));
    const after = await service.patch(notice, values);
    expect([versionOf(after), versionOf(await service.get(notice))]).toEqual([before + 1, before + 1]);
  });
});

describe('If-None-Match', () => {
  test('answers 304 without a body and with the ETag if the client has the current version', async () => {
    const etag = etagOf(await service.get(page));
    for (const method of ['GET', 'HEAD']) {
      const response = await service.call(method, page, { headers: { 'If-None-Match': etag } });
      expect([response.status, response.text, etagOf(response), response.headers.get('content-type')]).toEqual([
        304,
        '',
        etag,
        null,
      ]);
    }
  });

  test('can be a list, weak or a star', async () => {
    const etag = etagOf(await service.get(page));
    for (const match of [`"a", ${etag}`, `${etag},"b"`, `W/${etag}`, `W/"a" , W/${etag}`, '*', ' * '])
      expect([match, (await getUnless(page, match)).status]).toEqual([match, 304]);
  });

  test('compares the whole ETag', async () => {
    const etag = etagOf(await service.get(page));
    const others = [
      '',
      '""',
      '"1.x"',
      `${etag}x`,
      etag.replaceAll('"', ''),
      `"${versionOf(await service.get(page))}."`,
      'garbage',
      ',',
      `x${etag}`,
    ];
    for (const match of others) expect([match, (await getUnless(page, match)).status]).toEqual([match, 200]);
    expect((await getUnless(`${page}?include=brand`, etag)).status).toBe(200);
  });

  test('is checked after the token', async () => {
    const etag = etagOf(await service.get(`${page}/brand`));
    expect((await service.get(`${page}/brand`, { token: 'wrong', headers: { 'If-None-Match': etag } })).status).toBe(
      401,
    );
    expect((await service.get(page, { token: 'wrong', headers: { 'If-None-Match': '*' } })).status).toBe(401);
  });

  test('is ignored for lists, unknown records and writes', async () => {
    expect((await getUnless('/v1/pages', '*')).status).toBe(200);
    expect((await getUnless('/v1/pages/00000000', '*')).status).toBe(404);
    expect((await service.patch(page, { name: 'All' }, { headers: { 'If-None-Match': '*' } })).status).toBe(200);
  });
});

describe('If-Match', () => {
  test('compares the version before the dot', async () => {
    const path = await newComponent();
    expect((await patchIf(path, '"1.of other bytes"')).status).toBe(200);
    expect((await patchIf(path, etagOf(await service.get(`${page}/brand`)).replace(/^"\d+/, '"2'))).status).toBe(200);
  });

  test('can be a list, weak or a star', async () => {
    const path = await newComponent();
    for (const match of ['"9.a", "1.b"', '"1.a","9.b"', 'W/"1.a"', '*', ' * '])
      expect([match, (await patchIf(path, match, {})).status]).toEqual([match, 200]);
  });

  test('answers 412 to values that are no version', async () => {
    const path = await newComponent();
    const garbage = [
      '""',
      '"1"',
      '1',
      '1.a',
      '"x.1"',
      '"-1.a"',
      '"01x.a"',
      'garbage',
      ',',
      '"*"',
      '"2.a", "3.a"',
      `"${'1'.repeat(40)}.a"`,
      '"1e0.a"',
      '*, "9.a"',
    ];
    for (const match of garbage) expect([match, (await patchIf(path, match)).status]).toEqual([match, 412]);
    expect((await service.get(path)).json.response.name).toBe('One');
  });

  test.each([
    ['PATCH', undefined],
    ['PUT', undefined],
    ['DELETE', undefined],
    ['POST', 'PATCH'],
    ['POST', 'DELETE'],
  ])('applies to %s with the override %s', async (method, override) => {
    const path = await newComponent();
    const send = (match: string) =>
      service.call(method, path, {
        headers: { 'If-Match': match, ...(override && { 'X-HTTP-Method-Override': override }) },
      });
    expect((await send('"2.a"')).status).toBe(412);
    expect((await service.get(path)).status).toBe(200);
    expect((await send('"1.a"')).status).toBeLessThan(300);
  });

  test('is ignored for reads and creations', async () => {
    expect((await service.get(page, { headers: { 'If-Match': '"0.a"' } })).status).toBe(200);
    expect((await service.post(`${page}/components`, { name: 'x' }, { headers: { 'If-Match': '"0.a"' } })).status).toBe(
      201,
    );
  });

  test('refuses a write to a notice with a new update', async () => {
    const notice = await newNotice();
    const before = etagOf(await service.get(notice));
    await service.post(`${notice}/updates`, { content: 'More' });
    expect((await patchIf(notice, before, { subject: 'Late' })).status).toBe(412);
  });

  test('accepts one of two simultaneous writes to the same version', async () => {
    const path = await newComponent();
    const etag = etagOf(await service.get(path));
    const responses = await Promise.all(['Two', 'Three'].map(name => patchIf(path, etag, { name })));
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 412]);
    expect(versionOf(await service.get(path))).toBe(2);
  });
});
