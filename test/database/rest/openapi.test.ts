import { beforeAll, describe, expect, jest, test } from '@jest/globals';
import { Refusal } from '../../../src/core/errors.js';
import { toErrorResponse } from '../../../src/rest/errors.js';
import { SchemaValidator, type OpenApi, type Operation, routeOperations, type Schema } from '../../support/openapi.js';
import {
  createComponent,
  createNotice,
  createPage,
  createRecord,
  createSubscriber,
  createTemplate,
  createUpdate,
} from '../../support/factories.js';
import { type TestRequest, type TestResponse, useService } from '../../support/service.js';
import { writeZip } from '../../support/zip-writer.js';

jest.setTimeout(120_000);

const service = useService();

// Other test files use this service, too, and the examples name a domain.
beforeAll(async () => {
  await service.database.query('delete from custom_domain');
  await service.database.query('delete from domain_reservation');
});
let document: OpenApi;
let validator: SchemaValidator;
beforeAll(async () => {
  document = (await service.get('/v1/openapi.json', { token: null })).json;
  validator = new SchemaValidator(document);
});

const findOperation = (method: string, path: string): Operation => document.paths[path]![method.toLowerCase()]!;

/** Creates a page with one record of each type, and returns the ids for path parameters. */
async function createRecords(path: string): Promise<Record<string, string | number>> {
  const { id: page_id, path: page } = await createPage(service);
  const { id: component_id } = await createComponent(service, page);
  const about = { component_ids: [component_id] };
  const notice = await createNotice(service, page, { initial_comment: 'We look.', ...about });
  const { id: update_id } = await createUpdate(service, notice.path);
  const { id: template_id } = await createTemplate(service, page, { component_id });
  const { id: subscriber_id } = await createSubscriber(service, page, { email: 'grace@acme.example', ...about });
  const { json } = await service.graphql(
    'mutation($page: ID!) { createMetric(pageId: $page, input: { name: "Response time", unit: "ms" }) { metric { id } } }',
    { page: page_id },
  );
  if (path.endsWith('/custom_domain'))
    await createRecord(service, `${page}/custom_domain`, { domain: 'old.acme.example' });
  const ids = {
    page_id,
    component_id,
    notice_id: notice.id,
    update_id,
    template_id,
    subscriber_id,
    metric_id: json.data.createMetric.metric.id,
    timezone_id: 'London',
  };
  if (path.endsWith('/theme'))
    await service.call('PATCH', `/v1/pages/${page_id}/theme`, { body: multipart({ zip: 'a theme' }) });
  return ids;
}

const recordsByPath = new Map<string, ReturnType<typeof createRecords>>();

/** Shares the records between tests that only read. */
function recordsFor(method: string, path: string): ReturnType<typeof createRecords> {
  if (method !== 'GET') return createRecords(path);
  const kind = /\/(?:custom_domain|theme)$/.exec(path)?.[0] ?? '';
  const records = recordsByPath.get(kind) ?? createRecords(kind);
  recordsByPath.set(kind, records);
  return records;
}

const fillPath = (path: string, ids: Record<string, string | number>) =>
  `/v1${path.replace(/\{(\w+)\}/g, (_, name: string) => String(ids[name]))}`;

/** Replaces the component ids of an example by those of the test. */
const withComponentIds = (example: Schema, { component_id }: Record<string, string | number>): Schema =>
  Object.fromEntries(
    Object.entries(example).map(([name, value]) => {
      if (/^component_ids/.test(name)) return [name, (value as unknown[]).map(() => component_id)];
      return [name, name === 'component_id' ? String(component_id) : value];
    }),
  );

