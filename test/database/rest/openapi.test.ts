import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { Refusal } from '../../../src/core/errors.js';
import { errorAnswer } from '../../../src/rest/errors.js';
import { Judge, type OpenApi, type Operation, places, type Schema } from '../../support/openapi.js';
import { type Answer, type Request, startTestService, type TestService } from '../../support/service.js';
import { writeZip } from '../../support/zip-writer.js';

jest.setTimeout(120_000);

let service: TestService;
let document: OpenApi;
let judge: Judge;
beforeAll(async () => {
  service = await startTestService();
  document = (await service.get('/v1/openapi.json', { token: null })).json;
  judge = new Judge(document);
});
afterAll(() => service.stop());

const of = (method: string, path: string): Operation => document.paths[path]![method.toLowerCase()]!;

/** A page with one of everything: the ids that fill a path. */
async function cast(path: string): Promise<Record<string, string | number>> {
  const made = async (place: string, json: unknown) => (await service.post(`/v1/pages${place}`, json)).json.response;
  const { id: page_id } = await made('', { name: 'Acme' });
  const { id: component_id } = await made(`/${page_id}/components`, { name: 'API' });
  const notice = await made(`/${page_id}/notices`, {
    subject: 'Slow',
    initial_comment: 'We look.',
    component_ids: [component_id],
  });
  const { id: update_id } = await made(`/${page_id}/notices/${notice.id}/updates`, { content: 'Still.' });
  const { id: template_id } = await made(`/${page_id}/notice_templates`, { name: 'Slow', component_id });
  const { id: subscriber_id } = await made(`/${page_id}/subscribers`, {
    email: 'grace@acme.example',
    component_ids: [component_id],
  });
  if (path.endsWith('/custom_domain')) await made(`/${page_id}/custom_domain`, { domain: 'old.acme.example' });
  const ids = {
    page_id,
    component_id,
    notice_id: notice.id,
    update_id,
    template_id,
    subscriber_id,
    timezone_id: 'London',
  };
  if (path.endsWith('/theme'))
    await service.call('PATCH', `/v1/pages/${page_id}/theme`, { body: multipart({ zip: 'a theme' }) });
  return ids;
}

const standing = new Map<string, ReturnType<typeof cast>>();

/** One cast for all that only read at a path. */
function castFor(method: string, path: string): ReturnType<typeof cast> {
  if (method !== 'GET') return cast(path);
  const kind = /\/(?:custom_domain|theme)$/.exec(path)?.[0] ?? '';
  const made = standing.get(kind) ?? cast(kind);
  standing.set(kind, made);
  return made;
}

const filled = (path: string, ids: Record<string, string | number>) =>
  `/v1${path.replace(/\{(\w+)\}/g, (_, name: string) => String(ids[name]))}`;

/** An example speaks of components of its own: they are those of the cast. */
const adapted = (example: Schema, { component_id }: Record<string, string | number>): Schema =>
  Object.fromEntries(
    Object.entries(example).map(([name, value]) => {
      if (/^component_ids/.test(name)) return [name, (value as unknown[]).map(() => component_id)];
      return [name, name === 'component_id' ? String(component_id) : value];
    }),
  );

const pairs = (example: Schema) =>
  Object.entries(example).flatMap(([name, value]) =>
    [value].flat().map(one => [name, String(one)] as [string, string]),
  );

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
  const untold = ['etag', 'location'].filter(
    name => headers.has(name) && !Object.keys(told.headers ?? {}).some(one => one.toLowerCase() === name),
  );
  const body = schema ? judge.complaints(schema, json) : text === '' ? [] : ['there is a body'];
  return [
    ...missing.map(([name]) => `lacks the header ${name}`),
    ...untold.map(name => `has the header ${name}`),
    ...body,
  ];
}

