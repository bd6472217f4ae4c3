import { beforeAll, describe, expect, test } from '@jest/globals';
import { createComponent, createPage } from '../../support/factories.js';
import { useService } from '../../support/service.js';
import { sendRaw } from '../../support/raw-socket.js';

const service = useService();
let page: string;
beforeAll(async () => {
  page = `/v1/pages/${await newPage('All')}`;
});

const newPage = async (name: string): Promise<string> => (await createPage(service, { name })).id;
const newComponent = async (name: string): Promise<string> => (await createComponent(service, page, { name })).path;
const readName = async (path: string): Promise<string> => (await service.get(path)).json.response.name;

const unknownPath = { error: 'not_found', error_description: 'The requested resource could not be found.' };

describe('the version prefix', () => {
  test.each(['/v1/hello', '/1/hello', '/v1/hello/', '/1/hello/', '/v1/hello?x=1', '/v1/hello/?x=1'])(
    '%s is accepted',
    async path => {
      const response = await service.get(path);
      expect(response.status).toBe(200);
      expect(response.json.response).toMatch(/^Hello/);
    },
  );

  test.each([
    '/v2/hello',
    '/2/hello',
    '/v0/hello',
    '/v10/hello',
    '/v11',
    '/v2',
    '/V1/hello',
    '/v01/hello',
    '/v99999999999999999999/pages',
    '/v1.1/hello',
    '/1.0/pages',
  ])('of another version answers 404: %s', async path => {
    const response = await service.get(path);
    expect(response.status).toBe(404);
    expect(response.json).toEqual({ error: 'invalid_version', error_description: expect.any(String) });
  });

  test('of another version answers 404 to every method, without a token too', async () => {
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) {
      const response = await service.call(method, '/v2/pages', { token: null });
      expect([response.status, response.json.error]).toEqual([404, 'invalid_version']);
    }
  });

  test.each([
    '/v1',
    '/v1/',
    '/v1/nothing',
    '/v1/pages/x/nothing',
    '/v1/hello/more',
    '/v1//hello',
    '/v1/hello//',
    '/v1/Hello',
    '/v1/constructor',
    '/v1/__proto__',
  ])('before an unknown path answers 404: %s', async path => {
    for (const method of ['GET', 'POST', 'DELETE']) {
      const response = await service.call(method, path, { token: null });
      expect([response.status, response.json]).toEqual([404, unknownPath]);
    }
  });

  test.each(['/hello', '/pages', '/versions', '/v', '/status'])('is required: %s is not found', async path => {
    const response = await service.get(path);
    expect([response.status, response.json]).toEqual([404, undefined]);
  });

  test('is /v1 in Location, even for requests to the alias', async () => {
    const response = await service.post(`${page.replace('/v1', '/1')}/components/`, { name: 'Aliased' });
    expect(response.headers.get('location')).toBe(`${page}/components/${response.json.response.id}`);
  });
});

describe('a hyphen', () => {
  test('is accepted for an underscore in a resource name', async () => {
    expect((await service.get(`${page}/notice-templates`)).json).toMatchObject({ response: [], count: 0 });
    expect((await service.post(`${page}/custom-domain`, { domain: 'status.hyphen.example' })).status).toBe(201);
    expect((await service.get(`${page}/custom-domain/`)).json).toEqual(
      (await service.get(`${page}/custom_domain`)).json,
    );
  });

  test('is not replaced in an id', async () => {
    expect((await service.get('/v1/timezones/America%2FNew_York')).status).toBe(200);
    expect((await service.get('/v1/timezones/America%2FNew-York')).status).toBe(404);
  });
});

