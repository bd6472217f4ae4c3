import { describe, expect, test } from '@jest/globals';
import { getIntrospectionQuery } from 'graphql';
import { scopes } from '../../../src/auth/token.service.js';
import { useService } from '../../support/service.js';
import { createToken } from '../../support/tokens.js';

const service = useService();

const modern = { accept: 'application/graphql-response+json' };
const legacy = { accept: 'application/json' };
const post = (json: unknown, headers: Record<string, string> = {}, token?: string | null) =>
  service.call('POST', '/graphql', { json, headers, token });
const raw = (body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}, token?: string | null) =>
  service.call('POST', '/graphql', { body, headers: { 'content-type': 'application/json', ...headers }, token });
const codeOf = ({ json }: { json: { errors: { extensions: { code: string } }[] } }) => json.errors[0]!.extensions.code;

describe('a query', () => {
  test.each([
    [undefined, 'application/json; charset=utf-8'],
    ['*/*', 'application/json; charset=utf-8'],
    ['application/*', 'application/json; charset=utf-8'],
    ['application/json', 'application/json; charset=utf-8'],
    ['application/graphql-response+json', 'application/graphql-response+json; charset=utf-8'],
    ['application/graphql-response+json, application/json;q=0.9', 'application/graphql-response+json; charset=utf-8'],
  ])('with Accept %s is answered with content type %s', async (accept, type) => {
    const response = await post({ query: '{ hello }' }, accept ? { accept } : {});
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe(type);
    expect(response.json).toEqual({ data: { hello: expect.stringMatching(/^Hello/) } });
  });

  test('can be sent by GET', async () => {
    const response = await service.get(
      `/graphql?query=${encodeURIComponent('query($n: ID!) { timezone(id: $n) { id } }')}&variables=${encodeURIComponent('{"n":"UTC"}')}`,
    );
    expect(response.status).toBe(200);
    expect(response.json.data.timezone.id).toBe('Etc/UTC');
  });

  test('by GET requires neither a token nor a preflight', async () => {
    const plain = await service.get('/graphql?query=%7B__typename%7D', { token: null });
    expect([plain.status, plain.json]).toEqual([200, { data: { __typename: 'Query' } }]);
    // As a form or an image of another site sends it.
    const navigated = await service.get('/graphql?query=%7B__typename%7D', {
      token: null,
      headers: { 'sec-fetch-site': 'cross-site' },
    });
    expect(navigated.status).toBe(200);
  });

  test('by HEAD gets the response to GET without a body', async () => {
    const response = await service.call('HEAD', '/graphql?query=%7Bhello%7D');
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toMatch(/^application\/json/);
    expect(response.text).toBe('');
  });

  test('may have empty texts for what it does not use', async () => {
    const empty = { operationName: '', variables: '', extensions: '' };
    const query = '{ hello }';
    expect((await post({ query, ...empty })).json).toEqual((await post({ query })).json);
    const inUrl = await service.get(`/graphql?${new URLSearchParams({ query, ...empty })}`);
    expect(inUrl.json).toEqual((await post({ query })).json);
  });

  test('may have null in the query string for what it does not use', async () => {
    const url = `/graphql?${new URLSearchParams({ query: '{ hello }', variables: 'null', extensions: 'null' })}`;
    const { status, json } = await service.get(url);
    expect([status, json]).toEqual([200, (await post({ query: '{ hello }' })).json]);
  });

  test('is selected by operationName if the document has several', async () => {
    const query = 'query A { a: hello } query B { b: hello }';
    expect((await post({ query, operationName: 'B' })).json.data).toHaveProperty('b');
    expect((await post({ query }, modern)).status).toBe(400);
  });

  test('accepts null for absent members', async () => {
    expect((await post({ query: '{ hello }', variables: null, operationName: null, extensions: null })).status).toBe(
      200,
    );
  });

  test('can be sent to /graphql/ too', async () => {
    expect((await service.post('/graphql/', { query: '{ hello }' })).status).toBe(200);
  });

  test('of introspection requires no token', async () => {
    const response = await post({ query: getIntrospectionQuery() }, {}, null);
    expect(response.json.data.__schema.queryType.name).toBe('Query');
  });
});

