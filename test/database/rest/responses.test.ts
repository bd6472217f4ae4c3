import { beforeAll, describe, expect, test } from '@jest/globals';
import { createPage, createUpdate } from '../../support/factories.js';
import { type TestResponse, useService } from '../../support/service.js';

const service = useService();
let page: string;
let notice: string;
beforeAll(async () => {
  page = (await createPage(service, { name: 'All' })).path;
  const { json } = await service.post(`${page}/notices`, { subject: 'It', initial_comment: 'Hm' });
  notice = `${page}/notices/${json.response.id}`;
});

const create = async (collection: string, values: object): Promise<TestResponse> =>
  service.post(`${page}/${collection}`, values);
const recordPath = (collection: string, { json }: TestResponse) => `${page}/${collection}/${json.response.id}`;
const anyMessage = expect.any(String);

/** A request for each error of the reference of /v1. */
const refusals: [name: string, status: number, description: unknown, send: () => Promise<TestResponse>][] = [
  ['bad_request', 400, anyMessage, () => service.get('/v1/pages?include=x')],
  [
    'unauthenticated',
    401,
    'This action requires authentication to continue.',
    () => service.get('/v1/pages', { token: null }),
  ],
  [
    'forbidden',
    403,
    'The action you requested was forbidden.',
    () => service.delete(page, { token: service.tokens.read }),
  ],
  ['not_found', 404, 'The requested resource could not be found.', () => service.get('/v1/nothing')],
  ['not_found', 404, "We couldn't find the page you were looking for.", () => service.get('/v1/pages/00000000')],
  ['invalid_version', 404, anyMessage, () => service.get('/v3/pages')],
  ['method_not_allowed', 405, anyMessage, () => service.delete('/v1/pages')],
  ['precondition_failed', 412, anyMessage, () => service.patch(page, {}, { headers: { 'If-Match': '"0.x"' } })],
  ['payload_too_large', 413, anyMessage, () => service.post('/v1/pages', { name: 'x'.repeat(2 ** 20) })],
];

describe('a success', () => {
  test.each<[string, () => Promise<TestResponse>, number]>([
    ['a read', () => service.get(page), 200],
    ['a list', () => service.get('/v1/pages'), 200],
    ['a creation', () => create('components', { name: 'New' }), 201],
    ['an update', () => service.patch(page, { name: 'All' }), 200],
    ['an update that changes nothing', () => service.patch(page, {}), 200],
  ])('of %s is JSON that caches must revalidate', async (_, send, status) => {
    const { status: actual, headers, text } = await send();
    expect(actual).toBe(status);
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(headers.get('cache-control')).toBe('private, no-cache');
    expect(headers.get('vary')).toBe('Authorization, Origin');
    expect(Number(headers.get('content-length'))).toBe(Buffer.byteLength(text));
  });

  test('of a deletion is 204 without a body', async () => {
    for (const [collection, values] of [
      ['components', { name: 'x' }],
      ['notices', { subject: 'x' }],
      ['notice_templates', { name: 'x' }],
      ['subscribers', { email: 'x@example.com' }],
    ] as const) {
      const { status, text, headers } = await service.delete(recordPath(collection, await create(collection, values)));
      expect([status, text, headers.get('content-type')]).toEqual([204, '', null]);
    }
    expect((await service.delete(`${page}/brand`)).status).toBe(204);
  });

  test('of a creation has a Location', async () => {
    for (const [collection, values] of [
      ['components', { name: 'x' }],
      ['notices', { subject: 'x' }],
      ['notice_templates', { name: 'x' }],
      ['subscribers', { email: 'y@example.com' }],
    ] as const) {
      const created = await create(collection, values);
      expect(created.headers.get('location')).toBe(recordPath(collection, created));
      expect((await service.get(created.headers.get('location')!)).json).toEqual(created.json);
    }
    const update = await service.post(`${notice}/updates`, { content: 'Now' });
    expect(update.headers.get('location')).toBe(`${notice}/updates/${update.json.response.id}`);
    const domain = await create('custom_domain', { domain: 'status.located.example' });
    expect(domain.headers.get('location')).toBe(`${page}/custom_domain`);
    expect((await service.get(page)).headers.get('location')).toBeNull();
  });
});