describe('a request method', () => {
  test.each([
    ['PUT', undefined],
    ['PATCH', undefined],
    ['POST', 'PATCH'],
    ['POST', 'PUT'],
    ['POST', 'patch'],
  ])('%s with the override %s updates a record, and keeps omitted fields', async (method, override) => {
    const component = await newComponent('Before');
    await service.patch(component, { description: 'stays' });
    const response = await service.call(method, component, {
      json: { name: 'After' },
      headers: override ? { 'X-HTTP-Method-Override': override } : {},
    });
    expect(response.status).toBe(200);
    expect(response.json.response).toMatchObject({ name: 'After', description: 'stays' });
    expect(await readName(component)).toBe('After');
  });

  test.each(['brand', 'theme'])('PUT is supported wherever PATCH is: %s', async resource => {
    expect((await service.call('PUT', `${page}/${resource}`, { json: {} })).status).toBe(
      (await service.patch(`${page}/${resource}`, {})).status,
    );
    expect((await service.call('PUT', `${page}/${resource}`, { json: {} })).status).not.toBe(405);
  });

  test('DELETE can be sent as an override of POST', async () => {
    const component = await newComponent('Short-lived');
    const response = await service.call('POST', component, { headers: { 'X-HTTP-Method-Override': 'DELETE' } });
    expect([response.status, response.text]).toEqual([204, '']);
    expect((await service.get(component)).status).toBe(404);
  });

  test('can be overridden only for POST, by PATCH, PUT or DELETE', async () => {
    const component = await newComponent('Lasting');
    expect((await service.get(component, { headers: { 'X-HTTP-Method-Override': 'DELETE' } })).status).toBe(200);
    expect((await service.patch(component, {}, { headers: { 'X-HTTP-Method-Override': 'DELETE' } })).status).toBe(200);
    expect((await service.call('POST', component, { headers: { 'X-HTTP-Method-Override': 'GET' } })).status).toBe(405);
    expect(await readName(component)).toBe('Lasting');
  });

  test('HEAD is GET without a body', async () => {
    const get = await service.get(page);
    const head = await service.call('HEAD', page);
    expect([head.status, head.text]).toEqual([200, '']);
    for (const name of ['etag', 'content-type', 'content-length', 'cache-control', 'vary'])
      expect([name, head.headers.get(name)]).toEqual([name, get.headers.get(name)]);
    expect(Number(head.headers.get('content-length'))).toBe(Buffer.byteLength(get.text));
    expect((await service.call('HEAD', '/v1/pages/00000000')).status).toBe(404);
    expect((await service.call('HEAD', '/v1/hello', { token: null })).status).toBe(401);
  });

  test.each([
    ['POST', '/hello', ['GET', 'HEAD', 'OPTIONS']],
    ['DELETE', '/pages', ['GET', 'HEAD', 'OPTIONS', 'POST']],
    ['PUT', '/pages', ['GET', 'HEAD', 'OPTIONS', 'POST']],
    ['POST', '/pages/0000000a', ['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'PUT']],
    ['POST', '/pages/0000000a/brand', ['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'PUT']],
    ['PATCH', '/pages/0000000a/custom_domain', ['DELETE', 'GET', 'HEAD', 'OPTIONS', 'POST']],
    ['PATCH', '/timezones/UTC', ['GET', 'HEAD', 'OPTIONS']],
  ])('that a path does not support answers 405: %s %s', async (method, path, allowed) => {
    const response = await service.call(method, `/v1${path}`, { token: null });
    expect(response.status).toBe(405);
    expect(response.headers.get('allow')!.split(', ').sort()).toEqual(allowed);
    expect(response.json).toEqual({ error: 'method_not_allowed', error_description: expect.any(String) });
  });

  test.each(['TRACE', 'LINK', 'PROPFIND'])('%s answers 405, like any other unsupported method', async method => {
    const response = await sendRaw(service.url, `${method} /v1/hello HTTP/1.1`, 'Host: localhost', 'Connection: close');
    expect(response).toMatch(/^HTTP\/1\.1 405 /);
    expect(response).toMatch(/\r\nAllow: /i);
  });
});

describe('a browser', () => {
  test('can send a preflight without a token', async () => {
    const response = await service.call('OPTIONS', page, {
      token: null,
      headers: { Origin: 'https://example.com', 'Access-Control-Request-Method': 'PATCH' },
    });
    expect([response.status, response.text]).toEqual([204, '']);
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    expect(response.headers.get('access-control-allow-methods')).toBe('GET, POST, PUT, PATCH, DELETE, OPTIONS');
    expect(response.headers.get('access-control-allow-headers')).toBe(
      'Authorization, Content-Type, X-HTTP-Method-Override, X-Plugin-Ping, Idempotency-Key, If-Match, If-None-Match',
    );
    expect(response.headers.get('access-control-max-age')).toBe('600');
  });

  test('can send a preflight with a wrong token', async () => {
    expect((await service.call('OPTIONS', '/v1/hello', { token: 'wrong' })).status).toBe(204);
  });

  test.each<[string, number, () => Promise<{ status: number; headers: Headers }>]>([
    ['a read', 200, () => service.get(page)],
    ['a creation', 201, () => service.post(`${page}/components`, { name: 'Seen' })],
    ['a deletion', 204, async () => service.delete(await newComponent('Gone'))],
    ['an unchanged record', 304, () => service.get(page, { headers: { 'If-None-Match': '*' } })],
    ['bad syntax', 400, () => service.get('/v1/pages?filter[x]=1')],
    ['no token', 401, () => service.get('/v1/pages', { token: null })],
    ['a read token', 403, () => service.post('/v1/pages', { name: 'No' }, { token: service.tokens.read })],
    ['an unknown page', 404, () => service.get('/v1/pages/00000000')],
    ['an unknown path', 404, () => service.get('/v1/nothing')],
    ['another version', 404, () => service.get('/v2/pages')],
    ['a wrong method', 405, () => service.delete('/v1/hello')],
    ['a stale version', 412, () => service.patch(page, {}, { headers: { 'If-Match': '"0.x"' } })],
    ['a large body', 413, () => service.post('/v1/pages', { name: 'x'.repeat(1024 * 1024) })],
    ['a wrong field', 422, () => service.post('/v1/pages', {})],
  ])('can read the response to %s', async (_, status, send) => {
    const response = await send();
    expect(response.status).toBe(status);
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    expect(response.headers.get('access-control-expose-headers')).toBe(
      'ETag, Location, Retry-After, Allow, Idempotency-Replayed, WWW-Authenticate, X-Request-Id, RateLimit, RateLimit-Policy',
    );
    expect(response.headers.get('x-request-id')).toMatch(/^[\da-f-]{36}$/);
  });
});
