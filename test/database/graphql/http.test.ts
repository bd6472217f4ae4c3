import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { getIntrospectionQuery } from 'graphql';
import { createToken, revokeToken } from '../../../src/auth/token.service.js';
import { startTestService, type TestService } from '../../support/service.js';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

const modern = { accept: 'application/graphql-response+json' };
const legacy = { accept: 'application/json' };
const post = (json: unknown, headers: Record<string, string> = {}, token?: string | null) =>
  service.call('POST', '/graphql', { json, headers, token });
const raw = (body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}) =>
  service.call('POST', '/graphql', { body, headers: { 'content-type': 'application/json', ...headers } });
const codeOf = ({ json }: { json: { errors: { extensions: { code: string } }[] } }) => json.errors[0]!.extensions.code;

describe('A query', () => {
  test.each([
    [undefined, 'application/json; charset=utf-8'],
    ['*/*', 'application/json; charset=utf-8'],
    ['application/*', 'application/json; charset=utf-8'],
    ['application/json', 'application/json; charset=utf-8'],
    ['application/graphql-response+json', 'application/graphql-response+json; charset=utf-8'],
    ['application/graphql-response+json, application/json;q=0.9', 'application/graphql-response+json; charset=utf-8'],
  ])('with Accept %s is answered as %s', async (accept, type) => {
    const answer = await post({ query: '{ hello }' }, accept ? { accept } : {});
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe(type);
    expect(answer.json).toEqual({ data: { hello: expect.stringMatching(/^Hello/) } });
  });

  test('may come by GET', async () => {
    const answer = await service.get(
      `/graphql?query=${encodeURIComponent('query($n: ID!) { timezone(id: $n) { zone } }')}&variables=${encodeURIComponent('{"n":"UTC"}')}`,
    );
    expect(answer.status).toBe(200);
    expect(answer.json.data.timezone.zone).toBe('Etc/UTC');
  });

  test('by HEAD is answered like GET, without a body', async () => {
    const answer = await service.call('HEAD', '/graphql?query=%7Bhello%7D');
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
    expect(answer.text).toBe('');
  });

  test('is told by operationName where there are several', async () => {
    const query = 'query A { a: hello } query B { b: hello }';
    expect((await post({ query, operationName: 'B' })).json.data).toHaveProperty('b');
    expect((await post({ query }, modern)).status).toBe(400);
  });

  test('takes null for absent members', async () => {
    expect((await post({ query: '{ hello }', variables: null, operationName: null, extensions: null })).status).toBe(
      200,
    );
  });

  test('at /graphql/ is one at /graphql', async () => {
    expect((await service.post('/graphql/', { query: '{ hello }' })).status).toBe(200);
  });

  test('of introspection needs no token', async () => {
    const answer = await post({ query: getIntrospectionQuery() }, {}, null);
    expect(answer.json.data.__schema.queryType.name).toBe('Query');
  });
});

describe('What is wrong with a query', () => {
  const wrong: [string, object, string][] = [
    ['that does not parse', { query: '{' }, 'GRAPHQL_PARSE_FAILED'],
    ['that does not fit the graph', { query: '{ nothing }' }, 'GRAPHQL_VALIDATION_FAILED'],
    [
      'whose variables are wrong',
      { query: 'query($p: Int) { pages(page: $p) { count } }', variables: { p: 'x' } },
      'BAD_USER_INPUT',
    ],
    [
      'whose operation is not there',
      { query: 'query A { hello }', operationName: 'B' },
      'OPERATION_RESOLUTION_FAILURE',
    ],
    [
      'that asks too much',
      { query: `{ ${Array.from({ length: 21 }, (_, i) => `a${i}: hello`).join(' ')} }` },
      'BAD_REQUEST',
    ],
  ];

  test.each(wrong)('%s is 400 to clients of graphql-response+json', async (_, body, code) => {
    const answer = await post(body, modern);
    expect([answer.status, codeOf(answer)]).toEqual([400, code]);
    expect(answer.json).not.toHaveProperty('data');
  });

  test.each(wrong)('%s is 200 to clients of json alone: the request was understood', async (_, body, code) => {
    const answer = await post(body, legacy);
    expect([answer.status, codeOf(answer)]).toEqual([200, code]);
    expect(answer.json).not.toHaveProperty('data');
  });
});

