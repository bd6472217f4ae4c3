import { describe, expect, test } from '@jest/globals';
import { inTransaction } from '../../../src/db/transaction.js';
import { query } from '../../../src/db/prepared-statements.js';
import { createComponent, createNotice, createPage } from '../../support/factories.js';
import { type TestResponse, useOwnService, useService } from '../../support/service.js';

const anonymous = { token: null };
const repeat = (count: number, write: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => write(index)).join(' ');

describe('a caller without a token', () => {
  const service = useService();
  const findPage = async () => (await createPage(service)).id;

  test.each([
    ['matches', 'updates: { content: { matches: "%a%" } }', 'updates.content.matches'],
    ['cont', 'components: { name: { cont: "a" } }', 'components.name.cont'],
  ])('cannot use %s through an association', async (_, filter, key) => {
    const page = await findPage();
    const text = `{ page(id: "${page}") { name } notices(pageId: "${page}", filter: { ${filter} }) { nodes { id } } }`;
    const { json } = await service.graphql(text, {}, anonymous);
    expect(json).toEqual({
      data: { page: { name: expect.any(String) }, notices: null },
      errors: [
        {
          message: `The filter ${key} requires a token: without one, cont and matches can be used on the records of the list, but not on associated records. Use another operator, such as eq, or send a token.`,
          locations: expect.anything(),
          path: ['notices'],
          extensions: { code: 'BAD_REQUEST' },
        },
      ],
    });
    expect((await service.graphql(text)).json).toEqual({ data: expect.objectContaining({ notices: { nodes: [] } }) });
    const wireKey = key.replaceAll('.', '_');
    const rest = `/v1/pages/${page}/notices?filter[${wireKey}]=a`;
    expect((await service.get(rest, anonymous)).json).toEqual({
      error: 'bad_request',
      error_description: expect.stringContaining(`The filter ${wireKey} requires a token`),
    });
    expect((await service.get(rest)).status).toBe(200);
  });

  test('can use matches and cont on the records of a list, and other operators through an association', async () => {
    const { id: page, path } = await createPage(service);
    const { id } = await createNotice(service, path, { subject: 'Delayed' });
    for (const filter of [
      '{ subject: { matches: "%lay%" } }',
      '{ subject: { cont: "lay" } }',
      '{ components: { name: { notEq: "x" } }, subject: { eq: "Delayed" } }',
    ]) {
      const { json } = await service.graphql(
        `{ notices(pageId: "${page}", filter: ${filter}) { nodes { id } } }`,
        {},
        anonymous,
      );
      expect(json).toEqual({ data: { notices: { nodes: [{ id: String(id) }] } } });
    }
  });

  test('is refused a query whose conditions are too much work, before anything is read', async () => {
    const list = (index: number) =>
      `a${index}: page(id: "x") { notices(first: 100, filter: { updates: { content: { notEq: "a" } }, ` +
      'subject: { notEq: "x" }, components: { name: { notEq: "zz" } } }) { nodes { subject } } }';
    const { json } = await service.graphql(`{ ${repeat(20, list)} }`, {}, anonymous);
    expect(json).toEqual({
      errors: [
        {
          message:
            'The query costs as much as 44,040 records; the limit is 25,000. Filters make up 42,000: each condition ' +
            'counts 100, through an association 1,000. Use fewer conditions or root fields. The sizes of lists ' +
            'multiply: `a0.notices` counts 100. Lower `first` or `last`.',
          extensions: { code: 'BAD_REQUEST', cost: 44_040, limit: 25_000, list: 'a0.notices' },
        },
      ],
    });
  });

  /** What a frontend shows at once: the bars with their notices, uptime, and the notices with their updates. */
  const overview = (more = '') => `query($id: ID!) { page(id: $id) { name state
    components(first: 100) { nodes { id name state uptime history(days: 90) { date status notices { subject } } } }
    open: notices(first: 20, filter: { timelineState: { eq: PRESENT } }) { nodes { subject latestUpdate { contentHtml } } }
    ${more} } }`;
  const past = `past: notices(first: 20) { nodes { subject
    updates(first: 100) { nodes { content revisions { content } } } } }`;
  const ask = async (query: string, id: string) =>
    (await service.graphql(query, { id }, { token: null, headers: { 'x-graphql-cost': '1' } })).json;

  test('gets the overview of 100 components, with the notices of each day', async () => {
    const { extensions, errors } = await ask(overview(), await findPage());
    expect([errors, extensions.cost.requested]).toEqual([undefined, 19_243]);
  });

  test('may ask for longer lists than the page has', async () => {
    const { id, path } = await createPage(service);
    for (const name of ['API', 'Mail']) await createComponent(service, path, { name });
    await createNotice(service, path, { subject: 'Slow' });
    const { data, errors, extensions } = await ask(overview(past), id);
    expect(errors).toBeUndefined();
    expect(data.page.components.nodes).toHaveLength(2);
    expect(data.page.past.nodes).toHaveLength(1);
    expect(extensions.cost.requested).toBeLessThan(1_000);
  });

  test('is refused by what the page has, or where a root field is of no page', async () => {
    const { id, path } = await createPage(service);
    for (const name of ['API', 'Mail']) await createComponent(service, path, { name });
    const days = Array.from({ length: 90 }, (_, index) => `a${index}: history(days: 90) { notices { subject } }`);
    const wide = `query($id: ID!) { page(id: $id) { components(first: 100) { nodes { ${days.join(' ')} } } } }`;
    const [error] = (await ask(wide, id)).errors;
    expect(error.extensions).toEqual({
      code: 'BAD_REQUEST',
      cost: 32_404,
      limit: 25_000,
      list: 'page.components.nodes.a0',
    });
    const elsewhere = overview(past).replace(/}$/, 'notice(id: 1) { id } }');
    expect((await ask(elsewhere, id)).errors[0].extensions.cost).toBeGreaterThan(25_000);
    // As if the page had full lists.
    expect((await ask(overview(past), 'ffffffff')).errors[0].extensions.cost).toBeGreaterThan(25_000);
  });

  test('has four queries in progress with all others, and a fifth is answered 503 at once', async () => {
    const page = await findPage();
    const statuses: number[] = [];
    const ask = async (_: unknown, index: number) => {
      const response = await service.graphql(`{ a${index}: page(id: "${page}") { name } }`, {}, anonymous);
      statuses.push(response.status);
      return response;
    };
    let responses: Promise<TestResponse>[] = [];
    await inTransaction(service.database, async em => {
      await query(em, 'lock table page in access exclusive mode');
      responses = Array.from({ length: 5 }, ask);
      const first = await Promise.race(responses);
      expect([first.status, first.headers.get('retry-after')]).toEqual([503, '1']);
      expect(first.json.errors[0].extensions.code).toBe('UNAVAILABLE');
    });
    await Promise.all(responses);
    expect(statuses).toEqual([503, 200, 200, 200, 200]);
  });

  test('gets the response of the same query in progress, which counts as one', async () => {
    const page = await findPage();
    let responses: Promise<TestResponse>[] = [];
    await inTransaction(service.database, async em => {
      await query(em, 'lock table page in access exclusive mode');
      const ask = () => service.graphql(`{ page(id: "${page}") { id } }`, {}, anonymous);
      responses = Array.from({ length: 20 }, ask);
      // Another query arrives after them.
      const others = Array.from({ length: 4 }, (_, index) =>
        service.graphql(`{ b${index}: page(id: "${page}") { id } }`, {}, anonymous),
      );
      expect((await Promise.race([...responses, ...others])).status).toBe(503);
    });
    for (const { status, json } of await Promise.all(responses))
      expect([status, json]).toEqual([200, { data: { page: { id: page } } }]);
  });

  test('has one second for a statement', async () => {
    const endless = 'select count(*)::text as body from generate_series(1, 1000000000000) as number';
    await expect(service.database.readAnonymous(endless, [])).rejects.toMatchObject({ code: '57014' });
  });
});

