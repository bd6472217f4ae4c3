import { beforeAll, describe, expect, jest, test } from '@jest/globals';
import {
  SchemaValidator,
  type OpenApi,
  type Operation,
  routeOperations,
  resolveReferences,
  type Schema,
} from '../../support/openapi.js';
import { useService } from '../../support/service.js';

jest.setTimeout(120_000);

const service = useService();
let document: OpenApi;
let validator: SchemaValidator;
beforeAll(async () => {
  document = (await service.get('/v1/openapi.json', { token: null })).json;
  validator = new SchemaValidator(document);
});

const findOperation = (method: string, path: string): Operation => document.paths[path]![method.toLowerCase()]!;

describe('GET /v1/openapi.json', () => {
  test('needs no token, and ignores a wrong one', async () => {
    for (const token of [null, 'wrong']) {
      const response = await service.get('/v1/openapi.json', { token });
      expect(response.status).toBe(200);
      expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
      expect(response.headers.get('access-control-allow-origin')).toBe('*');
    }
  });

  test('answers HEAD without a body', async () => {
    const response = await service.call('HEAD', '/v1/openapi.json', { token: null });
    expect([response.status, response.text]).toEqual([200, '']);
  });

  test('answers under the alias of the version and with a trailing slash', async () => {
    expect((await service.get('/1/openapi.json/', { token: null })).status).toBe(200);
  });

  test('answers 405 to other methods, with Allow', async () => {
    const response = await service.post('/v1/openapi.json', {}, { token: null });
    expect([response.status, response.json.error]).toEqual([405, 'method_not_allowed']);
    expect(response.headers.get('allow')).toMatch(/GET/);
  });

  test('answers 400 to a malformed query string', async () => {
    expect((await service.get('/v1/openapi.json?a=%zz', { token: null })).json.error).toBe('bad_request');
  });
});

describe('the OpenAPI document', () => {
  test('is OpenAPI 3.1 and smaller than 500 kB', () => {
    expect(document.openapi).toMatch(/^3\.1\./);
    expect(JSON.stringify(document).length).toBeLessThan(500_000);
  });

  test('has exactly the routes of the service, with their operation names', () => {
    const described = Object.entries(document.paths).flatMap(([path, item]) =>
      Object.entries(item).flatMap(([method, { operationId: name }]) =>
        method === 'parameters' ? [] : [{ method: method.toUpperCase(), path, name }],
      ),
    );
    const byName = (one: { name: string }, other: { name: string }) => one.name.localeCompare(other.name);
    expect(described.sort(byName)).toEqual([...routeOperations].sort(byName));
    expect(new Set(described.map(({ name }) => name)).size).toBe(described.length);
  });

  test('declares every path parameter', () => {
    for (const [path, item] of Object.entries(document.paths)) {
      const declared = ((item.parameters ?? []) as unknown as { name: string; in: string; required: boolean }[]).filter(
        parameter => parameter.in === 'path' && parameter.required,
      );
      expect(declared.map(({ name }) => `{${name}}`)).toEqual(path.match(/\{\w+\}/g) ?? []);
    }
  });

  test('has no dangling reference and no unused component', () => {
    expect(resolveReferences(document).filter(([, target]) => target === undefined)).toEqual([]);
    const mentioned = new Set(resolveReferences(document).map(([reference]) => reference));
    const parts = Object.entries(document.components).flatMap(([kind, all]) =>
      Object.keys(all).map(name => `#/components/${kind}/${name}`),
    );
    expect(parts.filter(part => !mentioned.has(part) && !part.includes('/securitySchemes/'))).toEqual([]);
  });

  test('has schemas that compile', () => {
    for (const schema of Object.values(document.components.schemas))
      expect(validator.compile(schema)).toBeInstanceOf(Function);
    for (const { method, path } of routeOperations) {
      const { parameters, requestBody, responses } = findOperation(method, path);
      const contents = [requestBody, ...Object.values(responses)].flatMap(body => Object.values(body?.content ?? {}));
      for (const { schema } of [...contents, ...parameters])
        if (schema) expect(validator.compile(schema as Schema)).toBeInstanceOf(Function);
    }
  });

  test('has examples that match their schemas', () => {
    for (const [name, schema] of Object.entries(document.components.schemas)) {
      for (const example of (schema.examples ?? []) as unknown[])
        expect([name, validator.errors(schema, example)]).toEqual([name, []]);
    }
  });

  test('has error examples that match the error schema', () => {
    for (const response of Object.values(document.components.responses)) {
      const { schema, example } = (response.content as Record<string, { schema: Schema; example: unknown }>)[
        'application/json'
      ]!;
      expect(validator.errors(schema, example)).toEqual([]);
    }
  });

  test('has valid request and response examples for every operation', () => {
    for (const { method, path, name } of routeOperations) {
      const { requestBody, responses } = findOperation(method, path);
      for (const { schema, examples } of Object.values(requestBody?.content ?? {})) {
        expect([name, Object.keys(examples).length]).not.toEqual([name, 0]);
        for (const { value } of Object.values(examples))
          expect([name, validator.errors(schema, value)]).toEqual([name, []]);
      }
      for (const { schema, example } of Object.values(responses).flatMap(({ content }) =>
        Object.values(content ?? {}),
      )) {
        expect([name, validator.errors(schema, example)]).toEqual([name, []]);
      }
    }
  });

  test('describes each of the 12 filter operators', () => {
    for (const operator of [
      'eq',
      'not_eq',
      'matches',
      'cont',
      'gt',
      'lt',
      'gteq',
      'lteq',
      'present',
      'blank',
      'in',
      'not_in',
    ])
      expect(document.info.description).toMatch(new RegExp(`^\\| ${operator} \\| \\S.*\\|$`, 'm'));
  });

  test('declares what can be read without a token', () => {
    const open = routeOperations.filter(({ method, path }) =>
      findOperation(method, path).security?.some(requirement => Object.keys(requirement).length === 0),
    );
    expect(open.map(({ name }) => name)).toEqual([
      'RetrievePage',
      'RetrieveBrand',
      'ListComponents',
      'RetrieveComponent',
      'ListNotices',
      'RetrieveNotice',
      'ListUpdates',
      'RetrieveUpdate',
    ]);
  });

  test('declares notice types, nullable values, enums, timestamps and ids', () => {
    const { Notice, PlannedNotice, GeneralNotice, Component, Page, ComponentState } = document.components
      .schemas as Record<string, Schema & { properties: Schema }>;
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
