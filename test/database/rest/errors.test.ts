import { beforeAll, describe, expect, test } from '@jest/globals';
import {
  createComponent,
  createNotice,
  createPage,
  createSubscriber,
  createTemplate,
  createUpdate,
} from '../../support/factories.js';
import { expectRefusal } from '../../support/invalid-input.js';
import { type TestRequest, type TestResponse, useService } from '../../support/service.js';

const service = useService();
let page: string;
let notice: string;
const paths: Record<string, string> = {};
beforeAll(async () => {
  page = (await createPage(service, { name: 'All' })).path;
  notice = (await createNotice(service, page, { subject: 'It', initial_comment: 'Hm' })).path;
  paths.component = (await createComponent(service, page)).path;
  paths.notice = notice;
  paths.update = (await createUpdate(service, notice)).path;
  paths.template = (await createTemplate(service, page)).path;
  paths.subscriber = (await createSubscriber(service, page)).path;
});

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
});

/**
 * "version and path (404), method (405), token (401), scope (403), rate (429), size (413), syntax (400),
 * parent and record (404), If-Match (412), fields (422)": each request fails the named check and every later one.
 */
describe('the order of checks', () => {
  const stale = { 'If-Match': '"0.x"' };
  const json = { 'Content-Type': 'application/json' };
  const tooLarge = `{"name": "${'x'.repeat(1024 * 1024)}`;

  test.each<[string, number, string, string, () => TestRequest]>([
    ['version', 404, 'POST', '/v2/hello?a=%zz', () => ({ token: null, body: tooLarge, headers: json })],
    ['path', 404, 'POST', '/v1/nothing?a=%zz', () => ({ token: null, body: tooLarge, headers: json })],
    ['method', 405, 'POST', '/v1/pages/00000000?a=%zz', () => ({ token: null, body: tooLarge, headers: json })],
    [
      'token',
      401,
      'PATCH',
      '/v1/pages/00000000?a=%zz',
      () => ({ token: 'wrong', body: tooLarge, headers: { ...json, ...stale } }),
    ],
    ['token before invalid UTF-8 in the path', 401, 'GET', '/v1/pages/%ff/subscribers', () => ({ token: null })],
    [
      'scope',
      403,
      'PATCH',
      '/v1/pages/00000000?a=%zz',
      () => ({ token: service.tokens.read, body: tooLarge, headers: { ...json, ...stale } }),
    ],
    ['scope before invalid UTF-8 in the path', 403, 'DELETE', '/v1/pages/%ff', () => ({ token: service.tokens.read })],
    ['size', 413, 'PATCH', '/v1/pages/00000000?a=%zz', () => ({ body: tooLarge, headers: { ...json, ...stale } })],
    [
      'syntax of the body',
      400,
      'PATCH',
      '/v1/pages/00000000',
      () => ({ body: '{"name": ""', headers: { ...json, ...stale } }),
    ],
    ['syntax of the query', 400, 'PATCH', '/v1/pages/00000000?a=%zz', () => ({ json: { name: '' }, headers: stale })],
    ['syntax of the path', 400, 'PATCH', '/v1/pages/%ff', () => ({ json: { name: '' }, headers: stale })],
    [
      'an unknown include',
      400,
      'PATCH',
      '/v1/pages/00000000?include=all',
      () => ({ json: { name: '' }, headers: stale }),
    ],
    ['an unknown filter', 400, 'GET', '/v1/pages/00000000/notices?filter[x]=1', () => ({})],
    ['a malformed filter', 400, 'GET', '/v1/pages/00000000/notices?filter[id_eq]=x', () => ({})],
    [
      'the length of an Idempotency-Key',
      400,
      'POST',
      '/v1/pages/00000000/notices',
      () => ({ json: {}, headers: { 'Idempotency-Key': 'x'.repeat(256) } }),
    ],
    ['record', 404, 'PATCH', '/v1/pages/00000000', () => ({ json: { name: '' }, headers: stale })],
    ['parent', 404, 'PATCH', '/v1/pages/00000000/components/1', () => ({ json: { name: '' }, headers: stale })],
    ['parent of a creation', 404, 'POST', '/v1/pages/00000000/components', () => ({ json: { name: '' } })],
  ])('checks %s first and answers %i', async (_, status, method, path, request) => {
    expect((await service.call(method, path, request())).status).toBe(status);
  });

  test('checks the version before the fields', async () => {
    expect((await service.patch(page, { name: '' }, { headers: stale })).status).toBe(412);
    expect((await service.patch(page, { name: '' })).status).toBe(422);
  });

  test.each(['components', 'notices', 'notice_templates', 'subscribers'])(
    'reports a stale version before invalid fields: %s',
    async collection => {
      const created = await service.post(`${page}/${collection}`, {
        name: 'x',
        subject: 'x',
        email: 'x@example.com',
      });
      const path = `${page}/${collection}/${created.json.response.id}`;
      const invalid = { name: [], subject: [], email: [] };
      expect((await service.patch(path, invalid, { headers: stale })).status).toBe(412);
      expect((await service.patch(path, invalid)).status).toBe(422);
      expect((await service.delete(path, { headers: stale })).status).toBe(412);
    },
  );
});