describe('as it is told', () => {
  test.each(places)('$method $path takes its examples, and answers them', async ({ method, path }) => {
    const operation = of(method, path);
    const bodies = Object.entries(operation.requestBody?.content ?? {});
    const examples = bodies.flatMap(([type, content]) =>
      Object.values(content.examples).map(({ value }) => ({ type, value })),
    );
    const sent = operation.requestBody ? examples : [{ type: 'no body', value: {} }];
    for (const { type, value } of sent) {
      const ids = await castFor(method, path);
      const answer = await service.call(method, filled(path, ids), writings[type]?.(adapted(value, ids)));
      expect([type, answer.status, complaints(operation, answer)]).toEqual([
        type,
        { POST: 201, DELETE: 204 }[method] ?? 200,
        [],
      ]);
    }
    expect(sent).not.toHaveLength(0);
  });

  const including = places.filter(({ name }) => /^(List|Create|Retrieve|Update)(Page|Notice|Subscriber)s?$/.test(name));
  test.each(including)('$method $path shows all that may be included', async ({ method, path }) => {
    const operation = of(method, path);
    const ids = await castFor(method, path);
    const include = operation.parameters.find(({ name }) => name === 'include')!.schema as {
      items: { enum: string[] };
    };
    const [example] = Object.values(operation.requestBody?.content['application/json']?.examples ?? {}).map(
      ({ value }) => value,
    );
    const answer = await service.call(method, `${filled(path, ids)}?include=${include.items.enum.join()}`, {
      json: example && adapted(example, ids),
    });
    expect(complaints(operation, answer)).toEqual([]);
    const record = [answer.json.response].flat()[0];
    for (const name of include.items.enum) expect(record).toHaveProperty(name.split('.')[0]!);
  });

  test.each(places.filter(({ name }) => name.startsWith('List')))(
    '$path is answered by pages',
    async ({ method, path }) => {
      const operation = of(method, path);
      const answer = await service.call(method, `${filled(path, await castFor(method, path))}?page=1&per_page=1`);
      expect(complaints(operation, answer)).toEqual([]);
      expect(answer.json.pagination.per_page).toBe(1);
    },
  );

  test.each(places.filter(({ name }) => name.startsWith('Retrieve')))(
    '$path answers 304 where it tells of an ETag',
    async ({ method, path }) => {
      const operation = of(method, path);
      const place = filled(path, await castFor(method, path));
      const etag = (await service.get(place)).headers.get('etag');
      expect(etag !== null).toBe('304' in operation.responses);
      if (etag) expect((await service.get(place, { headers: { 'if-none-match': etag } })).status).toBe(304);
    },
  );

  test('a filter takes every key that is told of, and no other', async () => {
    for (const { name, path } of places.filter(one => one.name.startsWith('List'))) {
      const place = filled(path, await castFor('GET', path));
      const { schema } = of('GET', path).parameters.find(one => one.name === 'filter')!;
      const { properties } = document.components.schemas[(schema as { $ref: string }).$ref.split('/').at(-1)!]! as {
        properties: Record<string, Schema>;
      };
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
    [
      'forbidden',
      ['POST', '/pages'],
      () => service.post('/v1/pages', { name: 'Acme' }, { token: service.tokens.read }),
    ],
    ['not_found', ['GET', '/pages/{page_id}'], () => service.get('/v1/pages/00000000')],
    [
      'precondition_failed',
      ['PATCH', '/pages/{page_id}'],
      async () => service.patch(await page(), { name: 'B' }, { headers: { 'if-match': '"999.x"' } }),
    ],
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

  test.each<[error: string, thrown: Error]>([
    ['conflict', new Refusal('CONFLICT', 'The first request is still running.')],
    ['throttled', new Refusal('THROTTLED', 'Too many requests.', undefined, 1)],
    ['unavailable', new Refusal('UNAVAILABLE', 'The database is away.', undefined, 1)],
    ['system', new Error('of no concern to a client')],
  ])('%s, which cannot be met at will', (error, thrown) => {
    const { status, body } = errorAnswer(thrown);
    expect(body.error).toBe(error);
    expect(of('POST', '/pages').responses).toHaveProperty(String(status));
    expect(judge.complaints({ $ref: '#/components/schemas/Error' }, body)).toEqual([]);
  });
});
