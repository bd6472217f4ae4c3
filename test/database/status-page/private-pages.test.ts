import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { Agent } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import PQueue from 'p-queue';
import { exportPages } from '../../../src/status-page/server/export.js';
import { type MailServer, startMailServer } from '../../support/mail-server.js';
import {
  createPrivatePage,
  listRoutePaths,
  type PrivatePage,
  privateWords,
  setVisibility,
  uncachedPaths,
} from '../../support/private-pages.js';
import { signIn } from '../../support/people.js';
import { rememberKeys } from '../../support/remember-keys.js';
import { startTestService, type TestService } from '../../support/service.js';
import { codesByField } from '../../support/user-errors.js';
import { requestPage, type VisitorResponse, waitForResponse } from '../../support/visitor.js';

const publicUrl = 'http://localhost:3000';
const password = 'correct horse battery';
rememberKeys();
let service: TestService;
let mail: MailServer;
let byPassword: PrivatePage;
let byDomain: PrivatePage;
let byRole: PrivatePage;
beforeAll(async () => {
  mail = await startMailServer();
  service = await startTestService({
    publicUrl,
    dnsServers: ['127.0.0.1:1'],
    smtpUrl: mail.url,
    mailFrom: 'status@example.com',
  });
  byPassword = await createPrivatePage(service, { visibility: 'PASSWORD', password });
  byDomain = await createPrivatePage(service, { visibility: 'EMAIL_DOMAIN', emailDomains: ['Example.com'] });
  byRole = await createPrivatePage(service, { visibility: 'MEMBERS' });
});
afterAll(async () => {
  await service.stop();
  await mail.stop();
});

type Options = Parameters<typeof requestPage>[3];
const visit = ({ host }: PrivatePage, path: string, options?: Options) =>
  requestPage(service.url, host, `/${path}`, options);
const visitByPath = ({ id }: PrivatePage, path: string, options?: Options) =>
  requestPage(service.url, 'localhost:3000', `/status/${id}/${path}`, options);
const html = { accept: 'text/html' };
const submit = (page: PrivatePage, fields: Record<string, string>, headers: Record<string, string> = {}) =>
  visit(page, 'access', {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    body: new URLSearchParams(fields).toString(),
  });
const cookieOf = ({ headers }: VisitorResponse, index = 0) => headers['set-cookie']?.[index]?.split(';')[0] ?? '';
const unlock = async () => cookieOf(await submit(byPassword, { password }));
const summary = ({ status, headers }: VisitorResponse) => [status, headers['cache-control']];
const refused = [403, 'private, no-store'];
const allowed = [200, 'private, no-store'];

function expectNothingPrivate(response: VisitorResponse, path: string): void {
  const all = JSON.stringify(response.headers) + response.text;
  expect([path, privateWords.filter(word => all.includes(word))]).toEqual([path, []]);
}