describe('an invalid query', () => {
  const wrong: [string, object, string][] = [
    ['with a syntax error', { query: '{' }, 'GRAPHQL_PARSE_FAILED'],
    ['with an unknown field', { query: '{ nothing }' }, 'GRAPHQL_VALIDATION_FAILED'],
    [
      'with invalid variables',
      { query: 'query($p: Int) { pages(first: $p) { totalCount } }', variables: { p: 'x' } },
      'BAD_USER_INPUT',
    ],
    ['without the named operation', { query: 'query A { hello }', operationName: 'B' }, 'OPERATION_RESOLUTION_FAILURE'],
    [
      'beyond the limits',
      { query: `{ ${Array.from({ length: 21 }, (_, i) => `a${i}: hello`).join(' ')} }` },
      'BAD_REQUEST',
    ],
  ];

  test.each(wrong)('%s gets status 400 with Accept: application/graphql-response+json', async (_, body, code) => {
    const response = await post(body, modern);
    expect([response.status, codeOf(response)]).toEqual([400, code]);
    expect(response.json).not.toHaveProperty('data');
  });

  test.each(wrong)('%s gets status 200 with Accept: application/json', async (_, body, code) => {
    const response = await post(body, legacy);
    expect([response.status, codeOf(response)]).toEqual([200, code]);
    expect(response.json).not.toHaveProperty('data');
  });
});

describe('an invalid request', () => {
  test.each([
    ['with a body that is not JSON', '{'],
    ['with an empty body', ''],
    ['with a JSON string', '"{ hello }"'],
    ['JSON that is null', 'null'],
    ['an array: there are no batches', '[{"query":"{ hello }"}]'],
    ['no query', '{"variables":{}}'],
    ['an empty query', '{"query":""}'],
    ['a query that is a number', '{"query":1}'],
    ['variables that are a text', '{"query":"{ hello }","variables":"{}"}'],
    ['variables that are an array', '{"query":"{ hello }","variables":[]}'],
    ['an operationName that is a number', '{"query":"{ hello }","operationName":1}'],
    ['extensions that are a text', '{"query":"{ hello }","extensions":"{}"}'],
  ])('%s gets status 400', async (_, body) => {
    for (const headers of [legacy, modern]) {
      const response = await raw(body, headers);
      expect(response.status).toBe(400);
      expect(codeOf(response)).toBe('BAD_REQUEST');
    }
  });

  test('with bytes that are not UTF-8 gets status 400', async () => {
    expect(
      (await raw(new Uint8Array([...new TextEncoder().encode('{"query":"{ hello }","x":"'), 0xff, 0x22, 0x7d]))).status,
    ).toBe(400);
  });

  test('by GET with variables that are not JSON gets status 400', async () => {
    expect((await service.get('/graphql?query=%7Bhello%7D&variables=%7B')).status).toBe(400);
  });

  test.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/graphql',
  ])('with content type %s gets status 415', async type => {
    expect((await raw('{"query":"{ hello }"}', { 'content-type': type })).status).toBe(415);
  });

  test.each(['PUT', 'PATCH', 'DELETE'])('by %s gets status 405 with Allow', async method => {
    const response = await service.call(method, '/graphql', { json: { query: '{ hello }' }, token: null });
    expect(response.status).toBe(405);
    expect(response.headers.get('allow')).toBe('GET, HEAD, POST, OPTIONS');
  });

  test('with a mutation by GET gets status 405, and writes nothing', async () => {
    const response = await service.get(
      `/graphql?query=${encodeURIComponent('mutation { createPage(input: { name: "By GET" }) { page { id } } }')}`,
    );
    expect(response.status).toBe(405);
    expect(response.headers.get('allow')).toBe('POST');
    const { json } = await service.graphql('{ pages(filter: { name: { eq: "By GET" } }) { totalCount } }');
    expect(json.data.pages.totalCount).toBe(0);
  });

  test('with a mutation by GET and without a token gets status 405', async () => {
    const query = encodeURIComponent('mutation { createPage(input: { name: "By GET" }) { page { id } } }');
    expect((await service.get(`/graphql?query=${query}`, { token: null })).status).toBe(405);
  });

  test('with an Accept of other types gets status 406', async () => {
    expect((await post({ query: '{ hello }' }, { accept: 'image/png' })).status).toBe(406);
  });
});

