import { afterAll, afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { scopes } from '../../../src/auth/token.service.js';
import { createPage } from '../../support/factories.js';
import { startReceiver } from '../../support/http-receiver.js';
import { type TestRequest, type TestResponse, useService } from '../../support/service.js';
import { createToken } from '../../support/tokens.js';

const service = useService();
let page: string;
let receiver: Awaited<ReturnType<typeof startReceiver>>;
let keys = 0;
beforeAll(async () => {
  page = (await createPage(service)).id;
  // Responds after a write to the same page, which an open transaction would hold.
  receiver = await startReceiver((_, response) => {
    void service.graphql(createComponent, { page, name: 'meanwhile' }).then(({ status }) => {
      response.writeHead(status).end('ok');
    });
    return undefined;
  });
});
afterAll(() => receiver.stop());

const newKey = () => `key ${++keys}`;
const createComponent = `mutation($page: ID!, $name: String!) {
  createComponent(pageId: $page, input: { name: $name }) { component { id name } page { id } }
}`;
const send = (key: string, query: string, variables: object = {}, request: TestRequest = {}) =>
  service.graphql(query, { page, ...variables }, { ...request, headers: { 'Idempotency-Key': key } });
const create = (key: string, name = key, request: TestRequest = {}) => send(key, createComponent, { name }, request);
const count = async (name: string): Promise<number> => {
  const query =
    'query($page: ID!, $name: String!) { components(pageId: $page, filter: { name: { eq: $name } }) { totalCount } }';
  return (await service.graphql(query, { page, name })).json.data.components.totalCount;
};
const isReplayed = ({ headers }: TestResponse) => headers.get('idempotency-replayed') === 'true';
const codeOf = ({ json }: TestResponse) => json.errors?.[0].extensions.code;
const countStored = async () => (await service.database.query('select 1 from idempotent_response')).length;

describe('a repeated mutation', () => {
  test('gets the same bytes, and does nothing', async () => {
    const key = newKey();
    const first = await create(key, 'Ünïcode ☃ "quoted"');
    const second = await create(key, 'Ünïcode ☃ "quoted"');
    expect([first.status, isReplayed(first), first.json.data.createComponent.component.name]).toEqual([
      200,
      false,
      'Ünïcode ☃ "quoted"',
    ]);
    expect([second.status, isReplayed(second), second.text]).toEqual([200, true, first.text]);
    expect(await count('Ünïcode ☃ "quoted"')).toBe(1);
  });

  test('notifies nobody twice', async () => {
    const key = newKey();
    const open = `mutation($page: ID!) {
      openIncident(pageId: $page, input: { subject: "Once", content: "x", shouldPublish: true }) { notice { id } }
    }`;
    const first = await send(key, open);
    const second = await send(key, open);
    expect([second.text, isReplayed(second)]).toEqual([first.text, true]);
    const id = first.json.data.openIncident.notice.id;
    expect(await service.database.query('select 1 from publication where notice_id = $1', [id])).toHaveLength(1);
  });

  test('can differ in the order of variables and in the path', async () => {
    const key = newKey();
    const first = await create(key);
    const body = { query: createComponent, variables: { name: key, page } };
    const second = await service.post('/graphql/', body, { headers: { 'Idempotency-Key': key } });
    expect([second.text, isReplayed(second)]).toEqual([first.text, true]);
  });

  test('happens once for ten simultaneous requests', async () => {
    const key = newKey();
    const responses = await Promise.all(Array.from({ length: 10 }, () => create(key)));
    expect(responses.filter(response => response.status === 200 && !isReplayed(response))).toHaveLength(1);
    for (const response of responses.filter(({ status }) => status !== 200))
      expect([response.status, codeOf(response)]).toEqual([409, 'CONFLICT']);
    expect(await count(key)).toBe(1);
  });
});

describe('an idempotency key', () => {
  test.each<[string, (key: string) => Promise<TestResponse>]>([
    ['other variables', key => create(key, 'other')],
    ['another document', key => send(key, createComponent.replace('{ id name }', '{ id }'), { name: key })],
  ])('is refused with %s', async (_, repeat) => {
    const key = newKey();
    await create(key);
    const response = await repeat(key);
    expect([response.status, response.json.errors]).toEqual([
      422,
      [
        {
          message: '`idempotencyKey` must be new, since it was used with other parameters.',
          extensions: { code: 'INVALID', path: ['idempotencyKey'] },
        },
      ],
    ]);
    expect([await count(key), await count('other')]).toEqual([1, 0]);
    expect(isReplayed(await create(key))).toBe(true);
  });

  test('is refused with another operation of the same document', async () => {
    const key = newKey();
    const query = `${createComponent.replace('mutation', 'mutation A')} ${createComponent.replace('mutation', 'mutation B')}`;
    const run = (operationName: string) =>
      service.post(
        '/graphql',
        { query, operationName, variables: { page, name: key } },
        { headers: { 'Idempotency-Key': key } },
      );
    expect((await run('A')).status).toBe(200);
    expect([(await run('B')).status, await count(key)]).toEqual([422, 1]);
  });

  test('is scoped to a token, and shared with no path of /v1', async () => {
    const key = newKey();
    await create(key);
    const other = await create(key, key, { token: await createToken(service.database, 'other', scopes.write) });
    expect(isReplayed(other)).toBe(false);
    const v1 = await service.post(
      `/v1/pages/${page}/components`,
      { name: key },
      { headers: { 'Idempotency-Key': key } },
    );
    expect([v1.status, isReplayed(v1)]).toEqual([201, false]);
    expect(await count(key)).toBe(3);
  });

  test('opens nothing without a token of scope write', async () => {
    const key = newKey();
    await create(key);
    expect((await create(key, key, { token: 'wrong' })).status).toBe(401);
    expect(codeOf(await create(key, key, { token: null }))).toBe('UNAUTHENTICATED');
    expect(codeOf(await create(key, key, { token: service.tokens.read }))).toBe('FORBIDDEN');
  });

  test('has 1 to 255 characters', async () => {
    for (const key of ['', 'x'.repeat(256)]) {
      const response = await create(key, 'long');
      expect([response.status, codeOf(response)]).toEqual([400, 'BAD_REQUEST']);
    }
    expect(await count('long')).toBe(0);
    expect((await create('x'.repeat(255), 'longest')).status).toBe(200);
    expect(isReplayed(await create('x'.repeat(255), 'longest'))).toBe(true);
  });

  test('is ignored for queries', async () => {
    const key = newKey();
    const before = await countStored();
    for (const name of ['a', 'b']) {
      const response = await send(key, `{ ${name}: hello }`);
      expect([response.status, isReplayed(response), name in response.json.data]).toEqual([200, false, true]);
    }
    expect(await countStored()).toBe(before);
  });
});

describe('a refused mutation', () => {
  test.each<[string, string, (key: string) => Promise<TestResponse>]>([
    ['for its input', 'INVALID', key => create(key, '')],
    ['for its variables', 'BAD_USER_INPUT', key => send(key, createComponent, { name: 1 })],
    ['for its document', 'GRAPHQL_VALIDATION_FAILED', key => send(key, 'mutation { nothing }')],
    ['for an unknown page', 'NOT_FOUND', key => send(key, createComponent, { page: '00000000', name: key })],
  ])('%s does not use up the key', async (_, code, refuse) => {
    const key = newKey();
    const before = await countStored();
    expect(codeOf(await refuse(key))).toBe(code);
    expect(await countStored()).toBe(before);
    expect(isReplayed(await create(key))).toBe(false);
    expect(await count(key)).toBe(1);
  });
});

describe('a document of several fields', () => {
  afterEach(() => service.database.query('drop trigger if exists refuse on component'));
  const both = `mutation($page: ID!, $one: String!, $two: String!, $three: String!) {
    one: createComponent(pageId: $page, input: { name: $one }) { component { name } }
    two: createComponent(pageId: $page, input: { name: $two }) { component { name } }
    three: createComponent(pageId: $page, input: { name: $three }) { component { name } }
  }`;

  test('is stored when one is refused, so that a retry does not repeat the others', async () => {
    const key = newKey();
    const variables = { one: `${key} 1`, two: '', three: `${key} 3` };
    const first = await send(key, both, variables);
    expect(first.json).toMatchObject({
      errors: [{ path: ['two'], extensions: { code: 'INVALID' } }],
      data: { one: { component: { name: `${key} 1` } }, two: null, three: { component: { name: `${key} 3` } } },
    });
    const second = await send(key, both, variables);
    expect([second.text, isReplayed(second)]).toEqual([first.text, true]);
    expect([await count(`${key} 1`), await count(`${key} 3`)]).toEqual([1, 1]);
  });

  test('writes nothing where it takes too long, on the embedded database by a caller with a role on a page', async () => {
    const token = await createToken(service.database, 'of a page', { role: 'owner', pageIds: [page] });
    const { embedded } = service.database;
    const now = performance.now.bind(performance);
    let passed = 0;
    const clock = jest.spyOn(performance, 'now');
    const key = newKey();
    const variables = { one: `${key} 1`, two: `${key} 2`, three: `${key} 3` };
    try {
      Object.assign(service.database, { embedded: true });
      // Each look at the clock takes as long.
      clock.mockImplementation(() => {
        passed += 400;
        return now() + passed;
      });
      const late = await send(key, both, variables, { token });
      expect(codeOf(late)).toBe('BAD_REQUEST');
    } finally {
      clock.mockRestore();
      Object.assign(service.database, { embedded });
    }
    expect(await count(`${key} 1`)).toBe(0);
    expect(isReplayed(await send(key, both, variables, { token }))).toBe(false);
    expect(await count(`${key} 1`)).toBe(1);
  });

  test('undoes one that fails in the database, and only that', async () => {
    await service.database.query(
      `create or replace function refuse() returns trigger language plpgsql as
       $$ begin if new.name = 'failing' then raise exception 'no room for a secret'; end if; return new; end $$`,
    );
    await service.database.query(
      'create trigger refuse after insert on component for each row execute function refuse()',
    );
    const key = newKey();
    const { json, text } = await send(key, both, { one: `${key} 1`, two: 'failing', three: `${key} 3` });
    expect(text).not.toContain('secret');
    expect(json.errors).toEqual([expect.objectContaining({ path: ['two'], extensions: { code: 'SYSTEM' } })]);
    expect([await count(`${key} 1`), await count('failing'), await count(`${key} 3`)]).toEqual([1, 0, 1]);
  });
});

describe('a response and its effect', () => {
  afterEach(() => service.database.query('drop trigger if exists refuse on idempotent_response'));

  test('are stored in one transaction', async () => {
    await service.database.query(
      `create or replace function refuse_answer() returns trigger language plpgsql as
       $$ begin raise exception 'no room for a secret'; end $$`,
    );
    await service.database.query(
      'create trigger refuse before insert on idempotent_response execute function refuse_answer()',
    );
    const key = newKey();
    const response = await create(key);
    expect([response.status, response.json]).toEqual([
      500,
      { errors: [{ message: 'An unknown error has occurred.', extensions: { code: 'SYSTEM' } }] },
    ]);
    expect(await count(key)).toBe(0);
  });

  test('are not in one transaction where the mutation waits for another server', async () => {
    const configure = `mutation($page: ID!, $url: String!) {
      configureChannel(pageId: $page, input: { channel: SLACK, url: $url }) { page { id } }
    }`;
    await service.graphql(configure, { page, url: receiver.url });
    const key = newKey();
    const test = 'mutation($page: ID!) { testChannel(pageId: $page, input: { channel: SLACK }) { outcome } }';
    const before = receiver.requests.length;
    const first = await send(key, test);
    const second = await send(key, test);
    expect(first.json.data.testChannel.outcome).toBe('SENT');
    expect([second.text, isReplayed(second)]).toEqual([first.text, true]);
    expect(receiver.requests.length - before).toBe(1);
  });
});
