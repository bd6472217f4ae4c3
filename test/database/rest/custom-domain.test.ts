import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { expectSameNotFound, inputForms, moment, refused, send, versionAt } from '../../support/record-rules.js';
import { startTestService, type TestService } from '../../support/service.js';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

const newPage = async (): Promise<string> => (await service.post('/v1/pages', { name: 'Acme' })).json.response.id;
const at = (page: string) => `/v1/pages/${page}/custom_domain`;
const claim = (page: string, domain: unknown) => service.post(at(page), { domain });
const verify = (page: string) =>
  service.database.query('update custom_domain set verified_at = now() where page_id = $1', [page]);
const age = (page: string, days: number) =>
  service.database.query(
    'update custom_domain set claimed_at = now() - make_interval(days => $2::integer) where page_id = $1',
    [page, days],
  );
const shown = (page: string, domain: string) => ({
  type: 'CNAME',
  from: domain,
  to: `${page}.localhost`,
  created_at: moment,
  updated_at: moment,
});

describe('claiming a domain', () => {
  test('answers with the DNS record to create', async () => {
    const page = await newPage();
    const answer = await claim(page, 'status.acme.example');
    expect([answer.status, answer.json]).toEqual([201, { response: shown(page, 'status.acme.example') }]);
    expect(Object.keys(answer.json.response)).toEqual(['type', 'from', 'to', 'created_at', 'updated_at']);
    expect(answer.headers.get('location')).toBe(at(page));
    expect((await service.get(at(page))).text).toBe(answer.text);
    expect((await service.get(`/v1/pages/${page}/custom-domain/`)).text).toBe(answer.text);
  });

  test.each(inputForms)('may be sent as %s', async form => {
    const page = await newPage();
    const { status, json } = await send(service, form, 'POST', at(page), { domain: 'status.acme.example' });
    expect([status, json.response.from]).toEqual([201, 'status.acme.example']);
  });

  test('takes a record as it was read; the domain goes before it', async () => {
    const page = await newPage();
    const record = (await claim(page, 'status.acme.example')).json.response;
    const again = await service.post(at(page), record);
    expect([again.status, again.json.response]).toEqual([201, shown(page, 'status.acme.example')]);
    expect((await service.post(at(page), { ...record, domain: 'other.acme.example' })).json.response.from).toBe(
      'other.acme.example',
    );
  });

  test('lowers its case', async () => {
    expect((await claim(await newPage(), ' Status.ACME.Example ')).json.response.from).toBe('status.acme.example');
  });

  test('replaces the claim before it, whether or not that was verified', async () => {
    const page = await newPage();
    for (const domain of ['one.acme.example', 'two.acme.example']) expect((await claim(page, domain)).status).toBe(201);
    await verify(page);
    const { status, json } = await claim(page, 'three.acme.example');
    expect([status, json.response.from]).toEqual([201, 'three.acme.example']);
    expect(await service.database.query('select verified_at from custom_domain where page_id = $1', [page])).toEqual([
      { verified_at: null },
    ]);
  });

  test.each([
    ['none', undefined, "can't be blank"],
    ['a blank one', '  ', "can't be blank"],
    ['null', null, "can't be blank"],
    ['a list', ['a.example'], 'is invalid'],
    ['a name without a dot', 'acme', 'is invalid'],
    ['an address of the web', 'https://status.acme.example', 'is invalid'],
    ['a name with a port', 'status.acme.example:80', 'is invalid'],
    ['an IP address', '192.0.2.1', 'is invalid'],
    ['an IP address of six', '[2001:db8::1]', 'is invalid'],
    ['a wildcard', '*.acme.example', 'is invalid'],
    ['our own base host', 'localhost', 'is invalid'],
    ['a name under our own base host', 'status.LOCALHOST', 'is invalid'],
    ['a name that DNS would not hold', `${'a'.repeat(64)}.example`, 'is invalid'],
  ])('refuses %s', async (_, domain, message) => {
    const page = await newPage();
    const { status, json } = await claim(page, domain);
    expect([status, json]).toEqual([422, refused({ domain: [message] })]);
    expect((await service.get(at(page))).status).toBe(404);
  });
});