const lists = [
  '/v1/pages',
  ...['components', 'notices', 'notice_templates', 'subscribers', 'NOTICE/updates'].map(name => `PAGE/${name}`),
];
const listPath = (path: string) => path.replace('PAGE/NOTICE', notice).replace('PAGE', page);

describe.each([...lists, '/v1/timezones'])('a list: %s', path => {
  const attribute = path === '/v1/timezones' ? 'offset_minutes' : 'created_at';

  test.each([
    'filter[nonsense_eq]=1',
    'filter[created_at]=1',
    'filter[__proto__x]=1',
    'filter[__proto__]=1',
    'filter[__proto__][a]=1',
    'filter[constructor]=1',
    'filter[toString][a]=1',
    `filter${'[a]'.repeat(1000)}=1`,
    'filter=x',
    'filter[]=x',
    'include=nonsense',
    'include=__proto__',
    'include[a]=b',
    'filter[x]=%zz',
    'filter[x]=%ff',
    'page=%ed%a0%80',
    '%00%ff=1',
    'a[1000]=1',
    'a&'.repeat(1001),
  ])('is refused for %s', async query => {
    expectRefusal(await service.get(`${listPath(path)}?${query}`), 400);
  });

  test.each(['x', '%00', '9223372036854775808', '-9223372036854775809', '1.5', '9'.repeat(400), '[a]=1'])(
    'is refused for a filter value of the wrong type: %s',
    async value => {
      for (const operator of ['eq', 'not_eq', 'gt', 'lteq', 'in', 'not_in']) {
        const key = `${attribute}_${operator}`;
        const response = await service.get(
          `${listPath(path)}?filter[${key}]${value.startsWith('[') ? value : `=${value}`}`,
        );
        expectRefusal(response, 400);
        expect(response.json.error_description).toContain(key);
      }
    },
  );
});

describe('an id', () => {
  const names = ['component', 'notice', 'update', 'template', 'subscriber'];

  test.each([
    '2147483648',
    '9223372036854775808',
    '9'.repeat(400),
    '-1',
    '1.5',
    '1e0',
    '0x1',
    'abc',
    'x',
    '__proto__',
    'constructor',
    '%00',
    '1%00',
    '%20',
    '١',
    "'",
    '%27%20or%201=1--',
    '%f0%9f%92%a1',
    '..',
  ])('that no record can have answers 404: %s', async id => {
    const encoded = encodeURIComponent(decodeURIComponent(id)).replace(/^\.\.$/, '%2e%2e%2e');
    expectRefusal(await service.get(`${page}/notices/${encoded}/updates`), 404);
    for (const name of names) {
      const path = paths[name]!.replace(/[^/]+$/, encoded);
      for (const method of ['GET', 'PATCH', 'DELETE'])
        expectRefusal(await service.call(method, path, method === 'PATCH' ? { json: {} } : {}), 404);
    }
  });

  test.each(['%ff', '%zz', '%', '%ed%a0%80'])('with invalid UTF-8 answers 400: %s', async id => {
    for (const name of names) expectRefusal(await service.get(paths[name]!.replace(/[^/]+$/, id)), 400);
  });
});