describe('the size limits', () => {
  test('accept a query of 100 KB, and answer 413 to one byte more', async () => {
    const query = `{ hello } #${' '.repeat(100 * 1024 - 11)}`;
    expect((await post({ query })).status).toBe(200);
    const response = await post({ query: `${query} ` });
    expect([response.status, codeOf(response)]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
  });

  test.each([
    ['1 MB without a token', 1, null],
    ['1 MB with one that only reads', 1, 'read'],
    ['14 MB with one that may write', 14, 'write'],
  ] as const)('answer 413 to a body over %s', async (_, megabytes, scope) => {
    const token = scope && (await createToken(service.database, 'of a large body', scopes[scope]));
    const body = (length: number) => JSON.stringify({ query: '{ hello }', variables: { x: 'x'.repeat(length) } });
    const send = (length: number) => raw(body(length), {}, token);
    const longest = megabytes * 1024 * 1024 - body(0).length;
    expect((await send(longest)).status).toBe(200);
    const response = await send(longest + 1);
    expect([response.status, codeOf(response)]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
    // Otherwise the rest of the body would be parsed as the next request.
    expect(response.headers.get('connection')).toBe('close');
  });
});

describe('a token', () => {
  const unknown = 'The token is unknown, expired or revoked. Send it as `Authorization: Bearer <token>`.';
  const malformed = 'The header must be `Authorization: Bearer <token>`.';

  test.each([
    ['Bearer nobody-has-this-one', unknown],
    ['Bearer ', malformed],
    ['Token nobody-has-this-one', malformed],
    ['nonsense', malformed],
  ])(
    'that is invalid (%s) fails the whole request with 401, even introspection, and says why',
    async (authorization, message) => {
      const response = await post({ query: '{ __typename }' }, { authorization }, null);
      expect(response.status).toBe(401);
      expect(response.headers.get('www-authenticate')).toBe('Bearer');
      expect(response.json).toEqual({ errors: [{ message, extensions: { code: 'UNAUTHENTICATED' } }] });
    },
  );

  test('that is invalid is refused before the body is read', async () => {
    expect((await raw('{', { authorization: 'Bearer nobody-has-this-one' })).status).toBe(401);
  });
});

describe('a cookie', () => {
  test('is neither read nor set', async () => {
    const { write } = service.tokens;
    const headers = {
      cookie: `token=${write}; access_token=${write}; authorization=Bearer ${write}; session=${write}`,
    };
    const query = 'mutation { createPage(input: { name: "By cookie" }) { page { id } } }';
    const response = await post({ query }, headers, null);
    expect(codeOf(response)).toBe('UNAUTHENTICATED');
    const read = await service.get('/graphql?query=%7Bpages%7BtotalCount%7D%7D', { token: null, headers });
    expect(codeOf(read)).toBe('UNAUTHENTICATED');
    expect([response, read].map(one => one.headers.get('set-cookie'))).toEqual([null, null]);
  });
});

describe('other origins', () => {
  test('can send a preflight request without a token', async () => {
    const response = await service.call('OPTIONS', '/graphql', {
      token: null,
      headers: { origin: 'https://example.org', 'access-control-request-method': 'POST' },
    });
    expect(response.status).toBe(204);
    expect(response.text).toBe('');
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'GET, POST, PUT, PATCH, DELETE, OPTIONS',
      'access-control-allow-headers': expect.stringContaining(
        'Authorization, Content-Type, X-HTTP-Method-Override, X-Plugin-Ping, Idempotency-Key, If-Match, If-None-Match',
      ),
      'access-control-max-age': '600',
    });
  });

  test('can send any header of their libraries, and no credentials of the browser', async () => {
    for (const path of ['/graphql', '/v1/hello']) {
      const { headers } = await service.call('OPTIONS', path, {
        token: null,
        headers: {
          origin: 'https://example.org',
          'access-control-request-method': 'POST',
          'access-control-request-headers':
            'apollographql-client-name,content-type, traceparent,x-request-id,"no name",é',
        },
      });
      expect(headers.get('access-control-allow-headers')).toBe(
        'Authorization, Content-Type, X-HTTP-Method-Override, X-Plugin-Ping, Idempotency-Key, If-Match, ' +
          'If-None-Match, apollographql-client-name, traceparent, x-request-id',
      );
      expect(headers.get('access-control-allow-credentials')).toBeNull();
    }
  });

  test.each([
    ['a response', '{ hello }', 'write', 200],
    ['an error', '{', 'write', 200],
    ['a 401', '{ hello }', 'nobody', 401],
  ])('can read %s', async (_, query, token, status) => {
    const response = await post({ query }, {}, token === 'write' ? service.tokens.write : token);
    expect(response.status).toBe(status);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-expose-headers':
        'ETag, Location, Retry-After, Allow, Idempotency-Replayed, WWW-Authenticate, X-Request-Id, RateLimit, RateLimit-Policy',
      'cache-control': 'private, no-cache',
      'x-content-type-options': 'nosniff',
      'x-request-id': expect.stringMatching(/^[\da-f-]{36}$/),
    });
    expect(response.headers.get('vary')).toMatch(/Authorization.*Origin/);
  });
});

