import { beforeAll, expect, test } from '@jest/globals';
import { createPage } from '../../support/factories.js';
import { type TestRequest, useService } from '../../support/service.js';

/**
 * "version and path (404), method (405), token (401), scope (403), rate (429), size (413), syntax (400),
 * parent and record (404), If-Match (412), fields (422)": each request fails the named check and every later one.
 */
const service = useService();
let page: string;
beforeAll(async () => {
  page = (await createPage(service, { name: 'Page' })).id;
});

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
  ['token before invalid UTF-8 in the path', 401, 'GET', '/v1/pages/%ff/notices', () => ({ token: null })],
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
  expect((await service.patch(`/v1/pages/${page}`, { name: '' }, { headers: stale })).status).toBe(412);
  expect((await service.patch(`/v1/pages/${page}`, { name: '' })).status).toBe(422);
});

test.each(['components', 'notices', 'notice_templates', 'subscribers'])(
  'reports a stale version before invalid fields: %s',
  async collection => {
    const created = await service.post(`/v1/pages/${page}/${collection}`, {
      name: 'x',
      subject: 'x',
      email: 'x@example.com',
    });
    const path = `/v1/pages/${page}/${collection}/${created.json.response.id}`;
    const invalid = { name: [], subject: [], email: [] };
    expect((await service.patch(path, invalid, { headers: stale })).status).toBe(412);
    expect((await service.patch(path, invalid)).status).toBe(422);
    expect((await service.delete(path, { headers: stale })).status).toBe(412);
  },
);