const pairs = (example: Schema) =>
  Object.entries(example).flatMap(([name, value]) =>
    [value].flat().map(item => [name, String(item)] as [string, string]),
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

/** A response without what differs from record to record. */
const shown = ({ response }: { response: Schema }): Schema =>
  Object.fromEntries(
    Object.entries(response).map(([name, value]) => [
      name,
      /(^|_)ids?$|_at$|^send_|^(link|endpoint|from|to|position)$/.test(name) && value !== null ? typeof value : value,
    ]),
  );

const encoders: Record<string, (example: Schema) => TestRequest> = {
  'application/json': json => ({ json }),
  'application/x-www-form-urlencoded': example => ({ form: new URLSearchParams(pairs(example)).toString() }),
  'multipart/form-data': example => ({ body: multipart(example) }),
};

/** Lists how a response differs from its description in the document. */
function findMismatches({ responses }: Operation, { status, headers, text, json }: TestResponse): string[] {
  const documented = responses[status];
  if (!documented) return [`${status} is not documented: ${text}`];
  const name = documented.$ref?.split('/').at(-1);
  const description = (name ? document.components.responses[name] : documented) as typeof documented;
  const schema = description.content?.['application/json']?.schema;
  const missing = Object.entries(description.headers ?? {}).filter(([name, { $ref }]) => {
    const { required } = document.components.headers[String($ref).split('/').at(-1)!]!;
    return required && !headers.has(name);
  });
  const undocumented = ['etag', 'location', 'retry-after', 'www-authenticate', 'x-request-id'].filter(
    name => headers.has(name) && !Object.keys(description.headers ?? {}).some(header => header.toLowerCase() === name),
  );
  const body = schema ? validator.errors(schema, json) : text === '' ? [] : ['has a body'];
  return [
    ...missing.map(([name]) => `lacks the header ${name}`),
    ...undocumented.map(name => `has the undocumented header ${name}`),
    ...body,
  ];
}

describe('every operation matches its description', () => {
  test.each(routeOperations)('$method $path accepts its examples', async ({ method, path }) => {
    const operation = findOperation(method, path);
    const bodies = Object.entries(operation.requestBody?.content ?? {});
    const examples = bodies.flatMap(([type, content]) =>
      Object.values(content.examples).map(({ value }) => ({ type, value })),
    );
    const sent = operation.requestBody ? examples : [{ type: 'no body', value: {} }];
    for (const { type, value } of sent) {
      const ids = await recordsFor(method, path);
      const response = await service.call(method, fillPath(path, ids), encoders[type]?.(withComponentIds(value, ids)));
      const status = { POST: 201, DELETE: 204 }[method] ?? 200;
      expect([type, response.status, findMismatches(operation, response)]).toEqual([type, status, []]);
      // The response in the document is that to the first example; what a change leaves is that of the record before.
      if (value !== sent[0]!.value || !operation.requestBody) continue;
      const example = shown(operation.responses[status]!.content!['application/json']!.example as { response: Schema });
      const answer = shown(response.json);
      expect(Object.keys(answer).sort()).toEqual(Object.keys(example).sort());
      for (const name of Object.keys(example).filter(name => method === 'POST' || name in value))
        expect([name, answer[name]]).toEqual([name, example[name]]);
    }
    expect(sent).not.toHaveLength(0);
  });

  const operationsWithIncludes = routeOperations.filter(({ name }) =>
    /^(List|Create|Retrieve|Update)(Page|Notice|Subscriber)s?$/.test(name),
  );
  test.each(operationsWithIncludes)('$method $path supports every documented include', async ({ method, path }) => {
    const operation = findOperation(method, path);
    const ids = await recordsFor(method, path);
    const include = operation.parameters.find(({ name }) => name === 'include')!.schema as {
      items: { enum: string[] };
    };
    const [example] = Object.values(operation.requestBody?.content['application/json']?.examples ?? {}).map(
      ({ value }) => value,
    );
    const response = await service.call(method, `${fillPath(path, ids)}?include=${include.items.enum.join()}`, {
      json: example && withComponentIds(example, ids),
    });
    expect(findMismatches(operation, response)).toEqual([]);
    const record = [response.json.response].flat()[0];
    for (const name of include.items.enum) expect(record).toHaveProperty(name.split('.')[0]!);
  });

  test.each(routeOperations.filter(({ name }) => name.startsWith('List')))(
    '$path supports pagination',
    async ({ method, path }) => {
      const operation = findOperation(method, path);
      const response = await service.call(
        method,
        `${fillPath(path, await recordsFor(method, path))}?page=1&per_page=1`,
      );
      expect(findMismatches(operation, response)).toEqual([]);
      expect(response.json.pagination.per_page).toBe(1);
    },
  );

  test.each(routeOperations.filter(({ name }) => name.startsWith('Retrieve')))(
    '$path answers 304 if it documents an ETag',
    async ({ method, path }) => {
      const operation = findOperation(method, path);
      const url = fillPath(path, await recordsFor(method, path));
      const etag = (await service.get(url)).headers.get('etag');
      expect(etag !== null).toBe('304' in operation.responses);
      if (etag) expect((await service.get(url, { headers: { 'if-none-match': etag } })).status).toBe(304);
    },
  );

  test('filters accept exactly the documented keys', async () => {
    for (const { name, path } of routeOperations.filter(operation => operation.name.startsWith('List'))) {
      const url = fillPath(path, await recordsFor('GET', path));
      const { schema } = findOperation('GET', path).parameters.find(parameter => parameter.name === 'filter')!;
      const { properties } = document.components.schemas[(schema as { $ref: string }).$ref.split('/').at(-1)!]! as {
        properties: Record<string, Schema>;
      };
      const query = Object.keys(properties).map(key => `filter[${key}]=`);
      expect([name, (await service.get(`${url}?${query.join('&')}`)).status]).toEqual([name, 200]);
      expect([name, (await service.get(`${url}?filter[nothing_eq]=1`)).status]).toEqual([name, 400]);
    }
  });
});

describe('documented errors', () => {
  const page = async () => (await createPage(service)).path;
  const errorRequests: [error: string, operation: [method: string, path: string], send: () => Promise<TestResponse>][] =
    [
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
  test.each(errorRequests)('%s', async (error, [method, path], send) => {
    const response = await send();
    expect(response.json.error).toBe(error);
    expect(findMismatches(findOperation(method, path), response)).toEqual([]);
  });

  test.each([
    ['invalid_version', 'GET', '/v2/pages'],
    ['method_not_allowed', 'PATCH', '/v1/pages'],
  ])('%s, outside of any operation', async (error, method, path) => {
    const response = await service.call(method, path);
    expect(response.json.error).toBe(error);
    expect(validator.errors({ $ref: '#/components/schemas/Error' }, response.json)).toEqual([]);
  });

  test.each<[error: string, thrown: Error]>([
    ['conflict', new Refusal('CONFLICT', 'The first request is still running.')],
    ['throttled', new Refusal('THROTTLED', 'Too many requests.', { retryAfter: 1 })],
    ['unavailable', new Refusal('UNAVAILABLE', 'The database is away.', { retryAfter: 1 })],
    ['system', new Error('internal error')],
  ])('%s, which a test cannot provoke', (error, thrown) => {
    const { status, body } = toErrorResponse(thrown);
    expect(body.error).toBe(error);
    expect(findOperation('POST', '/pages').responses).toHaveProperty(String(status));
    expect(validator.errors({ $ref: '#/components/schemas/Error' }, body)).toEqual([]);
  });
});