describe('with the default rate limit', () => {
  const service = useOwnService({ rateLimit: null, trustedProxies: ['127.0.0.0/8'] });
  const from = (address: string) => ({ token: null, headers: { 'X-Forwarded-For': address } });

  /** Each query is another one, so that none is answered from the response to another. */
  const askTimes = async (count: number, address: string, write: (index: number) => string) => {
    const statuses = [];
    for (let index = 0; index < count; index++)
      statuses.push((await service.graphql(write(index), {}, from(address))).status);
    return new Set(statuses);
  };

  test('an overview as a frontend asks for it counts as one request, whatever it could hold', async () => {
    const { id, path } = await createPage(service);
    for (let index = 0; index < 8; index++) await createComponent(service, path, { name: `Component ${index}` });
    const overview = (index: number) => `{ a${index}: page(id: "${id}") { name state
      components(first: 100) { nodes { id name state uptime history(days: 90) { date status } } }
      notices(first: 20, filter: { timelineState: { eq: PRESENT } }) { nodes { subject latestUpdate { contentHtml } } } } }`;
    expect(await askTimes(20, '192.0.2.20', overview)).toEqual(new Set([200]));
    const headers = { ...from('192.0.2.21').headers, 'X-GraphQL-Cost': '1' };
    const { extensions } = (await service.graphql(overview(0), {}, { token: null, headers })).json;
    expect(extensions.cost).toEqual({ requested: 10_243, actual: 188, remaining: 47_500, limit: 25_000 });
  });

  test('what a query did not return is not counted', async () => {
    const { id, path } = await createPage(service);
    await createComponent(service, path);
    const query = (index: number) =>
      `{ a${index}: page(id: "${id}") { components(first: 60) { nodes { history { notices { subject } } } } } }`;
    expect(await askTimes(10, '192.0.2.22', query)).toEqual(new Set([200]));
  });

  test('an expensive query counts as several requests of its address', async () => {
    const conditions = '{ components: { name: { eq: "a" }, state: { eq: OPERATIONAL } } }';
    const text = `{ ${repeat(10, index => `a${index}: notices(pageId: "x", filter: ${conditions}) { totalCount }`)} }`;
    const ask = (address: string, query = text) => service.graphql(query, {}, from(address));
    // Each costs 20,010 and so counts as nine requests of the 20 that may come at once.
    for (const _ of [1, 2]) expect((await ask('192.0.2.1')).status).toBe(200);
    const refused = await ask('192.0.2.1');
    expect(refused.status).toBe(429);
    expect(['1', '2']).toContain(refused.headers.get('retry-after'));
    expect(refused.json).toEqual({
      errors: [
        {
          message: 'Too many requests. Try again later.',
          extensions: { code: 'THROTTLED', retryAfter: expect.any(Number) },
        },
      ],
    });
    expect((await ask('192.0.2.2', '{ hello }')).status).toBe(200);
  });

  test('an answer says what remains of the requests of its address, and one with a token has no limit', async () => {
    const { id } = await createPage(service);
    const heavy = `{ page(id: "${id}") { components(first: 100) { nodes { history { notices { subject } } } } } }`;
    const { headers } = await service.graphql(heavy, {}, from('192.0.2.30'));
    // What it did not return is given back.
    expect(headers.get('ratelimit')).toMatch(/^"address";r=19;t=[12]$/);
    expect(headers.get('ratelimit-policy')).toBe('"address";q=20;w=2');
    const own = await service.graphql('{ hello }');
    expect([own.headers.get('ratelimit-policy'), own.headers.get('ratelimit')]).toEqual([null, null]);
  });

  test('requests with a token are not counted', async () => {
    const statuses = await Promise.all(Array.from({ length: 60 }, async () => (await service.get('/v1/hello')).status));
    expect(new Set(statuses)).toEqual(new Set([200]));
  });
});