describe('What is wrong with a request', () => {
  test.each([
    ['a body that is no JSON', '{'],
    ['an empty body', ''],
    ['JSON that is a text', '"{ hello }"'],
    ['JSON that is null', 'null'],
    ['an array: there are no batches', '[{"query":"{ hello }"}]'],
    ['no query', '{"variables":{}}'],
    ['an empty query', '{"query":""}'],
    ['a query that is a number', '{"query":1}'],
    ['variables that are a text', '{"query":"{ hello }","variables":"{}"}'],
    ['variables that are an array', '{"query":"{ hello }","variables":[]}'],
    ['an operationName that is a number', '{"query":"{ hello }","operationName":1}'],
    ['extensions that are a text', '{"query":"{ hello }","extensions":"{}"}'],
  ])('%s is 400', async (_, body) => {
    for (const headers of [legacy, modern]) {
      const answer = await raw(body, headers);
      expect(answer.status).toBe(400);
      expect(codeOf(answer)).toBe('BAD_REQUEST');
    }
  });

  test('bytes that are not UTF-8 are 400', async () => {
    expect(
      (await raw(new Uint8Array([...new TextEncoder().encode('{"query":"{ hello }","x":"'), 0xff, 0x22, 0x7d]))).status,
    ).toBe(400);
  });

  test('variables of a GET that are no JSON are 400', async () => {
    expect((await service.get('/graphql?query=%7Bhello%7D&variables=%7B')).status).toBe(400);
  });

  test.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/graphql',
  ])('a body of %s is 415', async type => {
    expect((await raw('{"query":"{ hello }"}', { 'content-type': type })).status).toBe(415);
  });

  test.each(['PUT', 'PATCH', 'DELETE'])('%s is 405, and Allow says what is there', async method => {
    const answer = await service.call(method, '/graphql', { json: { query: '{ hello }' }, token: null });
    expect(answer.status).toBe(405);
    expect(answer.headers.get('allow')).toBe('GET, HEAD, POST, OPTIONS');
  });

  test('a mutation by GET is 405, and nothing is written', async () => {
    const answer = await service.get(
      `/graphql?query=${encodeURIComponent('mutation { createPage(input: { name: "By GET" }) { page { id } } }')}`,
    );
    expect(answer.status).toBe(405);
    expect(answer.headers.get('allow')).toBe('POST');
    const { json } = await service.graphql('{ pages(filter: { name: { eq: "By GET" } }) { count } }');
    expect(json.data.pages.count).toBe(0);
  });

  test('a GET that any page of the web could send, without a token and unasked, is 400', async () => {
    expect((await service.get('/graphql?query=%7B__typename%7D', { token: null })).status).toBe(400);
    expect(
      (
        await service.get('/graphql?query=%7B__typename%7D', {
          token: null,
          headers: { 'apollo-require-preflight': '1' },
        })
      ).status,
    ).toBe(200);
  });

  test('an Accept that we cannot write is 406', async () => {
    expect((await post({ query: '{ hello }' }, { accept: 'image/png' })).status).toBe(406);
  });
});

