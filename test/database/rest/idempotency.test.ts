import { afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { query } from '../../../src/db/prepared-statements.js';
import { inTransaction } from '../../../src/db/transaction.js';
import { scopes } from '../../../src/auth/token.service.js';
import { hashTables } from '../../support/access-records.js';
import { createNotice, createPage } from '../../support/factories.js';
import { type TestRequest, type TestResponse, useOwnService } from '../../support/service.js';
import { createToken } from '../../support/tokens.js';

const service = useOwnService();
let page: string;
let notice: string;
let keys = 0;
beforeAll(async () => {
  page = (await createPage(service, { name: 'All' })).path;
  notice = (await createNotice(service, page)).path;
});

const newKey = () => `key ${++keys}`;
const withKey = (key: string, request: TestRequest = {}): TestRequest => ({
  ...request,
  headers: { 'Idempotency-Key': key, ...request.headers },
});
const create = (key: string, values: object = { name: key }, request: TestRequest = {}) =>
  service.post(`${page}/components`, values, withKey(key, request));
const count = async (name: string): Promise<number> =>
  (await service.get(`${page}/components?filter[name_eq]=${encodeURIComponent(name)}`)).json.count;
const replayedHeader = ({ headers }: TestResponse) => headers.get('idempotency-replayed');
const countStored = async (): Promise<number> =>
  (await service.database.query('select 1 from idempotent_response')).length;

describe('a repeated request', () => {
  test('gets the same bytes, and does nothing', async () => {
    const key = newKey();
    const first = await create(key, { name: 'Ünïcode ☃', description: 'a "quoted" \\ text' });
    await service.patch(first.headers.get('location')!, { name: 'Changed meanwhile' });
    const second = await create(key, { name: 'Ünïcode ☃', description: 'a "quoted" \\ text' });
    expect([first.status, replayedHeader(first)]).toEqual([201, null]);
    expect([second.status, second.text, replayedHeader(second)]).toEqual([201, first.text, 'true']);
    for (const name of [
      'etag',
      'location',
      'content-type',
      'content-length',
      'access-control-allow-origin',
      'cache-control',
    ]) {
      expect([name, second.headers.get(name)]).toEqual([name, first.headers.get(name)]);
    }
    expect(await count('Ünïcode ☃')).toBe(0);
  });

  test.each<[string, () => string, object]>([
    ['a page', () => '/v1/pages', { name: 'Acme' }],
    ['a notice', () => `${page}/notices`, { subject: 'Down', should_publish: true }],
    ['an update', () => `${notice}/updates`, { content: 'We look into it.', should_publish: true }],
    ['a template', () => `${page}/notice_templates`, { name: 'Outage' }],
    ['a subscriber', () => `${page}/subscribers`, { email: 'ada@acme.example' }],
    ['a custom domain', () => `${page}/custom_domain`, { domain: 'status.acme.example' }],
  ])('creates %s once', async (_, path, values) => {
    const key = newKey();
    const first = await service.post(path(), values, withKey(key));
    expect([first.status, replayedHeader(first)]).toEqual([201, null]);
    const before = await hashTables(service.database);
    const second = await service.post(path(), values, withKey(key));
    expect([second.status, second.text, replayedHeader(second)]).toEqual([201, first.text, 'true']);
    for (const name of ['etag', 'location']) expect(second.headers.get(name)).toBe(first.headers.get(name));
    expect(await hashTables(service.database)).toBe(before);
  });

  test('gets them any number of times, even after the record was deleted', async () => {
    const key = newKey();
    const first = await create(key);
    await service.delete(first.headers.get('location')!);
    for (const _ of [1, 2, 3]) expect(await create(key)).toMatchObject({ status: 201, text: first.text });
    expect(await count(key)).toBe(0);
  });

  test('can differ in the order of parameters and the notation of the path', async () => {
    const key = newKey();
    const first = await create(key, { name: key, position: 5 });
    expect(replayedHeader(await create(key, { position: 5, name: key }))).toBe('true');
    const aliased = await service.post(
      `${page.replace('/v1', '/1')}/components/`,
      { name: key, position: 5 },
      withKey(key),
    );
    expect([replayedHeader(aliased), aliased.text]).toEqual(['true', first.text]);
    expect(await count(key)).toBe(1);
  });

  test('is a new request after 24 hours', async () => {
    const key = newKey();
    await create(key);
    await service.database.query(
      `update idempotent_response set created_at = created_at - interval '24 hours 1 second'`,
    );
    const later = await create(key);
    expect([later.status, replayedHeader(later)]).toEqual([201, null]);
    expect(await count(key)).toBe(2);
  });
});

describe('an idempotency key', () => {
  test.each<[string, (key: string) => Promise<TestResponse>]>([
    ['another value', key => create(key, { name: 'other' })],
    ['an additional parameter', key => create(key, { name: key, position: 1 })],
    ['a missing parameter', key => create(key, {})],
    [
      'an additional parameter in the query string',
      key => service.post(`${page}/components?position=1`, { name: key }, withKey(key)),
    ],
  ])('is refused with different parameters: %s', async (_, send) => {
    const key = newKey();
    await create(key);
    const response = await send(key);
    expect([response.status, response.json.error]).toEqual([422, 'invalid_resource']);
    expect(response.json.messages).toEqual({ idempotency_key: [expect.any(String)] });
    expect(await count(key)).toBe(1);
    expect(replayedHeader(await create(key))).toBe('true');
  });

  test('is scoped to a path', async () => {
    const key = newKey();
    await create(key);
    const elsewhere = await service.post(`${page}/notice_templates`, { name: key }, withKey(key));
    expect([elsewhere.status, replayedHeader(elsewhere)]).toEqual([201, null]);
  });

  test('is scoped to a token', async () => {
    const key = newKey();
    await create(key);
    const other = await create(
      key,
      { name: key },
      { token: await createToken(service.database, 'other', scopes.write) },
    );
    expect([other.status, replayedHeader(other)]).toEqual([201, null]);
    expect(await count(key)).toBe(2);
  });

  test('is checked after token and scope', async () => {
    const key = newKey();
    await create(key);
    expect((await create(key, { name: key }, { token: null })).status).toBe(401);
    expect((await create(key, { name: key }, { token: 'wrong' })).status).toBe(401);
    expect((await create(key, { name: key }, { token: service.tokens.read })).status).toBe(403);
    expect((await create('x'.repeat(256), {}, { token: null })).status).toBe(401);
  });

  test('has 1 to 255 characters', async () => {
    const before = await count('long');
    for (const key of ['', 'x'.repeat(256)]) {
      const response = await create(key, { name: 'long' });
      expect([response.status, response.json.error]).toEqual([400, 'bad_request']);
    }
    expect(await count('long')).toBe(before);
    expect((await create('x', { name: 'short' })).status).toBe(201);
    expect((await create('x'.repeat(255), { name: 'longest' })).status).toBe(201);
    expect(replayedHeader(await create('x'.repeat(255), { name: 'longest' }))).toBe('true');
  });

  test('is ignored for other methods, sent or overridden', async () => {
    const path = (await create(newKey())).headers.get('location')!;
    const key = newKey();
    const before = await countStored();
    expect((await service.patch(path, { name: 'One' }, withKey(key))).status).toBe(200);
    expect((await service.patch(path, { name: 'Two' }, withKey(key))).status).toBe(200);
    const overridden = withKey(key, { headers: { 'X-HTTP-Method-Override': 'PATCH' } });
    expect((await service.post(path, { name: 'Three' }, overridden)).json.response.name).toBe('Three');
    expect((await service.post(path, { name: 'Four' }, overridden)).json.response.name).toBe('Four');
    expect((await service.get(path, withKey(key))).status).toBe(200);
    expect((await service.patch(path, { name: 'Five' }, withKey('x'.repeat(256)))).status).toBe(200);
    expect(await countStored()).toBe(before);
  });
});

describe('a refused request', () => {
  test.each<[string, number, (key: string) => Promise<TestResponse>]>([
    ['fields', 422, key => create(key, { name: '' })],
    [
      'syntax',
      400,
      key =>
        service.call(
          'POST',
          `${page}/components`,
          withKey(key, { body: '{', headers: { 'Content-Type': 'application/json' } }),
        ),
    ],
    ['a later field', 422, key => create(key, { name: key, parent_id: 999999 })],
  ])('for its %s does not use up the key', async (_, status, send) => {
    const key = newKey();
    const before = await countStored();
    expect((await send(key)).status).toBe(status);
    expect(await countStored()).toBe(before);
    const good = await create(key);
    expect([good.status, replayedHeader(good)]).toEqual([201, null]);
    expect(await count(key)).toBe(1);
  });

  test('for an unknown parent does not use up the key', async () => {
    const key = newKey();
    const before = await countStored();
    expect((await service.post('/v1/pages/00000000/components', { name: key }, withKey(key))).status).toBe(404);
    expect(await countStored()).toBe(before);
  });
});

describe('a response and its effect', () => {
  afterEach(async () => {
    service.settings.bootstrapToken = '';
    await service.database.query('drop trigger if exists refuse on idempotent_response');
  });

  test('are stored in one transaction', async () => {
    const key = newKey();
    await service.database.query(
      `create or replace function refuse() returns trigger language plpgsql as
       $$ begin raise exception 'no room for a secret'; end $$`,
    );
    await service.database.query(
      'create trigger refuse before insert on idempotent_response execute function refuse()',
    );
    const response = await create(key);
    expect([response.status, response.json]).toEqual([
      500,
      { error: 'system', error_description: 'An unknown error has occurred.' },
    ]);
    expect(await count(key)).toBe(0);
    await service.database.query('drop trigger refuse on idempotent_response');
    expect(await create(key)).toMatchObject({ status: 201 });
  });

  test('that are in progress answer 409 to the same request', async () => {
    // The bootstrap token needs no query, so that only the creation itself waits for the open transaction.
    service.settings.bootstrapToken = 'bootstrap'.repeat(4);
    const key = newKey();
    let release = () => {};
    const released = new Promise<void>(done => {
      release = done;
    });
    let signalStart = () => {};
    const started = new Promise<void>(done => {
      signalStart = done;
    });
    const transaction = inTransaction(service.database, async em => {
      await em.getConnection().execute('select 1 from page for update', [], 'all', em.getTransactionContext());
      signalStart();
      await released;
    });
    await started;
    const both = [1, 2].map(() => create(key, { name: key }, { token: service.settings.bootstrapToken }));
    // Without the conflict both would wait for the open transaction, and the test would never end.
    const first = await Promise.race([
      ...both,
      new Promise<undefined>(done => setTimeout(() => done(undefined), 20_000).unref()),
    ]);
    release();
    await transaction;
    expect([first?.status, first?.json]).toEqual([409, { error: 'conflict', error_description: expect.any(String) }]);
    expect((await Promise.all(both)).map(({ status }) => status).sort()).toEqual([201, 409]);
    expect(replayedHeader(await create(key, { name: key }, { token: service.settings.bootstrapToken }))).toBe('true');
    expect(await count(key)).toBe(1);
  });

  // Only one process uses the embedded database.
  const withSeveralProcesses = process.env.TEST_DATABASE_URL ? test : test.skip;
  withSeveralProcesses('that are in progress in another process answer 409 too', async () => {
    const key = newKey();
    await create(key);
    const [taken] = await service.database.query<{ id: string }>(
      'delete from idempotent_response where created_at = (select max(created_at) from idempotent_response) returning id',
    );
    await inTransaction(service.database, async em => {
      await query(em, 'select pg_advisory_xact_lock(hashtextextended($1, 1))', [taken!.id]);
      const response = await create(key);
      expect([response.status, response.json]).toEqual([
        409,
        { error: 'conflict', error_description: expect.any(String) },
      ]);
      expect(await count(key)).toBe(1);
    });
    expect([(await create(key)).status, await count(key)]).toEqual([201, 2]);
  });

  test('happen once for ten simultaneous requests', async () => {
    const key = newKey();
    const responses = await Promise.all(Array.from({ length: 10 }, () => create(key)));
    expect(responses.filter(response => response.status === 201 && replayedHeader(response) === null)).toHaveLength(1);
    expect(responses.filter(({ status }) => status !== 201 && status !== 409)).toEqual([]);
    expect(await count(key)).toBe(1);
  });
});
