import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { Refusal } from '../../src/errors.js';
import { errorAnswer } from '../../src/rest/errors.js';
import { prepare } from '../../src/rest/operation.js';
import { routes } from '../../src/rest/routes.js';
import { Judge, type OpenApi, type Operation, references, type Schema } from '../support/openapi.js';
import { type Answer, type Request, startTestService, type TestService } from '../support/service.js';
import { writeZip } from '../support/zip-writer.js';

jest.setTimeout(30_000);

let service: TestService;
let document: OpenApi;
let judge: Judge;
beforeAll(async () => {
  service = await startTestService();
  document = (await service.get('/v1/openapi.json', { token: null })).json;
  judge = new Judge(document);
});
afterAll(() => service.stop());

const template = (path: string) => path.replace(/:(\w+)/g, '{$1}');

/** Every operation of the interface, PUT beside PATCH. */
const operations = routes.map(prepare).flatMap(({ route: [method, path], operation }) => {
  const name = operation.operation.name!.value;
  const own = { method: method as string, path: template(path), name };
  return method === 'PATCH' ? [own, { ...own, method: 'PUT', name: `${name}ByPut` }] : [own];
});
const of = (method: string, path: string): Operation => document.paths[path]![method.toLowerCase()]!;

describe('the address of the document', () => {
  test('asks for no token, and does not look at a wrong one', async () => {
    for (const token of [null, 'wrong']) {
      const answer = await service.get('/v1/openapi.json', { token });
      expect(answer.status).toBe(200);
      expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
      expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    }
  });

  test('answers HEAD without a body', async () => {
    const answer = await service.call('HEAD', '/v1/openapi.json', { token: null });
    expect([answer.status, answer.text]).toEqual([200, '']);
  });

  test('answers under the alias of the version and with a trailing slash', async () => {
    expect((await service.get('/1/openapi.json/', { token: null })).status).toBe(200);
  });

  test('refuses other methods with 405, and tells those it has', async () => {
    const answer = await service.post('/v1/openapi.json', {}, { token: null });
    expect([answer.status, answer.json.error]).toEqual([405, 'method_not_allowed']);
    expect(answer.headers.get('allow')).toMatch(/GET/);
  });

  test('refuses a malformed query string with 400', async () => {
    expect((await service.get('/v1/openapi.json?a=%zz', { token: null })).json.error).toBe('bad_request');
  });
});

