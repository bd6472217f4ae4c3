import { describe, expect, test } from '@jest/globals';
import {
  expectSameNotFound,
  inputFormats,
  anyTimestamp,
  invalidBody,
  sendAs,
  versionAt,
} from '../../support/record-rules.js';
import { createPage } from '../../support/factories.js';
import { useService } from '../../support/service.js';

const service = useService();

const domainPath = (page: string) => `/v1/pages/${page}/custom_domain`;
const claim = (page: string, domain: unknown) => service.post(domainPath(page), { domain });
const verify = (page: string) =>
  service.database.query('update custom_domain set verified_at = now() where page_id = $1', [page]);
const ageClaim = (page: string, days: number) =>
  service.database.query(
    'update custom_domain set claimed_at = now() - make_interval(days => $2::integer) where page_id = $1',
    [page, days],
  );
const expectedRecord = (page: string, domain: string) => ({
  type: 'CNAME',
  from: domain,
  to: `${page}.localhost`,
  created_at: anyTimestamp,
  updated_at: anyTimestamp,
});

describe('claiming a domain', () => {
  test('answers with the DNS record to create', async () => {
    const { id: page } = await createPage(service);
    const response = await claim(page, 'status.acme.example');
    expect([response.status, response.json]).toEqual([201, { response: expectedRecord(page, 'status.acme.example') }]);
    expect(Object.keys(response.json.response)).toEqual(['type', 'from', 'to', 'created_at', 'updated_at']);
    expect(response.headers.get('location')).toBe(domainPath(page));
    expect((await service.get(domainPath(page))).text).toBe(response.text);
    expect((await service.get(`/v1/pages/${page}/custom-domain/`)).text).toBe(response.text);
  });

  test.each(inputFormats)('accepts %s', async form => {
    const { id: page } = await createPage(service);
    const { status, json } = await sendAs(service, form, 'POST', domainPath(page), { domain: 'status.acme.example' });
    expect([status, json.response.from]).toEqual([201, 'status.acme.example']);
  });

  test('accepts the record as it was read, and prefers the field domain', async () => {
    const { id: page } = await createPage(service);
    const record = (await claim(page, 'status.acme.example')).json.response;
    const again = await service.post(domainPath(page), record);
    expect([again.status, again.json.response]).toEqual([201, expectedRecord(page, 'status.acme.example')]);
    expect((await service.post(domainPath(page), { ...record, domain: 'other.acme.example' })).json.response.from).toBe(
      'other.acme.example',
    );
  });

  test('converts it to lower case', async () => {
    expect((await claim((await createPage(service)).id, ' Status.ACME.Example ')).json.response.from).toBe(
      'status.acme.example',
    );
  });

  test('replaces the previous claim, verified or not', async () => {
    const { id: page } = await createPage(service);
    for (const domain of ['one.acme.example', 'two.acme.example']) expect((await claim(page, domain)).status).toBe(201);
    await verify(page);
    const { status, json } = await claim(page, 'three.acme.example');
    expect([status, json.response.from]).toEqual([201, 'three.acme.example']);
    expect(await service.database.query('select verified_at from custom_domain where page_id = $1', [page])).toEqual([
      { verified_at: null },
    ]);
  });

  test.each([
    ['no domain', undefined, "can't be blank"],
    ['a blank domain', '  ', "can't be blank"],
    ['null', null, "can't be blank"],
    ['a list', ['a.example'], 'is invalid'],
    ['a name without a dot', 'acme', 'is invalid'],
    ['a URL', 'https://status.acme.example', 'is invalid'],
    ['a name with a port', 'status.acme.example:80', 'is invalid'],
    ['an IP address', '192.0.2.1', 'is invalid'],
    ['an IPv6 address', '[2001:db8::1]', 'is invalid'],
    ['a wildcard', '*.acme.example', 'is invalid'],
    ['the base host of the service', 'localhost', 'is invalid'],
    ['a name under the base host of the service', 'status.LOCALHOST', 'is invalid'],
    ['a name with a label too long for DNS', `${'a'.repeat(64)}.example`, 'is invalid'],
  ])('refuses %s', async (_, domain, message) => {
    const { id: page } = await createPage(service);
    const { status, json } = await claim(page, domain);
    expect([status, json]).toEqual([422, invalidBody({ domain: [message] })]);
    expect((await service.get(domainPath(page))).status).toBe(404);
  });
});