describe('Size', () => {
  test('a query text of 100 KB is taken, one of a byte more is 413', async () => {
    const query = `{ hello } #${' '.repeat(100 * 1024 - 11)}`;
    expect((await post({ query })).status).toBe(200);
    const answer = await post({ query: `${query} ` });
    expect([answer.status, codeOf(answer)]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
  });

  test('a body over 1 MB is 413', async () => {
    const body = (length: number) => JSON.stringify({ query: '{ hello }', variables: { x: 'x'.repeat(length) } });
    const rest = body(0).length;
    expect((await raw(body(1024 * 1024 - rest))).status).toBe(200);
    const answer = await raw(body(1024 * 1024 - rest + 1));
    expect([answer.status, codeOf(answer)]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
    // Else the rest of it would be taken for the next request.
    expect(answer.headers.get('connection')).toBe('close');
  });
});

describe('A token', () => {
  const refusal = {
    errors: [{ message: 'This action requires authentication to continue.', extensions: { code: 'UNAUTHENTICATED' } }],
  };

  test.each(['Bearer nobody-has-this-one', 'Bearer ', 'Basic dXNlcjpwYXNz', 'nonsense'])(
    'that is wrong (%s) fails the whole request with 401, introspection too',
    async authorization => {
      const answer = await post({ query: '{ __typename }' }, { authorization }, null);
      expect(answer.status).toBe(401);
      expect(answer.headers.get('www-authenticate')).toBe('Bearer');
      expect(answer.json).toEqual(refusal);
    },
  );

  test('that was revoked is a wrong one', async () => {
    const token = await createToken(service.database, 'for a while', 'write');
    expect((await post({ query: '{ hello }' }, {}, token)).status).toBe(200);
    const [{ id }] = (await service.database.query<{ id: number }>(
      "select id from token where label = 'for a while'",
    )) as [{ id: number }];
    await revokeToken(service.database, id);
    expect((await post({ query: '{ hello }' }, {}, token)).status).toBe(401);
  });

  test('that is wrong is refused before anything of the body is read', async () => {
    expect((await raw('{', { authorization: 'Bearer nobody-has-this-one' })).status).toBe(401);
  });

  test('has its scheme in any case', async () => {
    expect((await post({ query: '{ hello }' }, { authorization: `bEARER ${service.tokens.read}` }, null)).status).toBe(
      200,
    );
  });
});

describe('Other origins', () => {
  test('may ask first, without a token', async () => {
    const answer = await service.call('OPTIONS', '/graphql', {
      token: null,
      headers: { origin: 'https://example.org', 'access-control-request-method': 'POST' },
    });
    expect(answer.status).toBe(204);
    expect(answer.text).toBe('');
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'GET, POST, PUT, PATCH, DELETE, OPTIONS',
      'access-control-allow-headers': expect.stringContaining(
        'Authorization, Content-Type, X-HTTP-Method-Override, X-Plugin-Ping, Idempotency-Key, If-Match, If-None-Match',
      ),
      'access-control-max-age': '600',
    });
  });

  test.each([
    ['an answer', '{ hello }', 'write', 200],
    ['an error', '{', 'write', 200],
    ['a 401', '{ hello }', 'nobody', 401],
  ])('may read %s', async (_, query, token, status) => {
    const answer = await post({ query }, {}, token === 'write' ? service.tokens.write : token);
    expect(answer.status).toBe(status);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-expose-headers': 'ETag, Location, Retry-After, Allow',
      'cache-control': 'private, no-cache',
      'x-content-type-options': 'nosniff',
    });
    expect(answer.headers.get('vary')).toMatch(/Authorization.*Origin/);
  });
});

describe('A browser', () => {
  const browser = {
    token: null,
    headers: { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' },
  };

  test('that opens /graphql sees GraphiQL, which asks nothing of any other place', async () => {
    const page = await service.get('/graphql', browser);
    expect(page.status).toBe(200);
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(page.text).not.toMatch(/https?:|\/\//);
    const policy = page.headers.get('content-security-policy')!;
    expect(policy).toMatch(/^default-src 'none'; script-src 'self';/);
    expect(policy).not.toMatch(/https?:|\*|unsafe-eval/);
  });

  test('finds all that the page names, and may keep it', async () => {
    const page = await service.get('/graphql', browser);
    const paths = [...page.text.matchAll(/(?:src|href)="(\/[^"]*)"/g)].map(([, path]) => path!);
    expect(paths).toContain('/graphql/assets/graphiql.js');
    for (const path of paths) {
      const asset = await service.get(path, { token: null });
      expect([path, asset.status]).toEqual([path, 200]);
      expect(asset.headers.get('content-type')).toMatch(path.endsWith('.css') ? /^text\/css/ : /^text\/javascript/);
      expect(asset.headers.get('cache-control')).toMatch(/^public, max-age=\d+/);
      const again = await service.get(path, { token: null, headers: { 'if-none-match': asset.headers.get('etag')! } });
      expect([again.status, again.text]).toEqual([304, '']);
    }
  });

  test('has a headers editor for the token, and a query to begin with that the graph answers', async () => {
    const { text } = await service.get('/graphql/assets/start.js', { token: null });
    expect(text).toContain('Bearer ');
    const lines = /const query = (\[[\s\S]*?\])\.join/.exec(text)![1]!;
    // The lines of the script are its own text; read them as it would.
    const query = (Function(`return ${lines}`)() as string[]).join('\n');
    const { json } = await service.graphql(query);
    expect(json).not.toHaveProperty('errors');
    expect(json.data.pages.nodes).toBeInstanceOf(Array);
  });

  test('that names a query is answered in JSON', async () => {
    const answer = await service.get('/graphql?query=%7Bhello%7D', { headers: browser.headers });
    expect(answer.json.data.hello).toMatch(/^Hello/);
  });

  test('finds nothing else among the assets, and none by another method', async () => {
    expect((await service.get('/graphql/assets/package.json')).status).toBe(404);
    expect((await service.get('/graphql/assets/..%2f..%2fpackage.json')).status).toBe(404);
    expect((await service.get('/graphql/assets/constructor')).status).toBe(404);
    expect((await service.post('/graphql/assets/start.js')).status).toBe(405);
  });
});
