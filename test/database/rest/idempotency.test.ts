import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { settings } from '../../../src/core/config.js';
import { query } from '../../../src/db/prepared-statements.js';
import { inTransaction } from '../../../src/records/writer.js';
import { log } from '../../../src/core/logger.js';
import { createToken } from '../../../src/auth/token.service.js';
import { type Answer, type Request, startTestService, type TestService } from '../../support/service.js';

let service: TestService;
let page: string;
let keys = 0;
beforeAll(async () => {
  service = await startTestService();
  page = `/v1/pages/${(await service.post('/v1/pages', { name: 'All' })).json.response.id}`;
});
afterAll(() => service.stop());

const newKey = () => `key ${++keys}`;
const keyed = (key: string, request: Request = {}): Request => ({
  ...request,
  headers: { 'Idempotency-Key': key, ...request.headers },
});
const create = (key: string, values: object = { name: key }, request: Request = {}) =>
  service.post(`${page}/components`, values, keyed(key, request));
const count = async (name: string): Promise<number> =>
  (await service.get(`${page}/components?filter[name_eq]=${encodeURIComponent(name)}`)).json.count;
const replayed = ({ headers }: Answer) => headers.get('idempotency-replayed');
const stored = async (): Promise<number> => (await service.database.query('select 1 from idempotent_answer')).length;