describe('a taken domain', () => {
  test('is one that another page has verified', async () => {
    const owner = (await createPage(service)).id;
    const other = (await createPage(service)).id;
    await claim(owner, 'taken.acme.example');
    expect((await claim(other, 'taken.acme.example')).status).toBe(201);
    await verify(owner);
    const { status, json } = await claim(other, 'Taken.acme.example');
    expect([status, json]).toEqual([422, invalidBody({ domain: ['has already been taken'] })]);
    expect((await claim(owner, 'taken.acme.example')).status).toBe(201);
  });

  test('stays verified if its page claims it again', async () => {
    const { id: page } = await createPage(service);
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

describe('a claim that is not verified within 7 days', () => {
  test('expires: the custom domain is gone, and the endpoint is the default host', async () => {
    const { id: page } = await createPage(service);
    await claim(page, 'late.acme.example');
    await ageClaim(page, 6);
    expect((await service.get(domainPath(page))).status).toBe(200);
    await ageClaim(page, 7);
    expectSameNotFound('custom domain', [await service.get(domainPath(page)), await service.delete(domainPath(page))]);
    const { response } = (await service.get(`/v1/pages/${page}?include=custom_domain`)).json;
    expect([response.endpoint, response.custom_domain]).toEqual([`${page}.localhost`, null]);
  });

  test('does not expire once it is verified', async () => {
    const { id: page } = await createPage(service);
    await claim(page, 'kept.acme.example');
    await verify(page);
    await ageClaim(page, 400);
    expect((await service.get(domainPath(page))).json.response.from).toBe('kept.acme.example');
  });
});

test('the page returns the domain as its endpoint, and can include it', async () => {
  const { id: page } = await createPage(service);
  const { response } = (await claim(page, 'named.acme.example')).json;
  const { json } = await service.get(`/v1/pages/${page}?include=custom_domain`);
  expect([json.response.endpoint, json.response.custom_domain]).toEqual(['named.acme.example', response]);
});

test('DELETE answers 204 without a body, and the domain is gone', async () => {
  const { id: page } = await createPage(service);
  await claim(page, 'gone.acme.example');
  const deleted = await service.delete(domainPath(page));
  expect([deleted.status, deleted.text]).toEqual([204, '']);
  expectSameNotFound('custom domain', [
    await service.get(domainPath(page)),
    await service.delete(domainPath(page)),
    await service.get(domainPath((await createPage(service)).id)),
  ]);
});

test('supports ETag, If-None-Match and If-Match', async () => {
  const { id: page } = await createPage(service);
  const first = (await claim(page, 'one.acme.example')).headers.get('etag')!;
  expect((await service.get(domainPath(page), { headers: { 'if-none-match': first } })).status).toBe(304);
  expect(await versionAt(service, domainPath(page))).toBe(1);
  await claim(page, 'other.acme.example');
  expect(await versionAt(service, domainPath(page))).toBe(2);
  expect((await service.delete(domainPath(page), { headers: { 'if-match': first } })).json.error).toBe(
    'precondition_failed',
  );
  const second = (await service.get(domainPath(page), { headers: { 'if-none-match': first } })).headers.get('etag')!;
  expect((await service.delete(domainPath(page), { headers: { 'if-match': second } })).status).toBe(204);
});

test('answers 404 for an unknown page', async () => {
  expectSameNotFound('page', [
    await service.get(domainPath('ffffffff')),
    await claim('ffffffff', ''),
    await service.delete(domainPath('ffffffff')),
  ]);
});

test('answers 405 to PATCH and PUT, since a domain is replaced and not changed', async () => {
  const { id: page } = await createPage(service);
  for (const method of ['PATCH', 'PUT'])
    expect((await service.call(method, domainPath(page), { json: { domain: 'a.example' } })).status).toBe(405);
});