describe('GraphiQL', () => {
  const browser = {
    token: null,
    headers: { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' },
  };

  test('is served to a browser at /graphql, and loads nothing from another origin', async () => {
    const page = await service.get('/graphql', browser);
    expect(page.status).toBe(200);
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(page.text).not.toMatch(/https?:|\/\//);
    const policy = page.headers.get('content-security-policy')!;
    expect(policy).toMatch(/^default-src 'none'; script-src 'self';/);
    expect(policy).not.toMatch(/https?:|\*|unsafe-eval/);
  });

  const assetPaths = async (): Promise<string[]> => {
    const page = await service.get('/graphql', browser);
    return [...page.text.matchAll(/(?:src|href)="(\/[^"]*)"/g)].map(([, path]) => path!);
  };

  test('gets immutable assets from its own origin', async () => {
    const paths = await assetPaths();
    expect(paths).toEqual([
      expect.stringMatching(/^\/graphql\/assets\/index-[\w-]{8}\.js$/),
      expect.stringMatching(/^\/graphql\/assets\/index-[\w-]{8}\.css$/),
    ]);
    const start = await service.get(paths[0]!);
    const loaded = [...start.text.matchAll(/\w+-[\w-]{8}\.(?:js|css)/g)].map(([name]) => `/graphql/assets/${name}`);
    // The editor, its styles and its workers.
    expect(loaded).toHaveLength(5);
    for (const path of [...paths, ...loaded]) {
      const asset = await service.get(path, { token: null });
      expect([path, asset.status]).toEqual([path, 200]);
      expect(asset.headers.get('content-type')).toMatch(path.endsWith('.css') ? /^text\/css/ : /^text\/javascript/);
      expect(asset.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
      const etag = asset.headers.get('etag')!;
      const cached = await service.get(path, { token: null, headers: { 'if-none-match': etag } });
      expect([cached.status, cached.text]).toEqual([304, '']);
      const other = await service.get(path, { token: null, headers: { 'if-none-match': etag.replace(/^"/, '"x') } });
      expect(other.status).toBe(200);
      const plain = await service.get(path, { token: null, headers: { 'accept-encoding': 'identity' } });
      expect([plain.headers.get('content-encoding'), plain.text]).toEqual([null, asset.text]);
    }
  });

  test('has a field for the token, and the examples in its script', async () => {
    expect((await service.get('/graphql', browser)).text).toContain('<label for="token">Token</label>');
    const [start] = await assetPaths();
    const { text } = await service.get(start!, { token: null });
    for (const name of ['Preview', 'OpenIncident', 'ApplyTemplate']) expect(text).toContain(`${name}(`);
  });

  test('is not served to a browser that sends a query', async () => {
    const response = await service.get('/graphql?query=%7Bhello%7D', { headers: browser.headers });
    expect(response.json.data.hello).toMatch(/^Hello/);
  });

  test('has no other assets, and serves them to GET and HEAD only', async () => {
    expect((await service.get('/graphql/assets/package.json')).status).toBe(404);
    expect((await service.get('/graphql/assets/..%2f..%2fpackage.json')).status).toBe(404);
    expect((await service.get('/graphql/assets/constructor')).status).toBe(404);
    expect((await service.get('/graphql/assets/index-01234567.js')).status).toBe(404);
    const [path] = await assetPaths();
    expect((await service.call('HEAD', path!)).status).toBe(200);
    expect((await service.post(path!)).status).toBe(405);
  });
});