describe('a refusal', () => {
  test.each(refusals)('%s answers %i: %s', async (error, status, error_description, send) => {
    const response = await send();
    expect(response.status).toBe(status);
    expect(response.json).toEqual({ error, error_description });
    expect(Object.keys(response.json)).toEqual(['error', 'error_description']);
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(response.headers.get('cache-control')).toBe('private, no-cache');
    expect(response.headers.get('vary')).toBe('Authorization, Origin');
    expect(response.headers.get('www-authenticate')).toBe(status === 401 ? 'Bearer' : null);
    expect(response.headers.get('allow') === null).toBe(status !== 405);
    expect(response.headers.get('etag')).toBeNull();
  });

  test('of fields lists all of them', async () => {
    const response = await service.post('/v1/pages', {
      name: '',
      meta_title: 'x'.repeat(256),
      visible_to_search: 'maybe',
      timeline_threshold: 'long',
      locale: 'xx',
    });
    expect(response.status).toBe(422);
    expect(response.json).toEqual({
      error: 'invalid_resource',
      error_description: 'The current resource was deemed invalid.',
      messages: {
        name: ["can't be blank"],
        meta_title: ['is too long (maximum is 255 characters)'],
        visible_to_search: ['is not included in the list'],
        timeline_threshold: ['is not a number'],
        locale: ['is not included in the list'],
      },
    });
    expect(Object.keys(response.json)).toEqual(['error', 'error_description', 'messages']);
  });

  test.each<[string, string, object, object]>([
    ['blank', 'components', { name: ' ' }, { name: ["can't be blank"] }],
    ['absent', 'components', {}, { name: ["can't be blank"] }],
    ['malformed', 'notices', { subject: 'x', began_at: 'x' }, { began_at: ['is invalid'] }],
    ['not in the list', 'notices', { subject: 'x', type: 'other' }, { type: ['is not included in the list'] }],
    ['too long', 'components', { name: 'x'.repeat(256) }, { name: ['is too long (maximum is 255 characters)'] }],
    [
      'longer than the limit of texts',
      'components',
      { name: 'x', description: 'x'.repeat(65_536) },
      { description: ['is too long (maximum is 65535 characters)'] },
    ],
    ['not a number', 'components', { name: 'x', position: 'first' }, { position: ['is not a number'] }],
    ['not an integer', 'components', { name: 'x', position: 1.5 }, { position: ['must be an integer'] }],
    [
      'too small',
      'notices',
      { subject: 'x', type: 'planned', begins_at_date: '2030-01-01', begins_at_time: '10:00', duration_in_minutes: 0 },
      { duration_in_minutes: ['must be greater than 0'] },
    ],
  ])('of a field that is %s has the text of the reference of /v1', async (_, collection, values, messages) => {
    expect((await create(collection, values)).json.messages).toEqual(messages);
  });

  test('of a field that is taken has the text of the reference of /v1', async () => {
    await create('subscribers', { email: 'taken@example.com', phone_number: '+4479460000' });
    const { json } = await create('subscribers', { email: 'Taken@Example.com', phone_number: '+44 79-460 000' });
    expect(json.messages).toEqual({ email: ['has already been taken'], phone_number: ['has already been taken'] });
  });

  test.each<[string, string]>([
    ['page', '/v1/pages/00000000'],
    ['page', '/v1/pages/00000000/components/1'],
    ['page', '/v1/pages/00000000/notices/1/updates/1'],
    ['page', '/v1/pages/00000000/brand'],
    ['notice', '/notices/999999'],
    ['notice', '/notices/999999/updates'],
    ['notice', '/notices/999999/updates/1'],
    ['update', 'NOTICE/updates/999999'],
    ['notice template', '/notice_templates/aaaaaa'],
    ['subscriber', '/subscribers/999999'],
    ['component', '/components/999999'],
    ['custom domain', '/custom_domain'],
    ['theme', '/theme'],
    ['time zone', '/v1/timezones/Nowhere'],
  ])('of an unknown record calls it %s: %s', async (name, path) => {
    const bare = await service.post('/v1/pages', { name: 'Bare' });
    const parent = path.startsWith('/v1')
      ? ''
      : name === 'custom domain' || name === 'theme'
        ? `/v1/pages/${bare.json.response.id}`
        : page;
    const response = await service.get(path.startsWith('NOTICE') ? path.replace('NOTICE', notice) : `${parent}${path}`);
    expect([response.status, response.json]).toEqual([
      404,
      { error: 'not_found', error_description: `We couldn't find the ${name} you were looking for.` },
    ]);
  });

  test.each(['components', 'notices', 'notice_templates', 'subscribers'])(
    'is the same for the %s of another page as for unknown ids',
    async collection => {
      const record = await create(collection, { name: 'x', subject: 'x', email: `${collection}@example.com` });
      const other = `${(await createPage(service, { name: 'Other' })).path}/${collection}`;
      for (const method of ['GET', 'PATCH', 'DELETE']) {
        const foreign = await service.call(method, `${other}/${record.json.response.id}`);
        const unknown = await service.call(
          method,
          `${other}/${collection === 'notice_templates' ? 'zzzzzz' : 2 ** 31 - 1}`,
        );
        expect([foreign.status, foreign.text]).toEqual([404, unknown.text]);
      }
      expect((await service.get(recordPath(collection, record))).status).toBe(200);
    },
  );

  test('is the same for an update of another notice as for an unknown id', async () => {
    const other = `${page}/notices/${(await create('notices', { subject: 'Other' })).json.response.id}`;
    const { id } = await createUpdate(service, notice, { content: 'Mine' });
    expect((await service.get(`${other}/updates/${id}`)).text).toBe(
      (await service.get(`${other}/updates/${2 ** 31 - 1}`)).text,
    );
    expect((await service.delete(`${other}/updates/${id}`)).status).toBe(404);
    expect((await service.get(`${notice}/updates/${id}`)).status).toBe(200);
  });

  test.each(['abc', '1.5', '-1', '1e0', '0x1', '2147483648', '9223372036854775808', '%00', '1%00', '%20', '١'])(
    'of an id that is not an integer answers 404: %s',
    async id => {
      for (const path of [`components/${id}`, `notices/${id}`, `notices/${id}/updates`, `subscribers/${id}`]) {
        expect((await service.get(`${page}/${path}`)).json?.error).toBe('not_found');
      }
    },
  );
});
