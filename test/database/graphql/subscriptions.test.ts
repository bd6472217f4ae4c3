import { afterEach, describe, expect, test } from '@jest/globals';
import { createClient } from 'graphql-sse';
import { scopes } from '../../../src/auth/token.service.js';
import { createComponent, createNotice, createPage, createUpdate } from '../../support/factories.js';
import { openEvents, type TestStream } from '../../support/event-stream.js';
import { startTestService, type TestRequest, useOwnService } from '../../support/service.js';
import { createToken } from '../../support/tokens.js';

const service = useOwnService({ trustedProxies: ['127.0.0.0/8'] });
const streams: TestStream[] = [];
afterEach(() => {
  for (const stream of streams.splice(0)) stream.close();
});

interface StreamOptions extends Pick<TestRequest, 'token' | 'headers'> {
  path?: string;
  operationName?: string;
}

async function open(
  query: string,
  variables: object = {},
  { path = '/graphql/stream', token = service.tokens.write, headers = {}, operationName }: StreamOptions = {},
): Promise<TestStream> {
  const stream = await openEvents(`${service.url}${path}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'text/event-stream',
      ...(token && { authorization: `Bearer ${token}` }),
      ...headers,
    },
    body: JSON.stringify({ query, variables, operationName }),
  });
  streams.push(stream);
  return stream;
}

const pageQuery = `subscription ($page: ID!, $after: String) {
  pageChanged(pageId: $page, after: $after) { cursor page { id name state } }
}`;
const cursorOf = async (stream: TestStream): Promise<string> => (await stream.next())!.json.data.pageChanged.cursor;
const codeOf = async (stream: TestStream): Promise<string | undefined> =>
  (await stream.next())!.json.errors?.[0].extensions.code;
const rename = (path: string, name: string) => service.patch(path, { name });

test('a subscription with long variables, which would be kept while it is open, is refused', async () => {
  const page = await createPage(service);
  const stream = await open(pageQuery, { page: page.id, after: 'x'.repeat(10_001) });
  expect((await stream.next())!.json.errors).toMatchObject([
    { message: 'The variables of a subscription are longer than 10000 characters.' },
  ]);
});

test('a subscription with a long document, which would be kept while it is open, is refused', async () => {
  const page = await createPage(service);
  const stream = await open(`# ${'x'.repeat(10_000)}\n${pageQuery}`, { page: page.id });
  expect((await stream.next())!.json.errors).toMatchObject([
    { message: 'The document of a subscription is longer than 10000 characters.' },
  ]);
});

test('an event has at most 2 MB of a field', async () => {
  const page = await createPage(service);
  const notice = await createNotice(service, page.path);
  await createUpdate(service, notice.path, { content: 'x'.repeat(60_000) });
  const queryOf = (count: number) => {
    const fields = Array.from({ length: count }, (_, index) => `u${index}: content`).join(' ');
    return `subscription { noticeChanged(id: "${notice.id}") { notice { updates(first: 1) { nodes { ${fields} } } } } }`;
  };
  for (const options of [{}, { token: null }]) {
    expect(await codeOf(await open(queryOf(40), {}, options))).toBe('BAD_REQUEST');
    expect(await codeOf(await open(queryOf(30), {}, options))).toBeUndefined();
  }
});

