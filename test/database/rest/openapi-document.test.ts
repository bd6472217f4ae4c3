import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { Judge, type OpenApi, type Operation, places, references, type Schema } from '../../support/openapi.js';
import { startTestService, type TestService } from '../../support/service.js';

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
      Object.entries(item).flatMap(([method, { operationId: name }]) =>
        method === 'parameters' ? [] : [{ method: method.toUpperCase(), path, name }],
      ),
    );
    const byName = (one: { name: string }, other: { name: string }) => one.name.localeCompare(other.name);
    expect(described.sort(byName)).toEqual([...places].sort(byName));
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
    const parts = Object.entries(document.components).flatMap(([kind, all]) =>
      Object.keys(all).map(name => `#/components/${kind}/${name}`),
    );
    expect(parts.filter(part => !mentioned.has(part) && !part.includes('/securitySchemes/'))).toEqual([]);
  });

  test('has no schema that does not compile', () => {
    for (const schema of Object.values(document.components.schemas))
      expect(judge.compile(schema)).toBeInstanceOf(Function);
    for (const { method, path } of places) {
      const { parameters, requestBody, responses } = of(method, path);
      const contents = [requestBody, ...Object.values(responses)].flatMap(one => Object.values(one?.content ?? {}));
      for (const { schema } of [...contents, ...parameters])
        if (schema) expect(judge.compile(schema as Schema)).toBeInstanceOf(Function);
    }
  });

  test('has examples that fit their schemas', () => {
    for (const [name, schema] of Object.entries(document.components.schemas)) {
      for (const example of (schema.examples ?? []) as unknown[])
        expect([name, judge.complaints(schema, example)]).toEqual([name, []]);
    }
  });

  test('shows errors as they are', () => {
    const content = document.components.responses.Error!.content as Record<
      string,
      { schema: Schema; examples: Record<string, { value: unknown }> }
    >;
    const { schema, examples } = content['application/json']!;
    expect(Object.keys(examples)).not.toHaveLength(0);
    for (const { value } of Object.values(examples)) expect(judge.complaints(schema, value)).toEqual([]);
  });

  test('shows a request and an answer of every operation that has them', () => {
    for (const { method, path, name } of places) {
      const { requestBody, responses } = of(method, path);
      for (const { schema, examples } of Object.values(requestBody?.content ?? {})) {
        expect([name, Object.keys(examples).length]).not.toEqual([name, 0]);
        for (const { value } of Object.values(examples))
          expect([name, judge.complaints(schema, value)]).toEqual([name, []]);
      }
      for (const { schema, example } of Object.values(responses).flatMap(({ content }) =>
        Object.values(content ?? {}),
      )) {
        expect([name, judge.complaints(schema, example)]).toEqual([name, []]);
      }
    }
  });

  test('tells what each of the twelve operators of filters means', () => {
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

  test('says that a page and a component are read without a token, and nothing else', () => {
    const open = places.filter(({ method, path }) =>
      of(method, path).security?.some(one => Object.keys(one).length === 0),
    );
    expect(open.map(({ name }) => name)).toEqual(['RetrievePage', 'RetrieveComponent']);
  });

  test('names kinds, nullable values, words, moments and ids as they are kept', () => {
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