describe('the document', () => {
  test('is of OpenAPI 3.1, and no larger than a client reads at ease', () => {
    expect(document.openapi).toMatch(/^3\.1\./);
    expect(JSON.stringify(document).length).toBeLessThan(500_000);
  });

  test('has every route, under the name of its operation, and nothing else', () => {
    const described = Object.entries(document.paths).flatMap(([path, item]) =>
      Object.entries(item).flatMap(([method, { operationId: name }]) => (method === 'parameters' ? [] : [{ method: method.toUpperCase(), path, name }])),
    );
    const byName = (one: { name: string }, other: { name: string }) => one.name.localeCompare(other.name);
    expect(described.sort(byName)).toEqual([...operations].sort(byName));
    expect(new Set(described.map(({ name }) => name)).size).toBe(described.length);
  });

  test('declares every parameter of a path', () => {
    for (const [path, item] of Object.entries(document.paths)) {
      const declared = ((item.parameters ?? []) as unknown as { name: string; in: string; required: boolean }[]).filter(
        one => one.in === 'path' && one.required,
      );
      expect(declared.map(({ name }) => `{${name}}`)).toEqual(path.match(/\{\w+\}/g) ?? []);
    }
  });

  test('has no reference that leads nowhere, and no part that nothing refers to', () => {
    expect(references(document).filter(([, target]) => target === undefined)).toEqual([]);
    const mentioned = new Set(references(document).map(([reference]) => reference));
    const parts = Object.entries(document.components).flatMap(([kind, all]) => Object.keys(all).map(name => `#/components/${kind}/${name}`));
    expect(parts.filter(part => !mentioned.has(part) && !part.includes('/securitySchemes/'))).toEqual([]);
  });

  test('has no schema that does not compile', () => {
    for (const schema of Object.values(document.components.schemas)) expect(judge.compile(schema)).toBeInstanceOf(Function);
    for (const { method, path } of operations) {
      const { parameters, requestBody, responses } = of(method, path);
      const contents = [requestBody, ...Object.values(responses)].flatMap(one => Object.values(one?.content ?? {}));
      for (const { schema } of [...contents, ...parameters]) if (schema) expect(judge.compile(schema as Schema)).toBeInstanceOf(Function);
    }
  });

  test('has examples that fit their schemas', () => {
    for (const [name, schema] of Object.entries(document.components.schemas)) {
      for (const example of (schema.examples ?? []) as unknown[]) expect([name, judge.complaints(schema, example)]).toEqual([name, []]);
    }
  });

  test('shows errors as they are', () => {
    const content = document.components.responses.Error!.content as Record<string, { schema: Schema; examples: Record<string, { value: unknown }> }>;
    const { schema, examples } = content['application/json']!;
    expect(Object.keys(examples)).not.toHaveLength(0);
    for (const { value } of Object.values(examples)) expect(judge.complaints(schema, value)).toEqual([]);
  });

  test('shows a request and an answer of every operation that has them', () => {
    for (const { method, path, name } of operations) {
      const { requestBody, responses } = of(method, path);
      for (const { schema, examples } of Object.values(requestBody?.content ?? {})) {
        expect([name, Object.keys(examples).length]).not.toEqual([name, 0]);
        for (const { value } of Object.values(examples)) expect([name, judge.complaints(schema, value)]).toEqual([name, []]);
      }
      for (const { schema, example } of Object.values(responses).flatMap(({ content }) => Object.values(content ?? {}))) {
        expect([name, judge.complaints(schema, example)]).toEqual([name, []]);
      }
    }
  });

  test('tells what each of the twelve operators of filters means', () => {
    for (const operator of ['eq', 'not_eq', 'matches', 'cont', 'gt', 'lt', 'gteq', 'lteq', 'present', 'blank', 'in', 'not_in'])
      expect(document.info.description).toMatch(new RegExp(`^\\| ${operator} \\| \\S.*\\|$`, 'm'));
  });

  test('says that a page and a component are read without a token, and nothing else', () => {
    const open = operations.filter(({ method, path }) => of(method, path).security?.some(one => Object.keys(one).length === 0));
    expect(open.map(({ name }) => name)).toEqual(['RetrievePage', 'RetrieveComponent']);
  });

  test('names kinds, nullable values, words, moments and ids as they are kept', () => {
    const { Notice, PlannedNotice, GeneralNotice, Component, Page, ComponentState } = document.components.schemas as Record<
      string,
      Schema & { properties: Schema }
    >;
    expect(Notice!.oneOf).toHaveLength(3);
    expect(PlannedNotice!.properties).toMatchObject({
      id: { type: 'integer' },
      type: { const: 'planned' },
      begins_at: { type: 'string', format: 'date-time' },
    });
    expect(GeneralNotice!.properties).not.toHaveProperty('state');
    expect(Component!.properties).toMatchObject({ parent_id: { type: ['integer', 'null'] } });
    expect(Page!.properties).toMatchObject({ id: { type: 'string' }, support_url: { type: ['string', 'null'] } });
    expect(ComponentState!.enum).toEqual(['operational', 'degraded', 'partially-degraded']);
  });
});

/** A page with one of everything: the ids that fill a path. */
async function cast(path: string): Promise<Record<string, string | number>> {
  const made = async (place: string, json: unknown) => (await service.post(`/v1/pages${place}`, json)).json.response;
  const { id: page_id } = await made('', { name: 'Acme' });
  const { id: component_id } = await made(`/${page_id}/components`, { name: 'API' });
  const notice = await made(`/${page_id}/notices`, { subject: 'Slow', initial_comment: 'We look.', component_ids: [component_id] });
  const { id: update_id } = await made(`/${page_id}/notices/${notice.id}/updates`, { content: 'Still.' });
  const { id: template_id } = await made(`/${page_id}/notice_templates`, { name: 'Slow', component_id });
  const { id: subscriber_id } = await made(`/${page_id}/subscribers`, { email: 'grace@acme.example', component_ids: [component_id] });
  if (path.endsWith('/custom_domain')) await made(`/${page_id}/custom_domain`, { domain: 'old.acme.example' });
  const ids = { page_id, component_id, notice_id: notice.id, update_id, template_id, subscriber_id, timezone_id: 'London' };
  if (path.endsWith('/theme')) await service.call('PATCH', `/v1/pages/${page_id}/theme`, { body: multipart({ zip: 'a theme' }) });
  return ids;
}