describe('the same request again', () => {
  test('is answered with the very same bytes, and does nothing', async () => {
    const key = newKey();
    const first = await create(key, { name: 'Ünïcode ☃', description: 'a "quoted" \\ text' });
    await service.patch(first.headers.get('location')!, { name: 'Changed meanwhile' });
    const second = await create(key, { name: 'Ünïcode ☃', description: 'a "quoted" \\ text' });
    expect([first.status, replayed(first)]).toEqual([201, null]);
    expect([second.status, second.text, replayed(second)]).toEqual([201, first.text, 'true']);
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

  test('is answered so again and again, also when the record is gone', async () => {
    const key = newKey();
    const first = await create(key);
    await service.delete(first.headers.get('location')!);
    for (const _ of [1, 2, 3]) expect(await create(key)).toMatchObject({ status: 201, text: first.text });
    expect(await count(key)).toBe(0);
  });

  test('is the same when only the order of its parameters differs, or the way that the path is written', async () => {
    const key = newKey();
    const first = await create(key, { name: key, position: 5 });
    expect(replayed(await create(key, { position: 5, name: key }))).toBe('true');
    const aliased = await service.post(
      `${page.replace('/v1', '/1')}/components/`,
      { name: key, position: 5 },
      keyed(key),
    );
    expect([replayed(aliased), aliased.text]).toEqual(['true', first.text]);
    expect(await count(key)).toBe(1);
  });

  test.each<[string, (key: string) => Promise<Answer>]>([
    ['a page', key => service.post('/v1/pages', { name: key }, keyed(key))],
    [
      'a notice',
      key => service.post(`${page}/notices?include=updates`, { subject: key, initial_comment: 'Hm' }, keyed(key)),
    ],
    ['a template', key => service.post(`${page}/notice_templates`, { name: key }, keyed(key))],
    [
      'a subscriber',
      key => service.post(`${page}/subscribers`, { email: `${key.replace(' ', '')}@example.com` }, keyed(key)),
    ],
    ['a custom domain', key => service.post(`${page}/custom_domain`, { domain: 'status.twice.example' }, keyed(key))],
  ])('creates %s once', async (_, send) => {
    const key = newKey();
    const [first, second] = [await send(key), await send(key)];
    expect([first.status, second.status, second.text, replayed(second)]).toEqual([201, 201, first.text, 'true']);
  });

  test('after 24 hours is another request', async () => {
    const key = newKey();
    await create(key);
    await service.database.query(`update idempotent_answer set created_at = created_at - interval '24 hours 1 second'`);
    const later = await create(key);
    expect([later.status, replayed(later)]).toEqual([201, null]);
    expect(await count(key)).toBe(2);
    // What nobody can ask for any more is not kept.
    expect(await stored()).toBe(1);
  });
});

describe('a key', () => {
  test.each<[string, (key: string) => Promise<Answer>]>([
    ['another value', key => create(key, { name: 'other' })],
    ['one parameter more', key => create(key, { name: key, position: 1 })],
    ['one parameter less', key => create(key, {})],
    [
      'a parameter more in the query string',
      key => service.post(`${page}/components?position=1`, { name: key }, keyed(key)),
    ],
  ])('is refused with other parameters: %s', async (_, send) => {
    const key = newKey();
    await create(key);
    const answer = await send(key);
    expect([answer.status, answer.json.error]).toEqual([422, 'invalid_resource']);
    expect(answer.json.messages).toEqual({ idempotency_key: [expect.any(String)] });
    expect(await count(key)).toBe(1);
    expect(replayed(await create(key))).toBe('true');
  });

  test('counts within one path', async () => {
    const key = newKey();
    await create(key);
    const elsewhere = await service.post(`${page}/notice_templates`, { name: key }, keyed(key));
    expect([elsewhere.status, replayed(elsewhere)]).toEqual([201, null]);
  });

  test('counts within one token', async () => {
    const key = newKey();
    await create(key);
    const other = await create(key, { name: key }, { token: await createToken(service.database, 'other', 'write') });
    expect([other.status, replayed(other)]).toEqual([201, null]);
    expect(await count(key)).toBe(2);
  });

  test('is not looked at before token and scope', async () => {
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
      const answer = await create(key, { name: 'long' });
      expect([answer.status, answer.json.error]).toEqual([400, 'bad_request']);
    }
    expect(await count('long')).toBe(before);
    expect((await create('x', { name: 'short' })).status).toBe(201);
    expect((await create('x'.repeat(255), { name: 'longest' })).status).toBe(201);
    expect(replayed(await create('x'.repeat(255), { name: 'longest' }))).toBe('true');
  });

  test('says nothing on other methods, whether written or overridden', async () => {
    const path = (await create(newKey())).headers.get('location')!;
    const key = newKey();
    const before = await stored();
    expect((await service.patch(path, { name: 'One' }, keyed(key))).status).toBe(200);
    expect((await service.patch(path, { name: 'Two' }, keyed(key))).status).toBe(200);
    const overridden = keyed(key, { headers: { 'X-HTTP-Method-Override': 'PATCH' } });
    expect((await service.post(path, { name: 'Three' }, overridden)).json.response.name).toBe('Three');
    expect((await service.post(path, { name: 'Four' }, overridden)).json.response.name).toBe('Four');
    expect((await service.get(path, keyed(key))).status).toBe(200);
    expect((await service.patch(path, { name: 'Five' }, keyed('x'.repeat(256)))).status).toBe(200);
    expect(await stored()).toBe(before);
  });
});

describe('a request that is refused', () => {
  test.each<[string, number, (key: string) => Promise<Answer>]>([
    ['fields', 422, key => create(key, { name: '' })],
    [
      'syntax',
      400,
      key =>
        service.call(
          'POST',
          `${page}/components`,
          keyed(key, { body: '{', headers: { 'Content-Type': 'application/json' } }),
        ),
    ],
    ['a later field', 422, key => create(key, { name: key, parent_id: 999999 })],
  ])('for its %s leaves the key free', async (_, status, send) => {
    const key = newKey();
    const before = await stored();
    expect((await send(key)).status).toBe(status);
    expect(await stored()).toBe(before);
    const good = await create(key);
    expect([good.status, replayed(good)]).toEqual([201, null]);
    expect(await count(key)).toBe(1);
  });

  test('for a parent that is not there leaves the key free', async () => {
    const key = newKey();
    const before = await stored();
    expect((await service.post('/v1/pages/00000000/components', { name: key }, keyed(key))).status).toBe(404);
    expect(await stored()).toBe(before);
  });
});

describe('an answer and its effect', () => {
  afterEach(async () => {
    settings.bootstrapToken = '';
    log.level = settings.logLevel;
    await service.database.query('drop trigger if exists refuse on idempotent_answer');
  });

  test('are kept together or not at all', async () => {
    log.level = 'silent';
    const key = newKey();
    await service.database.query(
      `create or replace function refuse() returns trigger language plpgsql as $$ begin raise exception 'no room for a secret'; end $$`,
    );
    await service.database.query('create trigger refuse before insert on idempotent_answer execute function refuse()');
    const answer = await create(key);
    expect([answer.status, answer.json]).toEqual([
      500,
      { error: 'system', error_description: 'An unknown error has occurred.' },
    ]);
    expect(await count(key)).toBe(0);
    await service.database.query('drop trigger refuse on idempotent_answer');
    expect(await create(key)).toMatchObject({ status: 201 });
  });

  test('that are still to come make a conflict of the same request', async () => {
    // A token that is not looked up, so that nothing but the creation itself waits for the transaction that is held open.
    settings.bootstrapToken = 'bootstrap'.repeat(4);
    const key = newKey();
    let release = () => {};
    const held = new Promise<void>(done => {
      release = done;
    });
    let begun = () => {};
    const holding = new Promise<void>(done => {
      begun = done;
    });
    const holder = inTransaction(service.database, async em => {
      await em.getConnection().execute('select 1 from page for update', [], 'all', em.getTransactionContext());
      begun();
      await held;
    });
    await holding;
    const both = [1, 2].map(() => create(key, { name: key }, { token: settings.bootstrapToken }));
    // Without the conflict nobody is early: both wait for what is held, and the end of the test would never come.
    const early = await Promise.race([
      ...both,
      new Promise<undefined>(done => setTimeout(() => done(undefined), 20_000).unref()),
    ]);
    release();
    await holder;
    expect([early?.status, early?.json]).toEqual([409, { error: 'conflict', error_description: expect.any(String) }]);
    expect((await Promise.all(both)).map(({ status }) => status).sort()).toEqual([201, 409]);
    expect(replayed(await create(key, { name: key }, { token: settings.bootstrapToken }))).toBe('true');
    expect(await count(key)).toBe(1);
  });

  // One process has the embedded database, and knows of its own requests.
  const ofSeveralProcesses = process.env.TEST_DATABASE_URL ? test : test.skip;
  ofSeveralProcesses('that are still to come in another process make a conflict too', async () => {
    const key = newKey();
    await create(key);
    const [taken] = await service.database.query<{ id: string }>(
      'delete from idempotent_answer where created_at = (select max(created_at) from idempotent_answer) returning id',
    );
    await inTransaction(service.database, async em => {
      await query(em, 'select pg_advisory_xact_lock(hashtextextended($1, 1))', [taken!.id]);
      const answer = await create(key);
      expect([answer.status, answer.json]).toEqual([409, { error: 'conflict', error_description: expect.any(String) }]);
      expect(await count(key)).toBe(1);
    });
    expect([(await create(key)).status, await count(key)]).toEqual([201, 2]);
  });

  test('of ten requests at once come once', async () => {
    const key = newKey();
    const answers = await Promise.all(Array.from({ length: 10 }, () => create(key)));
    expect(answers.filter(answer => answer.status === 201 && replayed(answer) === null)).toHaveLength(1);
    expect(answers.filter(({ status }) => status !== 201 && status !== 409)).toEqual([]);
    expect(await count(key)).toBe(1);
  });
});