// First, while there are few pages to export.
test('the export leaves private pages out unless --private is given', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'all-clear-'));
  try {
    expect(await exportPages(service, folder, true)).not.toContain('left out');
    expect(readdirSync(folder)).toContain(byPassword.id);
    const printed = await exportPages(service, folder);
    expect(printed).toContain('Private pages were left out: ');
    expect(printed).toContain(byPassword.id);
    expect(readdirSync(folder)).not.toContain(byPassword.id);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

describe('A visitor without access', () => {
  test.each<[string, () => PrivatePage]>([
    ['PASSWORD', () => byPassword],
    ['EMAIL_DOMAIN', () => byDomain],
    ['MEMBERS', () => byRole],
  ])('gets nothing of any route of a page that is %s', async (_, page) => {
    const agent = new Agent({ keepAlive: true });
    const requests = [...listRoutePaths(page().notice), ...uncachedPaths].flatMap(path =>
      [visit, visitByPath].flatMap(get =>
        [{}, html, { accept: 'text/markdown' }].map(headers => async () => {
          const response = await get(page(), path, { headers, agent });
          expect([path, ...summary(response)]).toEqual([path, ...refused]);
          expectNothingPrivate(response, path);
        }),
      ),
    );
    await new PQueue({ concurrency: 8 }).addAll(requests);
    agent.destroy();
  });

  test('gets a form that asks for no icon, which would be refused', async () => {
    const { text } = await visit(byPassword, '', { headers: html });
    expect(text.match(/<link rel="icon"[^>]*>/g)).toEqual(['<link rel="icon" href="data:,">']);
  });

  test('gets nothing by other methods', async () => {
    for (const method of ['HEAD', 'OPTIONS', 'POST', 'PUT', 'DELETE'])
      for (const path of ['', 'feed.atom', 'subscribe', 'events']) {
        const response = await visit(byPassword, path, { method });
        expect([method, path, ...summary(response)]).toEqual([method, path, ...refused]);
      }
  });

  test('gets nothing at a custom domain', async () => {
    const page = await createPrivatePage(service, { visibility: 'PASSWORD', password });
    const domain = 'private.example.org';
    await service.graphql(
      `mutation { setCustomDomain(pageId: "${page.id}", input: { domain: "${domain}" }) { page { id } } }`,
    );
    await service.database.query('update custom_domain set verified_at = now() where page_id = $1', [page.id]);
    for (const path of ['', 'feed.atom', 'api/v2/summary.json']) {
      const response = await requestPage(service.url, domain, `/${path}`);
      expect([path, ...summary(response)]).toEqual([path, ...refused]);
    }
    // Browsers reach a custom domain over https, and the host below PUBLIC_URL over http here.
    const atDomain = await requestPage(service.url, domain, '/access', {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ password }).toString(),
    });
    expect(cookieOf(atDomain)).toMatch(new RegExp(`^__Host-page-${page.id}=`));
    expect(cookieOf(await submit(page, { password }))).toMatch(new RegExp(`^page-${page.id}=`));
    expect(summary(await requestPage(service.url, domain, '/', { headers: { cookie: cookieOf(atDomain) } }))).toEqual(
      allowed,
    );
  });

  test.each([
    '{ page(id: "PAGE") { id } }',
    '{ notices(pageId: "PAGE") { nodes { id } } }',
    '{ components(pageId: "PAGE") { nodes { id } } }',
    '{ brand(pageId: "PAGE") { id } }',
    '{ notice(id: "NOTICE") { id } }',
    '{ notice(pageId: "PAGE", id: "NOTICE") { id } }',
    '{ component(id: "COMPONENT") { id } }',
    '{ noticeUpdates(noticeId: "NOTICE") { nodes { id } } }',
  ])('is answered to %s as if the page did not exist', async query => {
    const fill = (id: string, notice: string, component: string) =>
      query.replace('PAGE', id).replace('NOTICE', notice).replace('COMPONENT', component);
    const { id, notice, component } = byPassword;
    const own = fill(id, String(notice.id), String(component.id));
    const { json } = await service.graphql(own, {}, { token: null });
    const missing = await service.graphql(fill('00000000', '999999', '999999'), {}, { token: null });
    expect(json.errors[0].extensions.code).toBe('NOT_FOUND');
    expect([json.data, json.errors[0].message]).toEqual([missing.json.data, missing.json.errors[0].message]);
    expect((await service.graphql(own)).json.errors).toBeUndefined();
  });

  test('is answered by /v1 as if the page did not exist', async () => {
    const below = ['', '?include=components,notices', '/components', '/notices', '/brand'];
    const { id, notice, component } = byPassword;
    const paths = [...below, `/notices/${notice.id}`, `/notices/${notice.id}/updates`, `/components/${component.id}`];
    for (const path of paths) {
      const response = await service.get(`/v1/pages/${id}${path}`, { token: null });
      const missing = await service.get(`/v1/pages/00000000${path}`, { token: null });
      expect([path, response.status, response.json]).toEqual([path, 404, missing.json]);
      expect((await service.get(`/v1/pages/${id}${path}`)).status).toBe(200);
    }
  });

  test('sees a form with the name of the page, in the language of choice', async () => {
    const response = await visit(byPassword, 'history?lang=de', { headers: html });
    expect(response.text).toContain('Meridian');
    expect(response.text).toContain('Diese Seite ist privat');
    expect(response.text).toContain('name="to" value="history?lang=de"');
    expect(response.headers['content-security-policy']).toContain("frame-ancestors 'none'");
  });
});