describe('what is taken', () => {
  test('is only what another page has verified', async () => {
    const [owner, other] = [await newPage(), await newPage()];
    await claim(owner, 'taken.acme.example');
    expect((await claim(other, 'taken.acme.example')).status).toBe(201);
    await verify(owner);
    const { status, json } = await claim(other, 'Taken.acme.example');
    expect([status, json]).toEqual([422, refused({ domain: ['has already been taken'] })]);
    expect((await claim(owner, 'taken.acme.example')).status).toBe(201);
  });

  test('stays so for 30 days after it was given up, but for its own page', async () => {
    const [owner, other] = [await newPage(), await newPage()];
    await claim(owner, 'free.acme.example');
    await verify(owner);
    await service.delete(at(owner));
    const { status, json } = await claim(other, 'free.acme.example');
    expect([status, json]).toEqual([422, refused({ domain: ['has already been taken'] })]);
    expect((await claim(owner, 'free.acme.example')).status).toBe(201);
    await service.delete(at(owner));
    await service.database.query(
      `update domain_reservation set until = until - interval '30 days' where domain = 'free.acme.example'`,
    );
    expect((await claim(other, 'free.acme.example')).status).toBe(201);
  });

  test('stays verified when its own page claims it again', async () => {
    const page = await newPage();
    await claim(page, 'again.acme.example');
    await verify(page);
    await claim(page, 'again.acme.example');
    const [row] = await service.database.query<{ verified: boolean }>(
      'select verified_at is not null as verified from custom_domain where page_id = $1',
      [page],
    );
    expect(row).toEqual({ verified: true });
  });
});

describe('a claim that is not verified in 7 days', () => {
  test('falls: there is no custom domain any more, and the endpoint is the own one', async () => {
    const page = await newPage();
    await claim(page, 'late.acme.example');
    await age(page, 6);
    expect((await service.get(at(page))).status).toBe(200);
    await age(page, 7);
    expectSameNotFound('custom domain', [await service.get(at(page)), await service.delete(at(page))]);
    const { response } = (await service.get(`/v1/pages/${page}?include=custom_domain`)).json;
    expect([response.endpoint, response.custom_domain]).toEqual([`${page}.localhost`, null]);
  });

  test('may be made anew', async () => {
    const page = await newPage();
    await claim(page, 'anew.acme.example');
    await age(page, 8);
    expect((await claim(page, 'anew.acme.example')).status).toBe(201);
    expect((await service.get(at(page))).json.response).toEqual(shown(page, 'anew.acme.example'));
  });

  test('does not fall once it is verified', async () => {
    const page = await newPage();
    await claim(page, 'kept.acme.example');
    await verify(page);
    await age(page, 400);
    expect((await service.get(at(page))).json.response.from).toBe('kept.acme.example');
  });
});

test('the page names the domain as set, and includes it', async () => {
  const page = await newPage();
  const { response } = (await claim(page, 'named.acme.example')).json;
  const { json } = await service.get(`/v1/pages/${page}?include=custom_domain`);
  expect([json.response.endpoint, json.response.custom_domain]).toEqual(['named.acme.example', response]);
});

test('deleting it answers 204 with nothing, and then there is none', async () => {
  const page = await newPage();
  await claim(page, 'gone.acme.example');
  const deleted = await service.delete(at(page));
  expect([deleted.status, deleted.text]).toEqual([204, '']);
  expectSameNotFound('custom domain', [
    await service.get(at(page)),
    await service.delete(at(page)),
    await service.get(at(await newPage())),
  ]);
});

test('ETag, If-None-Match and If-Match hold', async () => {
  const page = await newPage();
  const first = (await claim(page, 'one.acme.example')).headers.get('etag')!;
  expect((await service.get(at(page), { headers: { 'if-none-match': first } })).status).toBe(304);
  expect(await versionAt(service, at(page))).toBe(1);
  await claim(page, 'other.acme.example');
  expect(await versionAt(service, at(page))).toBe(2);
  expect((await service.delete(at(page), { headers: { 'if-match': first } })).json.error).toBe('precondition_failed');
  const second = (await service.get(at(page), { headers: { 'if-none-match': first } })).headers.get('etag')!;
  expect((await service.delete(at(page), { headers: { 'if-match': second } })).status).toBe(204);
});

test('without its page there is none', async () => {
  expectSameNotFound('page', [
    await service.get(at('ffffffff')),
    await claim('ffffffff', ''),
    await service.delete(at('ffffffff')),
  ]);
});

test('it cannot be changed, only replaced: PATCH and PUT are no methods of it', async () => {
  const page = await newPage();
  for (const method of ['PATCH', 'PUT'])
    expect((await service.call(method, at(page), { json: { domain: 'a.example' } })).status).toBe(405);
});