const filled = (path: string, ids: Record<string, string | number>) => `/v1${path.replace(/\{(\w+)\}/g, (_, name: string) => String(ids[name]))}`;

/** An example speaks of components of its own: they are those of the cast. */
const adapted = (example: Schema, { component_id }: Record<string, string | number>): Schema =>
  Object.fromEntries(
    Object.entries(example).map(([name, value]) => {
      if (/^component_ids/.test(name)) return [name, (value as unknown[]).map(() => component_id)];
      return [name, name === 'component_id' ? String(component_id) : value];
    }),
  );

const pairs = (example: Schema) => Object.entries(example).flatMap(([name, value]) => [value].flat().map(one => [name, String(one)] as [string, string]));

function multipart(example: Schema): FormData {
  const theme = writeZip([{ name: 'status-page.liquid', content: '<h1>{{ page.name }}</h1>' }]);
  const form = new FormData();
  for (const [name, value] of pairs(example)) {
    if (name === 'zip') form.append(name, new Blob([new Uint8Array(theme)]), 'theme.zip');
    else form.append(name, value);
  }
  return form;
}

const writings: Record<string, (example: Schema) => Request> = {
  'application/json': json => ({ json }),
  'application/x-www-form-urlencoded': example => ({ form: new URLSearchParams(pairs(example)).toString() }),
  'multipart/form-data': example => ({ body: multipart(example) }),
};

/** What an answer has that its operation does not tell of, or lacks that it tells of. */
function complaints({ responses }: Operation, { status, headers, text, json }: Answer): string[] {
  const told = responses[status];
  if (!told) return [`${status} is not told of: ${text}`];
  const schema = told.$ref ? { $ref: '#/components/schemas/Error' } : told.content?.['application/json']?.schema;
  const missing = Object.entries(told.headers ?? {}).filter(([name, { $ref }]) => {
    const { required } = document.components.headers[String($ref).split('/').at(-1)!]!;
    return required && !headers.has(name);
  });
  const untold = ['etag', 'location'].filter(name => headers.has(name) && !Object.keys(told.headers ?? {}).some(one => one.toLowerCase() === name));
  const body = schema ? judge.complaints(schema, json) : text === '' ? [] : ['there is a body'];
  return [...missing.map(([name]) => `lacks the header ${name}`), ...untold.map(name => `has the header ${name}`), ...body];
}