describe('The password', () => {
  test('lets a browser in, to where it wanted to go', async () => {
    const response = await submit(byPassword, { password, to: 'history?lang=de' });
    expect([response.status, response.headers.location]).toEqual([303, '/history?lang=de']);
    expect(response.headers['set-cookie']![0]).toMatch(
      new RegExp(`^page-${byPassword.id}=[\\w.-]+; Path=/; HttpOnly; SameSite=Lax; Max-Age=2592000$`),
    );
    const cookie = cookieOf(response);
    for (const path of ['', 'history', 'feed.atom', 'api/v2/summary.json', 'og.png', 'favicon.svg', 'subscribe']) {
      const seen = await visit(byPassword, path, { headers: { cookie } });
      expect([path, seen.status, /private|no-store/.test(String(seen.headers['cache-control']))]).toEqual([
        path,
        200,
        true,
      ]);
    }
    expect((await visit(byPassword, '', { headers: { cookie } })).text).toContain('Leviathan');
    // What a visitor with access was answered is in no cache that others are answered from.
    expect(summary(await visit(byPassword, ''))).toEqual(refused);
  });

  test.each(['//evil.example', '/\\evil.example', 'https://evil.example', '\\evil', 'x\r\nSet-Cookie: a=b'])(
    'does not lead to %s',
    async to => {
      const { location } = (await submit(byPassword, { password, to })).headers;
      expect(new URL(String(location), 'https://here.example/').host).toBe('here.example');
    },
  );

  test.each<[string, Record<string, string>, Record<string, string>, number]>([
    ['a wrong one', { password: 'wrong' }, {}, 422],
    ['none', {}, {}, 422],
    ['one of 300 characters', { password: 'x'.repeat(300) }, {}, 422],
    ['the right one from another site', { password }, { 'sec-fetch-site': 'cross-site' }, 403],
  ])('is refused: %s', async (_, fields, headers, status) => {
    const response = await submit(byPassword, fields, headers);
    expect([response.status, response.headers['set-cookie'], response.headers['cache-control']]).toEqual([
      status,
      undefined,
      'private, no-store',
    ]);
    expectNothingPrivate(response, 'access');
  });

  test('that is changed ends the access of browsers, feeds and streams', async () => {
    const page = await createPrivatePage(service, { visibility: 'PASSWORD', password });
    const cookie = cookieOf(await submit(page, { password }));
    const addresses = (await visit(page, 'access', { headers: { cookie } })).text;
    const feed = /href="[^"]*\/(feed\.atom\?key=[^"]+)"/.exec(addresses)![1]!;
    expect((await visit(page, feed)).text).toContain('Leviathan');
    const stream = visit(page, 'events', { headers: { cookie } });
    await setVisibility(service, page.id, { visibility: 'PASSWORD', password: 'another horse' });
    await waitForResponse(
      () => visit(page, '', { headers: { cookie } }),
      ({ status }) => status === 403,
    );
    expect(summary(await visit(page, feed))).toEqual(refused);
    expect((await stream).status).toBe(200);
    expect((await submit(page, { password })).status).toBe(422);
    expect((await submit(page, { password: 'another horse' })).status).toBe(303);
  });

  test('is tried 10 times in 10 minutes', async () => {
    const page = await createPrivatePage(service, { visibility: 'PASSWORD', password });
    for (let count = 0; count < 10; count += 1) expect((await submit(page, { password: 'no' })).status).toBe(422);
    expect((await submit(page, { password })).status).toBe(429);
  });

  test('is tried 10 times in 10 minutes in all processes, and a right one does not count', async () => {
    const other = await startTestService({ publicUrl }, { database: service.database });
    try {
      const page = await createPrivatePage(service, { visibility: 'PASSWORD', password });
      const submitTo = async (url: string, entered: string) => {
        const { status, headers } = await requestPage(url, page.host, '/access', {
          method: 'POST',
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
          body: new URLSearchParams({ password: entered }).toString(),
        });
        return [status, headers['retry-after']];
      };
      const statuses = [];
      for (let count = 0; count < 11; count += 1)
        statuses.push(
          ...(await submitTo([service.url, other.url][count % 2]!, count === 5 ? password : 'no')).slice(0, 1),
        );
      expect(statuses).toEqual([...Array(5).fill(422), 303, ...Array(5).fill(422)]);
      const refusal = [429, expect.stringMatching(/^(5\d\d|600)$/)];
      for (const url of [service.url, other.url]) expect(await submitTo(url, password)).toEqual(refusal);
      await service.database.query(`update access_try set expires_at = expires_at - interval '1 day'`);
      expect(await submitTo(other.url, 'no')).toEqual([422, undefined]);
      expect(await submitTo(service.url, password)).toEqual([303, undefined]);
    } finally {
      await other.stop();
    }
  });

  test('is stored as a hash, and not in the audit log', async () => {
    const stored = JSON.stringify([
      await service.database.query('select * from page'),
      await service.database.query('select * from audit_change'),
    ]);
    expect(stored).not.toContain(password);
    const [{ hash }] = (await service.database.query<{ hash: string }>(
      'select password_hash as hash from page where id = $1',
      [byPassword.id],
    )) as [{ hash: string }];
    expect(JSON.stringify(await service.database.query('select * from audit_change'))).not.toContain(hash);
  });
});

describe('A cookie', () => {
  test.each<[string, (cookie: string) => string]>([
    ['of another page', cookie => cookie.replace(byPassword.id, byDomain.id)],
    ['that is changed', cookie => `${cookie.slice(0, -1)}${cookie.endsWith('A') ? 'B' : 'A'}`],
    ['that was sent twice', cookie => `${cookie}; ${cookie}`],
    ['that is empty', cookie => cookie.replace(/=.*/, '=')],
  ])('%s lets nobody in', async (_, change) => {
    const cookie = change(await unlock());
    for (const page of [byPassword, byDomain])
      expect(summary(await visit(page, '', { headers: { cookie } }))).toEqual(refused);
  });

  test('is no key of a feed, and a key is no cookie', async () => {
    const cookie = await unlock();
    const key = /feed\.atom\?key=([^"]+)"/.exec((await visit(byPassword, 'access', { headers: { cookie } })).text)![1]!;
    expect(summary(await visit(byPassword, `feed.atom?key=${cookie.split('=')[1]}`))).toEqual(refused);
    const swapped = `page-${byPassword.id}=${key}`;
    expect(summary(await visit(byPassword, '', { headers: { cookie: swapped } }))).toEqual(refused);
    for (const path of ['feed.rss', 'feed.json', 'calendar.ics', 'api/v1/status', 'badge.svg', 'widget.json'])
      expect([path, ...summary(await visit(byPassword, `${path}?key=${key}`))]).toEqual([path, ...allowed]);
    expect(summary(await visit(byDomain, `feed.atom?key=${key}`))).toEqual(refused);
  });
});

describe('An address of a domain', () => {
  const askFor = (email: string, headers?: Record<string, string>) => submit(byDomain, { email }, headers);
  const otherThan = (code: string) => (code === '00000000' ? '00000001' : '00000000');
  const receive = async (count: number) => {
    const deadline = Date.now() + 10_000;
    while (mail.mails.length < count && Date.now() < deadline) await service.graphql('{ viewer { kind } }');
    expect(mail.mails).toHaveLength(count);
    return /^Subject: (\d{8})/m.exec(mail.mails.at(-1)!.raw)![1]!;
  };

  test('gets a code that lets it in once', async () => {
    const count = mail.mails.length;
    const asked = await askFor('Ann@example.com');
    expect([asked.status, asked.headers['set-cookie']]).toEqual([
      200,
      [expect.stringMatching(/^page-code-[0-9a-f]{8}=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=1200$/)],
    ]);
    const code = await receive(count + 1);
    const fields = { email: 'ann@example.com', code };
    const browser = { cookie: cookieOf(asked) };
    expect((await submit(byDomain, { ...fields, code: otherThan(code) }, browser)).status).toBe(422);
    const entered = await submit(byDomain, fields, browser);
    expect(entered.status).toBe(303);
    expect(summary(await visit(byDomain, '', { headers: { cookie: cookieOf(entered) } }))).toEqual(allowed);
    expect((await submit(byDomain, fields, browser)).status).toBe(422);
  });

  test('keeps its code whatever other browsers try and request for it', async () => {
    const count = mail.mails.length;
    const email = 'cleo@example.com';
    const browser = { cookie: cookieOf(await askFor(email)) };
    const code = await receive(count + 1);
    for (let tries = 0; tries < 6; tries += 1)
      expect((await submit(byDomain, { email, code: otherThan(code) })).status).toBe(422);
    expect((await submit(byDomain, { email, code })).status).toBe(422);
    expect(cookieOf(await askFor(email))).not.toBe(browser.cookie);
    // Asked again within a minute, no other code is sent, and the one on its way stays valid.
    expect(cookieOf(await askFor(email, browser))).toBe(browser.cookie);
    expect((await submit(byDomain, { email, code }, browser)).status).toBe(303);
    expect(mail.mails).toHaveLength(count + 1);
    await service.database.query('delete from access_try');
  });

  test('gets a code in a browser that has had one, after others requested all codes of the page', async () => {
    const count = mail.mails.length;
    const email = 'dora@example.com';
    const first = { cookie: cookieOf(await askFor(email)) };
    const entered = await submit(byDomain, { email, code: await receive(count + 1) }, first);
    expect(entered.headers['set-cookie']![1]).toMatch(
      /^page-reader-[0-9a-f]{8}=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=15552000$/,
    );
    const reader = { cookie: cookieOf(entered, 1) };
    await service.database.query(
      `insert into subscription_request (page_id, method, recipient, caller, sent, created_at)
       select page_id, method, recipient, 'other ' || n, true, created_at
       from (select * from subscription_request order by id desc limit 1) last, generate_series(1, 5000) n`,
    );
    expect((await askFor(email)).status).toBe(429);
    expect((await askFor('emil@example.com', reader)).status).toBe(429);
    const asked = await askFor(email, reader);
    const browser = { cookie: `${reader.cookie}; ${cookieOf(asked)}` };
    expect((await submit(byDomain, { email, code: await receive(count + 2) }, browser)).status).toBe(303);
    await service.database.query(`delete from subscription_request where caller like 'other %'`);
  });

  test('of a domain with other letters than ASCII gets a code, however it is written', async () => {
    const page = await createPrivatePage(service, { visibility: 'EMAIL_DOMAIN', emailDomains: ['Bücher.example'] });
    for (const email of ['anna@bücher.example', 'bert@XN--Bcher-KVA.example']) {
      const count = mail.mails.length;
      const asked = await submit(page, { email });
      const entered = await submit(page, { email, code: await receive(count + 1) }, { cookie: cookieOf(asked) });
      expect(entered.status).toBe(303);
      expect(summary(await visit(page, '', { headers: { cookie: cookieOf(entered) } }))).toEqual(allowed);
    }
  });

  test('of another domain is answered the same, and gets no code', async () => {
    const count = mail.mails.length;
    const other = await askFor('eve@evil.example');
    const text = (response: VisitorResponse) => response.text.replaceAll(/eve@evil\.example|bob@example\.com/g, 'X');
    expect(text(other)).toBe(text(await askFor('bob@example.com')));
    await receive(count + 1);
    expect(mail.mails.at(-1)!.to).toEqual(['bob@example.com']);
    expect((await submit(byDomain, { email: 'eve@sub.example.com', code: '123456' })).status).toBe(422);
    expect((await submit(byDomain, { email: 'nobody' })).status).toBe(422);
  });

  test('loses the access with its domain', async () => {
    const page = await createPrivatePage(service, {
      visibility: 'EMAIL_DOMAIN',
      emailDomains: ['a.example', 'b.example'],
    });
    const count = mail.mails.length;
    const browser = { cookie: cookieOf(await submit(page, { email: 'ann@a.example' })) };
    const cookie = cookieOf(await submit(page, { email: 'ann@a.example', code: await receive(count + 1) }, browser));
    expect(summary(await visit(page, '', { headers: { cookie } }))).toEqual(allowed);
    await setVisibility(service, page.id, { visibility: 'EMAIL_DOMAIN', emailDomains: ['b.example'] });
    await waitForResponse(
      () => visit(page, '', { headers: { cookie } }),
      ({ status }) => status === 403,
    );
  });
});

describe('A person', () => {
  const signInHere = (pageIds: string[] | null) => signIn(service, 'viewer', pageIds, publicUrl);

  test('with a role sees the page with the session, and at its own host by a redirect', async () => {
    const { cookie } = await signInHere([byRole.id]);
    expect(summary(await visitByPath(byRole, '', { headers: { cookie } }))).toEqual(allowed);
    expect(summary(await visitByPath(byPassword, '', { headers: { cookie } }))).toEqual(refused);
    // The session is a cookie of the host of PUBLIC_URL alone.
    expect(summary(await visit(byRole, '', { headers: { cookie } }))).toEqual(refused);
    const links = async (response: Promise<VisitorResponse>) =>
      [...(await response).text.matchAll(/<a class="act" href="([^"]+)"/g)].map(match => match[1]);
    expect(await links(visit(byRole, 'history', { headers: html }))).toEqual([
      `${publicUrl}/status/${byRole.id}/access?enter=1`,
    ]);
    expect(await links(visitByPath(byRole, 'access?enter=1', { headers: html }))).toEqual([
      `${publicUrl}/sign-in?to=%2Fstatus%2F${byRole.id}%2Faccess%3Fenter%3D1`,
    ]);
    expect(await links(visitByPath(byRole, 'history', { headers: html }))).toEqual([
      `${publicUrl}/sign-in?to=%2Fstatus%2F${byRole.id}%2Fhistory`,
    ]);
    const enter = await visitByPath(byRole, 'access?enter=1', { headers: { cookie } });
    const target = new URL(String(enter.headers.location));
    expect([enter.status, target.host]).toEqual([303, `${byRole.id}.localhost:3000`]);
    const entered = await visit(byRole, `${target.pathname.slice(1)}${target.search}`);
    expect(entered.status).toBe(303);
    expect(summary(await visit(byRole, '', { headers: { cookie: cookieOf(entered) } }))).toEqual(allowed);
    expect(summary(await visit(byDomain, `${target.pathname.slice(1)}${target.search}`))).toEqual(refused);
  });

  test('without a role, or whose role is taken away, does not see it', async () => {
    const other = await signInHere([byPassword.id]);
    expect(summary(await visitByPath(byRole, '', { headers: { cookie: other.cookie } }))).toEqual(refused);
    const member = await signInHere([byRole.id]);
    const seen = await visitByPath(byRole, 'access', { headers: { cookie: member.cookie } });
    const feed = /href="[^"]*\/(feed\.atom\?key=[^"]+)"/.exec(seen.text)![1]!;
    expect(summary(await visit(byRole, feed))).toEqual(allowed);
    await service.database.query('delete from membership where person_id = $1', [member.personId]);
    await waitForResponse(
      () => visit(byRole, feed),
      ({ status }) => status === 403,
    );
    await waitForResponse(
      () => visitByPath(byRole, '', { headers: { cookie: member.cookie } }),
      ({ status }) => status === 403,
    );
  });
});

describe('A subscriber of a private page', () => {
  test('unsubscribes by the signed link alone', async () => {
    const subscriber = (await service.post(`/v1/pages/${byPassword.id}/subscribers`, { email: 'ann@example.com' })).json
      .response;
    const { buildLinkPath } = await import('../../../src/subscribers/signed-link.js');
    const { loadLinkKey } = await import('../../../src/auth/link-key.service.js');
    const link = { purpose: 'unsubscribe' as const, pageId: byPassword.id, subscriberId: Number(subscriber.id) };
    const path = buildLinkPath(await loadLinkKey(service.database, byPassword.id), link);
    expect((await visit(byPassword, path, { headers: html })).status).toBe(200);
    expect(summary(await visit(byDomain, path, { headers: html }))).toEqual(refused);
    const oneClick = await visit(byPassword, path, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'List-Unsubscribe=One-Click',
    });
    expect([oneClick.status, oneClick.text]).toEqual([200, 'Unsubscribed.\n']);
  });
});

/** The page of somebody else below the base host is of the same site, so that browsers send the cookies from there. */
describe('A form that a page of another origin sends', () => {
  const subscribe = async (by: typeof visit, page: PrivatePage, site: string, cookie: string) => {
    const email = `${site}-${page.id}@evil.example`;
    const response = await by(page, 'subscribe', {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': site, cookie },
      body: new URLSearchParams({ by: 'email', email, kinds: 'unplanned' }).toString(),
    });
    const added = await service.database.query('select 1 from subscriber where email = $1', [email]);
    return [response.status, added.length];
  };

  test('subscribes nobody by the cookie of the page', async () => {
    const cookie = await unlock();
    for (const site of ['same-site', 'cross-site'])
      expect([site, await subscribe(visit, byPassword, site, cookie)]).toEqual([site, [403, 0]]);
    expect(await subscribe(visit, byPassword, 'same-origin', cookie)).toEqual([200, 1]);
  });

  test('subscribes nobody by a session', async () => {
    const { cookie } = await signIn(service, 'viewer', [byRole.id], publicUrl);
    expect(await subscribe(visitByPath, byRole, 'same-site', cookie)).toEqual([403, 0]);
    expect(await subscribe(visitByPath, byRole, 'same-origin', cookie)).toEqual([200, 1]);
  });
});

/** It could measure an image, and tell a refusal from what a visitor sees. */
describe('What a page of another origin loads', () => {
  const paths = ['badge.svg', 'og.png', 'favicon.svg', 'feed.atom', 'widget.json', 'api/v2/summary.json', ''];
  const loads = (site: string, mode: string, destination = 'document') => ({
    'sec-fetch-site': site,
    'sec-fetch-mode': mode,
    'sec-fetch-dest': destination,
  });

  test('is refused with the cookie of the page and with a session, and not by a link', async () => {
    const cookie = await unlock();
    const session = (await signIn(service, 'viewer', [byRole.id], publicUrl)).cookie;
    for (const path of paths)
      for (const [headers, expected] of [
        [loads('same-site', 'no-cors', 'image'), refused],
        [loads('same-site', 'navigate', 'object'), refused],
        [loads('same-site', 'navigate', 'embed'), refused],
        [loads('same-site', 'navigate', 'iframe'), allowed],
        [loads('cross-site', 'cors'), refused],
        [loads('same-origin', 'no-cors'), allowed],
        [loads('same-site', 'navigate'), allowed],
        [loads('none', 'navigate'), allowed],
      ] as const) {
        const byCookie = await visit(byPassword, path, { headers: { ...headers, cookie } });
        expect([path, headers, ...summary(byCookie)]).toEqual([path, headers, ...expected]);
        const bySession = await visitByPath(byRole, path, { headers: { ...headers, cookie: session } });
        expect([path, headers, ...summary(bySession)]).toEqual([path, headers, ...expected]);
      }
  });

  test('is answered with the key of a visitor', async () => {
    const shown = await visit(byPassword, 'access', { headers: { cookie: await unlock() } });
    const key = /feed\.atom\?key=([^"]+)"/.exec(shown.text)![1]!;
    const headers = loads('same-site', 'no-cors');
    expect(summary(await visit(byPassword, `badge.svg?key=${key}`, { headers }))).toEqual(allowed);
  });
});

describe('setPageVisibility', () => {
  test.each<[string, object, Record<string, string[]>]>([
    ['a password that is too short', { visibility: 'PASSWORD', password: 'short' }, { password: ['INVALID'] }],
    ['no password', { visibility: 'PASSWORD' }, { password: ['BLANK'] }],
    ['no domain', { visibility: 'EMAIL_DOMAIN' }, { emailDomains: ['BLANK'] }],
    ['a domain that is none', { visibility: 'EMAIL_DOMAIN', emailDomains: ['a b'] }, { 0: ['INVALID'] }],
    ['a password for members', { visibility: 'MEMBERS', password }, { password: ['NOT_APPLICABLE'] }],
    [
      'domains for everybody',
      { visibility: 'PUBLIC', emailDomains: ['a.example'] },
      { emailDomains: ['NOT_APPLICABLE'] },
    ],
  ])('refuses %s', async (_, input, codes) => {
    const page = await createPrivatePage(service, { visibility: 'PUBLIC' });
    expect(codesByField(await setVisibility(service, page.id, input))).toEqual(codes);
    expect((await service.graphql(`{ page(id: "${page.id}") { visibility } }`)).json.data.page.visibility).toBe(
      'PUBLIC',
    );
  });

  test('takes a page from everybody within a moment, and gives it back', async () => {
    const page = await createPrivatePage(service, { visibility: 'PUBLIC' });
    const query = encodeURIComponent(`{ page(id: "${page.id}") { name } }`);
    const ask = async () => (await service.get(`/graphql?query=${query}`, { token: null })).json.errors?.length ?? 0;
    expect([(await visit(page, '')).status, await ask()]).toEqual([200, 0]);
    await setVisibility(service, page.id, { visibility: 'MEMBERS' });
    expect(await ask()).toBe(1);
    await waitForResponse(
      () => visit(page, ''),
      ({ status }) => status === 403,
    );
    await setVisibility(service, page.id, { visibility: 'PUBLIC' });
    await waitForResponse(
      () => visit(page, ''),
      ({ status, headers }) => status === 200 && String(headers['cache-control']).startsWith('public'),
    );
  });
});

test('UNLISTED is seen by its address, and in no list', async () => {
  const page = await createPrivatePage(service, { visibility: 'UNLISTED' });
  const front = await visit(page, '');
  expect([front.status, front.headers['x-robots-tag']]).toEqual([200, 'noindex, nofollow']);
  expect((await visit(page, 'robots.txt')).text).toMatch(/^Disallow: \/$/m);
  expect((await visit(page, 'sitemap.xml')).status).toBe(404);
  expect((await service.get('/', { token: null })).text).not.toContain(page.id);
  const { json } = await service.graphql(`{ page(id: "${page.id}") { visibility } }`, {}, { token: null });
  expect(json.data.page.visibility).toBe('UNLISTED');
});