test('an open stream does not count in the memory of bodies', async () => {
  const { settings, database } = service;
  const small = await startTestService(settings, { database, bodyLimitOptions: { maxBytes: 200_000 } });
  const { id } = await createPage(service);
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${service.tokens.read}` };
  const toBody = (query: string, length: number) =>
    JSON.stringify({ query, variables: { page: id }, extensions: { padding: 'x'.repeat(length) } });
  const stream = await openEvents(`${small.url}/graphql/stream`, {
    method: 'POST',
    headers: { ...headers, accept: 'text/event-stream' },
    body: toBody(pageQuery, 150_000),
  });
  expect(await cursorOf(stream)).toBe('1');
  const body = toBody('query ($page: ID!) { page(id: $page) { id } }', 100_000);
  const response = await fetch(`${small.url}/graphql`, { method: 'POST', headers, body });
  expect([response.status, await response.json()]).toEqual([200, { data: { page: { id } } }]);
  stream.close();
  await small.stop();
});

describe('pageChanged', () => {
  test('is read by the client of graphql-sse: the page as it is, and again when something on it changes', async () => {
    const page = await createPage(service);
    const client = createClient({
      url: `${service.url}/graphql/stream`,
      headers: { authorization: `Bearer ${service.tokens.read}` },
      retryAttempts: 0,
    });
    const events = client.iterate<{ pageChanged: { cursor: string; page: { state: string } } }>({
      query: pageQuery,
      variables: { page: page.id },
    });
    const next = async () => (await events.next()).value!.data!.pageChanged;
    const first = await next();
    expect(first).toEqual({ cursor: '1', page: { id: page.id, name: page.name, state: 'OPERATIONAL' } });
    await createNotice(service, page.path, { subject: 'Slow' });
    expect(await next()).toMatchObject({ cursor: '2', page: { state: 'DEGRADED' } });
    await events.return!();
    client.dispose();
  });

  test('has the cursor as the id of the event, in a stream that proxies pass on', async () => {
    const { id } = await createPage(service);
    const stream = await open(pageQuery, { page: id });
    expect(stream.status).toBe(200);
    expect(Object.fromEntries(stream.headers)).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
      'access-control-allow-origin': '*',
    });
    expect(stream.headers.has('content-length')).toBe(false);
    expect(await stream.next()).toMatchObject({ id: '1', event: 'next' });
  });

  test.each([
    ['the argument after', (cursor: string) => [{ after: cursor }, {}]],
    ['the header Last-Event-ID', (cursor: string) => [{}, { 'last-event-id': cursor }]],
  ])('continues by %s: what was missed arrives at once, and nothing twice', async (_, resume) => {
    const page = await createPage(service);
    const open1 = await open(pageQuery, { page: page.id });
    const cursor = await cursorOf(open1);
    open1.close();
    await rename(page.path, 'Missed');
    const continueFrom = (from: string) => {
      const [variables, headers] = resume(from) as [object, Record<string, string>];
      return open(pageQuery, { page: page.id, ...variables }, { headers });
    };
    const behind = await (await continueFrom(cursor)).next();
    expect(behind!.json.data.pageChanged.page.name).toBe('Missed');

    const current = await continueFrom(behind!.id!);
    await rename(page.path, 'Later');
    expect((await current.next())!.json.data.pageChanged.page.name).toBe('Later');
  });

  test('can be opened by GET, as EventSource of browsers does, at /graphql too', async () => {
    const page = await createPage(service);
    const parameters = new URLSearchParams({ query: pageQuery, variables: JSON.stringify({ page: page.id }) });
    for (const path of ['/graphql', '/graphql/stream']) {
      const stream = await openEvents(`${service.url}${path}?${parameters}`, {
        headers: { accept: 'text/event-stream' },
      });
      streams.push(stream);
      expect((await stream.next())!.json.data.pageChanged.page.id).toBe(page.id);
    }
  });

  test('is opened where a client accepts JSON too, as urql does', async () => {
    const page = await createPage(service);
    const accept = 'application/graphql-response+json, application/json, text/event-stream, multipart/mixed';
    const options = { path: '/graphql', headers: { accept } };
    expect((await (await open(pageQuery, { page: page.id }, options)).next())!.id).toBe('1');
    const query = await open('{ hello }', {}, options);
    expect(query.headers.get('content-type')).toBe('application/graphql-response+json; charset=utf-8');
  });

  test('reads a document once for all its clients at each change', async () => {
    const page = await createPage(service);
    const { read } = service.database;
    let reads = 0;
    service.database.read = (text, values) => {
      if (text.includes('from page p0')) reads += 1;
      return read(text, values);
    };
    try {
      const opened = await Promise.all(
        Array.from({ length: 10 }, (_, index) => open(pageQuery, { page: page.id, after: String(-index) })),
      );
      for (const stream of opened) await stream.next();
      reads = 0;
      await rename(page.path, 'Once');
      for (const stream of opened) expect((await stream.next())!.json.data.pageChanged.page.name).toBe('Once');
    } finally {
      service.database.read = read;
    }
    // One of them is the response to the PATCH.
    expect(reads).toBe(2);
  });

  test('does not share events between clients whose other variables differ', async () => {
    const page = await createPage(service);
    await createComponent(service, page.path, { name: 'API' });
    const query = `subscription ($page: ID!, $name: String!) {
      pageChanged(pageId: $page) { page { components(filter: { name: { eq: $name } }) { nodes { name } } } }
    }`;
    const one = await open(query, { page: page.id, name: 'API' });
    const other = await open(query, { page: page.id, name: 'x' });
    expect((await one.next())!.json.data.pageChanged.page.components.nodes).toEqual([{ name: 'API' }]);
    expect((await other.next())!.json.data.pageChanged.page.components.nodes).toEqual([]);
  });

  test('ends with NOT_FOUND when the page is deleted, and at once if there is none', async () => {
    const page = await createPage(service);
    const stream = await open(pageQuery, { page: page.id });
    await stream.next();
    await service.delete(page.path);
    for (const ended of [stream, await open(pageQuery, { page: 'ffffffff' }), await open(pageQuery, { page: '\0' })]) {
      const event = await ended.next();
      expect(event!.json.errors[0].extensions.code).toBe('NOT_FOUND');
      expect(event!.json.data).toEqual({ pageChanged: null });
      expect(await ended.next()).toMatchObject({ event: 'complete', data: '' });
      expect(await ended.next()).toBeNull();
    }
  });
});

describe('noticeChanged', () => {
  const query = `subscription ($page: ID!, $id: ID!) {
    noticeChanged(pageId: $page, id: $id) { cursor notice { subject updates { nodes { content } } } }
  }`;

  test('follows one notice and its updates, and no other', async () => {
    const page = await createPage(service);
    const notice = await createNotice(service, page.path, { subject: 'Slow', initial_comment: 'One' });
    const other = await createNotice(service, page.path, { subject: 'Other' });
    const stream = await open(query, { page: page.id, id: String(notice.id) });
    expect((await stream.next())!.json.data.noticeChanged.notice).toEqual({
      subject: 'Slow',
      updates: { nodes: [{ content: 'One' }] },
    });
    await service.patch(other.path, { subject: 'Another' });
    await createUpdate(service, notice.path, { content: 'Two' });
    expect((await stream.next())!.json.data.noticeChanged.notice.updates.nodes).toEqual([
      { content: 'One' },
      { content: 'Two' },
    ]);
    await service.delete(notice.path);
    expect((await stream.next())!.json.errors[0].extensions.code).toBe('NOT_FOUND');
  });

  test('needs no page: the id identifies the notice', async () => {
    const page = await createPage(service);
    const notice = await createNotice(service, page.path, { subject: 'Slow' });
    const byId = 'subscription ($id: ID!) { noticeChanged(id: $id) { notice { subject } } }';
    const stream = await open(byId, { id: String(notice.id) }, { token: null });
    expect((await stream.next())!.json.data.noticeChanged.notice.subject).toBe('Slow');
    await service.patch(notice.path, { subject: 'Slower' });
    expect((await stream.next())!.json.data.noticeChanged.notice.subject).toBe('Slower');
    const elsewhere = await open(query, { page: (await createPage(service)).id, id: String(notice.id) });
    expect((await elsewhere.next())!.json.errors[0].extensions.code).toBe('NOT_FOUND');
  });

  test.each(['0', '-1', 'x', '99999999999'])('of the id %s is NOT_FOUND', async id => {
    const page = await createPage(service);
    const event = await (await open(query, { page: page.id, id })).next();
    expect(event!.json.errors[0].extensions.code).toBe('NOT_FOUND');
  });
});

test('publicationProgress follows the deliveries of a publication, which no change of the page announces', async () => {
  const page = await createPage(service);
  await createNotice(service, page.path, { should_publish: true });
  const { json } = await service.graphql(`{ publications(pageId: "${page.id}") { nodes { id } } }`);
  const [{ id }] = json.data.publications.nodes;
  const query = `subscription { publicationProgress(id: "${id}") { cursor publication { fannedOutAt } } }`;
  expect(await codeOf(await open(query, {}, { token: null }))).toBe('UNAUTHENTICATED');
  const stream = await open(query);
  expect((await stream.next())!.json.data.publicationProgress.publication.fannedOutAt).toBeNull();
  await service.database.query('update publication set fanned_out_at = clock_timestamp() where id = $1', [id]);
  expect((await stream.next())!.json.data.publicationProgress.publication.fannedOutAt).toMatch(/^2/);
});

describe('access', () => {
  test('covers an event of a cursor alone: of a record that is not there, or on a page of others, it is NOT_FOUND', async () => {
    const mine = await createPage(service);
    const other = await createPage(service);
    const notice = await createNotice(service, other.path, { should_publish: true });
    const { json } = await service.graphql(`{ publications(pageId: "${other.id}") { nodes { id } } }`);
    const token = await createToken(service.database, 'of a page', { role: 'viewer', pageIds: [mine.id] });
    const fields = [
      'pageChanged(pageId: "ffffffff")',
      `pageChanged(pageId: "${other.id}")`,
      `noticeChanged(id: "${notice.id}")`,
      `publicationProgress(id: "${json.data.publications.nodes[0].id}")`,
    ];
    for (const field of fields) {
      const stream = await open(`subscription { ${field} { cursor } }`, {}, { token });
      expect([field, await codeOf(stream)]).toEqual([field, 'NOT_FOUND']);
    }
    const stream = await open('subscription { pageChanged(pageId: "ffffffff") { cursor } }');
    expect((await stream.next())!.json.errors[0].extensions.code).toBe('NOT_FOUND');
  });

  test('is checked when a stream is opened, even if the client has the latest event', async () => {
    const page = await createPage(service);
    const query = `subscription { pageChanged(pageId: "${page.id}", after: "1") { page { subscribers { nodes { id } } } } }`;
    const stream = await open(query, {}, { token: null });
    expect((await stream.next())!.json.errors[0].extensions.code).toBe('UNAUTHENTICATED');
    expect((await stream.next())!.event).toBe('complete');
  });

  test('without a token has what ANONYMOUS_READS opens, and an invalid token is refused', async () => {
    const page = await createPage(service);
    expect((await (await open(pageQuery, { page: page.id }, { token: null })).next())!.id).toBe('1');
    expect(await codeOf(await open(pageQuery, { page: page.id }, { token: 'nobody' }))).toBe('UNAUTHENTICATED');
  });

  test('ends with the token, wherever it was revoked', async () => {
    const page = await createPage(service);
    const token = await createToken(service.database, 'to revoke', scopes.read);
    const stream = await open(pageQuery, { page: page.id }, { token });
    await stream.next();
    await service.database.query(`update token set revoked_at = clock_timestamp() where label = 'to revoke'`);
    expect((await stream.next())!.json.errors[0].extensions.code).toBe('UNAUTHENTICATED');
    expect((await stream.next())!.event).toBe('complete');
    expect(await stream.next()).toBeNull();
  });

  describe('without a token', () => {
    const from = (address: string) => ({ token: null, headers: { 'x-forwarded-for': address } });
    const document = (pageId: string, name: string) =>
      `subscription ${name} { pageChanged(pageId: "${pageId}") { cursor } }`;

    test('covers 50 different documents of a record', async () => {
      const { id } = await createPage(service);
      const statuses: number[] = [];
      for (const index of Array.from({ length: 51 }).keys()) {
        const address = `192.0.2.${Math.floor(index / 5)}`;
        statuses.push((await open(document(id, `d${index}`), {}, from(address))).status);
      }
      expect(statuses).toEqual([...Array(50).fill(200), 429]);
      expect((await open(document(id, 'd0'), {}, from('192.0.2.99'))).status).toBe(200);
      expect((await open(document(id, 'd50'))).status).toBe(200);
    });

    test('leaves places to the documents of other networks', async () => {
      const { id } = await createPage(service);
      const statuses: number[] = [];
      for (const index of Array.from({ length: 6 }).keys())
        statuses.push((await open(document(id, `d${index}`), {}, from(`2001:db8:0:${index}::1`))).status);
      expect(statuses).toEqual([...Array(5).fill(200), 429]);
      expect((await open(document(id, 'd6'), {}, from('2001:db8:1::1'))).status).toBe(200);
      expect((await open(document(id, 'd0'), {}, from('2001:db8::1'))).status).toBe(200);
    });
  });
});

describe('a stream', () => {
  test('of a query or mutation has its result and ends, as the protocol of graphql-sse says', async () => {
    const query = await open('{ hello }');
    expect(await query.next()).toMatchObject({ event: 'next', json: { data: { hello: expect.any(String) } } });
    expect(await query.next()).toMatchObject({ event: 'complete' });
    expect(await query.next()).toBeNull();
    const { id } = await createPage(service);
    const mutation = await open(
      `mutation { createComponent(pageId: "${id}", input: { name: "API" }) { component { name } } }`,
    );
    expect((await mutation.next())!.json.data.createComponent.component.name).toBe('API');
  });

  test.each([
    ['a syntax error', '{', {}],
    ['an unknown field', 'subscription { nothing }', {}],
    [
      'two fields',
      'subscription { pageChanged(pageId: "1") { cursor } noticeChanged(pageId: "1", id: "1") { cursor } }',
      {},
    ],
    ['invalid variables', pageQuery, {}],
    ['no field', 'subscription { pageChanged(pageId: "1") @skip(if: true) { cursor } }', {}],
    ['a field for which the caller has no rights', 'subscription { pagesChanged { cursor } }', {}, null],
    ['an invalid token', pageQuery, {}, 'nobody'],
  ])(
    'with %s is refused in an event and ends, so that the client of graphql-sse does not repeat it',
    async (_, query, variables, token = service.tokens.write as string | null) => {
      for (const path of ['/graphql', '/graphql/stream']) {
        let requests = 0;
        const client = createClient({
          url: `${service.url}${path}`,
          headers: token ? { authorization: `Bearer ${token}` } : {},
          retryAttempts: 1,
          retry: async () => {},
          fetchFn: (...request: Parameters<typeof fetch>) => {
            requests += 1;
            return fetch(...request);
          },
        });
        const results = [];
        for await (const result of client.iterate({ query, variables })) results.push(result);
        expect([results, requests]).toEqual([[{ errors: [expect.anything()] }], 1]);
        client.dispose();
      }
    },
  );

  test('is required of subscriptions', async () => {
    const response = await service.graphql(pageQuery, { page: 'ffffffff' });
    expect([response.status, response.json.errors[0].extensions.code]).toEqual([406, 'BAD_REQUEST']);
  });

  test('of a mutation by GET is refused', async () => {
    const query = encodeURIComponent('mutation { createPage(input: { name: "By GET" }) { page { id } } }');
    const { text } = await service.get(`/graphql/stream?query=${query}`);
    expect(text).toContain('Send a mutation by POST.');
    expect(
      (await service.graphql('{ pages(filter: { name: { eq: "By GET" } }) { totalCount } }')).json.data.pages,
    ).toEqual({ totalCount: 0 });
  });
});

describe('without a token', () => {
  const setVisibility = (id: string, visibility: string) =>
    service.database.query('update page set visibility = $2 where id = $1', [id, visibility]);
  const anonymously = { token: null };
  const cursorQuery = 'subscription ($page: ID!) { pageChanged(pageId: $page) { cursor } }';
  const noticeQuery = 'subscription ($page: ID, $id: ID!) { noticeChanged(pageId: $page, id: $id) { cursor } }';

  test.each(['password', 'email_domain', 'members'])('nothing follows a page of visibility %s', async visibility => {
    const page = await createPage(service);
    const { id } = await createNotice(service, page.path);
    await setVisibility(page.id, visibility);
    expect(await codeOf(await open(cursorQuery, { page: page.id }, anonymously))).toBe('NOT_FOUND');
    expect(await codeOf(await open(noticeQuery, { page: page.id, id: String(id) }, anonymously))).toBe('NOT_FOUND');
    expect(await codeOf(await open(noticeQuery, { id: String(id) }, anonymously))).toBe('NOT_FOUND');
  });

  test('a stream ends when its page becomes private', async () => {
    const page = await createPage(service);
    const stream = await open(cursorQuery, { page: page.id }, anonymously);
    expect(await codeOf(stream)).toBeUndefined();
    await setVisibility(page.id, 'password');
    await rename(page.path, 'Other');
    expect(await codeOf(stream)).toBe('NOT_FOUND');
  });

  test('nothing follows a notice that ended more than 7 days ago', async () => {
    const page = await createPage(service);
    const { id } = await createNotice(service, page.path);
    const variables = { page: page.id, id: String(id) };
    expect(await codeOf(await open(noticeQuery, variables, anonymously))).toBeUndefined();
    await service.database.query(
      `update notice set state = 'resolved', ended_at = clock_timestamp() - interval '8 days' where id = $1`,
      [id],
    );
    expect(await codeOf(await open(noticeQuery, variables, anonymously))).toBe('NOT_FOUND');
    expect(await codeOf(await open(noticeQuery, variables))).toBeUndefined();
  });

  test('records of an unlisted page are found with the id of the page alone', async () => {
    const page = await createPage(service);
    const notice = await createNotice(service, page.path);
    const component = await createComponent(service, page.path);
    await setVisibility(page.id, 'unlisted');
    const ask = async (query: string) => (await service.graphql(query, {}, anonymously)).json;
    const nodeIds = [`Notice:${notice.id}`, `Component:${component.id}`].map(text =>
      JSON.stringify(Buffer.from(text).toString('base64url')),
    );
    for (const query of [
      `{ notice(id: "${notice.id}") { id } }`,
      `{ component(id: "${component.id}") { id } }`,
      `{ noticeUpdates(noticeId: "${notice.id}") { totalCount } }`,
    ])
      expect((await ask(query)).errors[0].extensions.code).toBe('NOT_FOUND');
    expect((await ask(`{ nodes(nodeIds: [${nodeIds}]) { nodeId } }`)).data).toEqual({ nodes: [null, null] });
    expect(await codeOf(await open(noticeQuery, { id: String(notice.id) }, anonymously))).toBe('NOT_FOUND');
    expect((await ask(`{ notice(pageId: "${page.id}", id: "${notice.id}") { id } }`)).errors).toBeUndefined();
    expect(
      await codeOf(await open(noticeQuery, { page: page.id, id: String(notice.id) }, anonymously)),
    ).toBeUndefined();
  });
});