describe('as it is told', () => {
  test.each(operations)('$method $path takes its examples, and answers them', async ({ method, path }) => {
    const operation = of(method, path);
    const bodies = Object.entries(operation.requestBody?.content ?? {});
    const examples = bodies.flatMap(([type, content]) => Object.values(content.examples).map(({ value }) => ({ type, value })));
    const sent = operation.requestBody ? examples : [{ type: 'no body', value: {} }];
    for (const { type, value } of sent) {
      const ids = await cast(path);
      const answer = await service.call(method, filled(path, ids), writings[type]?.(adapted(value, ids)));
      expect([type, answer.status, complaints(operation, answer)]).toEqual([type, { POST: 201, DELETE: 204 }[method] ?? 200, []]);
    }
    expect(sent).not.toHaveLength(0);
  });

  const including = operations.filter(({ name }) => /^(List|Create|Retrieve|Update)(Page|Notice|Subscriber)s?$/.test(name));
  test.each(including)('$method $path shows all that may be included', async ({ method, path }) => {
    const operation = of(method, path);
    const ids = await cast(path);
    const include = operation.parameters.find(({ name }) => name === 'include')!.schema as { items: { enum: string[] } };
    const [example] = Object.values(operation.requestBody?.content['application/json']?.examples ?? {}).map(({ value }) => value);
    const answer = await service.call(method, `${filled(path, ids)}?include=${include.items.enum.join()}`, { json: example && adapted(example, ids) });
    expect(complaints(operation, answer)).toEqual([]);
    const record = [answer.json.response].flat()[0];
    for (const name of include.items.enum) expect(record).toHaveProperty(name.split('.')[0]!);
  });

  test.each(operations.filter(({ name }) => name.startsWith('List')))('$path is answered by pages', async ({ method, path }) => {
    const operation = of(method, path);
    const answer = await service.call(method, `${filled(path, await cast(path))}?page=1&per_page=1`);
    expect(complaints(operation, answer)).toEqual([]);
    expect(answer.json.pagination.per_page).toBe(1);
  });

  test.each(operations.filter(({ name }) => name.startsWith('Retrieve')))('$path answers 304 where it tells of an ETag', async ({ method, path }) => {
    const operation = of(method, path);
    const place = filled(path, await cast(path));
    const etag = (await service.get(place)).headers.get('etag');
    expect(etag !== null).toBe('304' in operation.responses);
    if (etag) expect((await service.get(place, { headers: { 'if-none-match': etag } })).status).toBe(304);
  });

  test('a filter takes every key that is told of, and no other', async () => {
    for (const { name, path } of operations.filter(one => one.name.startsWith('List'))) {
      const place = filled(path, await cast(path));
      const { schema } = of('GET', path).parameters.find(one => one.name === 'filter')!;
      const { properties } = document.components.schemas[(schema as { $ref: string }).$ref.split('/').at(-1)!]! as { properties: Record<string, Schema> };
      const query = Object.keys(properties).map(key => `filter[${key}]=`);
      expect([name, (await service.get(`${place}?${query.join('&')}`)).status]).toEqual([name, 200]);
      expect([name, (await service.get(`${place}?filter[nothing_eq]=1`)).status]).toEqual([name, 400]);
    }
  });
});

describe('an error is told of', () => {
  const page = async () => `/v1/pages/${(await service.post('/v1/pages', { name: 'Acme' })).json.response.id}`;
  const met: [error: string, operation: [method: string, path: string], ask: () => Promise<Answer>][] = [
    ['bad_request', ['GET', '/pages'], () => service.get('/v1/pages?include=nothing')],
    ['unauthenticated', ['GET', '/pages'], () => service.get('/v1/pages', { token: null })],
    ['forbidden', ['POST', '/pages'], () => service.post('/v1/pages', { name: 'Acme' }, { token: service.tokens.read })],
    ['not_found', ['GET', '/pages/{page_id}'], () => service.get('/v1/pages/00000000')],
    ['precondition_failed', ['PATCH', '/pages/{page_id}'], async () => service.patch(await page(), { name: 'B' }, { headers: { 'if-match': '"999.x"' } })],
    ['payload_too_large', ['POST', '/pages'], () => service.post('/v1/pages', { name: 'x'.repeat(1024 * 1024) })],
    ['invalid_resource', ['POST', '/pages'], () => service.post('/v1/pages', { name: '', locale: 'tlh' })],
  ];
  test.each(met)('%s', async (error, [method, path], ask) => {
    const answer = await ask();
    expect(answer.json.error).toBe(error);
    expect(complaints(of(method, path), answer)).toEqual([]);
  });

  test.each([
    ['invalid_version', 'GET', '/v2/pages'],
    ['method_not_allowed', 'PATCH', '/v1/pages'],
  ])('%s, which no operation answers', async (error, method, path) => {
    const answer = await service.call(method, path);
    expect(answer.json.error).toBe(error);
    expect(judge.complaints({ $ref: '#/components/schemas/Error' }, answer.json)).toEqual([]);
  });

  test.each([
    new Refusal('CONFLICT', 'The first request is still running.'),
    new Refusal('THROTTLED', 'Too many requests.', undefined, 1),
    new Refusal('UNAVAILABLE', 'The database is away.', undefined, 1),
    new Error('of no concern to a client'),
  ])('%s', refused => {
    const { status, body } = errorAnswer(refused);
    expect(of('POST', '/pages').responses).toHaveProperty(String(status));
    expect(judge.complaints({ $ref: '#/components/schemas/Error' }, body)).toEqual([]);
  });
});
