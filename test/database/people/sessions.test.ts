import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Role } from '../../../src/auth/roles.js';
import { Authenticator } from '../../../src/auth/authenticator.js';
import { createSignInCode } from '../../../src/auth/session.service.js';
import { serviceOrigin } from '../../../src/db/audit.js';
import { disablePerson, invitePerson } from '../../../src/people/person.service.js';
import { Writer } from '../../../src/records/writer.js';
import { createPage } from '../../support/factories.js';
import { useOwnService, type TestResponse } from '../../support/service.js';
import { waitUntilEqual } from '../../support/wait-until-equal.js';

const origin = 'https://status.example.com';
const service = useOwnService({ publicUrl: origin });
let page: string;
beforeAll(async () => {
  page = (await createPage(service)).id;
});

let people = 0;
const write = () => new Writer(service.database, { origin: serviceOrigin('command', 'test') });
const invite = (email: string, role: Role, pageIds: string[] | null = null) =>
  write().transaction(unit => invitePerson(unit, email, role, pageIds));
const open = (code: string, headers: Record<string, string> = { origin }) =>
  service.call('POST', `/sign-in/${code}`, { token: null, headers });
const cookieOf = (response: TestResponse) => response.headers.get('set-cookie')?.split(';')[0];

interface SignedIn {
  email: string;
  personId: number;
  cookie: string;
}
async function signIn(role: Role = 'owner', pageIds: string[] | null = null): Promise<SignedIn> {
  const email = `person-${++people}@example.com`;
  const personId = await invite(email, role, pageIds);
  const cookie = cookieOf(await open(await createSignInCode(service.database, personId)))!;
  return { email, personId, cookie };
}

const ask = async (query: string, cookie: string, headers: Record<string, string> = { origin }) =>
  (await service.graphql(query, {}, { token: null, headers: { cookie, ...headers } })).json;
const whoIs = async (cookie: string, headers?: Record<string, string>) =>
  (await ask('{ viewer { kind role person { email } } }', cookie, headers)).data.viewer;
const anonymous = { kind: 'ANONYMOUS', role: null, person: null };
const createComponent = `mutation { createComponent(pageId: "PAGE", input: { name: "Mine" }) { component { name } } }`;
const codeOf = (json: { errors?: { extensions: { code: string } }[] }) => json.errors?.[0]?.extensions.code;
const makeToken = 'mutation { createToken(input: { label: "x", role: VIEWER }) { token { id } } }';

/** Processes forget a session within a second. */
const expectEnd = (cookie: string) => waitUntilEqual(async () => (await whoIs(cookie)).kind, 'ANONYMOUS');

describe('A link', () => {
  test('signs in with a cookie that scripts and other hosts cannot have', async () => {
    const personId = await invite('ann@example.com', 'publisher');
    const code = await createSignInCode(service.database, personId);
    const response = await open(code);
    expect([response.status, response.headers.get('location')]).toEqual([303, '/console/']);
    expect(response.headers.get('set-cookie')).toMatch(
      /^__Host-session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=2592000; Secure$/,
    );
    expect(await whoIs(cookieOf(response)!)).toEqual({
      kind: 'PERSON',
      role: 'PUBLISHER',
      person: { email: 'ann@example.com' },
    });
    const stored = JSON.stringify([
      await service.database.query('select * from session'),
      await service.database.query('select * from sign_in_link'),
    ]);
    expect(stored).not.toContain(code);
    expect(stored).not.toContain(cookieOf(response)!.split('=')[1]);
  });

  test('is not used up by opening it, and only once by its form', async () => {
    const code = await createSignInCode(service.database, await invite('once@example.com', 'viewer'));
    const page = await service.get(`/sign-in/${code}`, { token: null });
    expect([page.status, page.headers.get('set-cookie')]).toEqual([200, null]);
    const answers = await Promise.all([open(code), open(code), open(code)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([303, 410, 410]);
    expect((await open(code)).headers.get('set-cookie')).toBeNull();
  });

  test('is refused after 15 minutes', async () => {
    const code = await createSignInCode(service.database, await invite('late@example.com', 'viewer'));
    await service.database.query(`update sign_in_link set expires_at = expires_at - interval '15 minutes'`);
    expect((await open(code)).status).toBe(410);
  });

  test('is refused for a disabled person', async () => {
    const personId = await invite('gone@example.com', 'viewer');
    const code = await createSignInCode(service.database, personId);
    await service.database.query('update person set disabled_at = clock_timestamp() where id = $1', [personId]);
    expect((await open(code)).status).toBe(410);
  });

  test.each<[string, Record<string, string>]>([
    ['of another site', { origin: 'https://evil.example' }],
    ['of a subdomain', { origin: `https://${'a'.repeat(8)}.status.example.com` }],
    ['without an origin', {}],
  ])('is not used by a form %s', async (_, headers) => {
    const code = await createSignInCode(service.database, await invite('forged@example.com', 'viewer'));
    const response = await open(code, headers);
    expect([response.status, response.headers.get('set-cookie')]).toEqual([403, null]);
    expect((await open(code)).status).toBe(303);
  });

  test('that is guessed is refused', async () => {
    expect((await open('A'.repeat(43))).status).toBe(410);
    expect((await service.get('/sign-in/short', { token: null })).status).toBe(404);
  });

  test('ends the session that the browser had', async () => {
    const { cookie, personId } = await signIn();
    const next = await open(await createSignInCode(service.database, personId), { origin, cookie });
    expect(cookieOf(next)).not.toBe(cookie);
    await expectEnd(cookie);
  });
});

describe('A session', () => {
  test.each<[string, Record<string, string>]>([
    ['from another site', { origin: 'https://evil.example' }],
    ['from another site, by fetch metadata', { origin, 'sec-fetch-site': 'cross-site' }],
    ['from a subdomain, by fetch metadata', { origin, 'sec-fetch-site': 'same-site' }],
    ['typed in, by fetch metadata', { 'sec-fetch-site': 'none' }],
    ['from a sandboxed document', { origin: 'null' }],
    ['without origin and fetch metadata', {}],
  ])('does not count for a request %s', async (_, headers) => {
    const { cookie } = await signIn();
    expect(await whoIs(cookie, headers)).toEqual(anonymous);
    expect(codeOf(await ask(createComponent.replace('PAGE', page), cookie, headers))).toBe('UNAUTHENTICATED');
  });

  test('does not count for GET, for a form, and for /v1', async () => {
    const { cookie } = await signIn();
    const headers = { cookie, origin, 'sec-fetch-site': 'same-origin' };
    const query = encodeURIComponent('{ viewer { kind } }');
    const got = await service.get(`/graphql?query=${query}`, { token: null, headers });
    expect(got.json.data.viewer.kind).toBe('ANONYMOUS');
    const form = await service.call('POST', '/graphql', { token: null, headers, form: 'query={viewer{kind}}' });
    expect(form.status).toBe(415);
    expect((await service.post('/v1/pages', { name: 'x' }, { token: null, headers })).status).toBe(401);
  });

  test.each(['', 'x', 'A'.repeat(43), `${'A'.repeat(43)}; __Host-session=${'B'.repeat(43)}`])(
    'with the secret %j does not exist',
    async secret => expect(await whoIs(`__Host-session=${secret}`)).toEqual(anonymous),
  );

  test('does not count twice, nor under the name for http', async () => {
    const { cookie } = await signIn();
    expect(await whoIs(`${cookie}; ${cookie}`)).toEqual(anonymous);
    expect(await whoIs(cookie.replace('__Host-', ''))).toEqual(anonymous);
  });

  test.each([
    ['12 hours without a request', `last_seen_at = clock_timestamp() - interval '12 hours'`],
    ['30 days', `created_at = clock_timestamp() - interval '30 days'`],
  ])('ends after %s', async (_, change) => {
    const { cookie, personId } = await signIn();
    expect((await whoIs(cookie)).kind).toBe('PERSON');
    await service.database.query(`update session set ${change} where person_id = $1`, [personId]);
    await expectEnd(cookie);
  });

  test('is kept from its end by requests, and not by what goes on without them, such as an open stream', async () => {
    const { cookie, personId } = await signIn();
    const secret = cookie.split('=')[1]!;
    const readIdleMinutes = async () => {
      const [row] = await service.database.query<{ minutes: number }>(
        `select floor(extract(epoch from clock_timestamp() - last_seen_at) / 60)::int as minutes
         from session where person_id = $1`,
        [personId],
      );
      return row!.minutes;
    };
    await service.database.query(
      `update session set last_seen_at = last_seen_at - interval '1 hour' where person_id = $1`,
      [personId],
    );
    expect(await service.authenticator.checkSession(secret)).toMatchObject({ personId });
    expect(await readIdleMinutes()).toBe(60);
    // Soon after the stream was checked.
    expect((await whoIs(cookie)).kind).toBe('PERSON');
    expect(await readIdleMinutes()).toBe(0);
  });

  test('is good although its last request cannot be recorded', async () => {
    const { cookie, personId } = await signIn();
    const { database } = service;
    await database.query(`update session set last_seen_at = last_seen_at - interval '1 hour' where person_id = $1`, [
      personId,
    ]);
    const readOnly: typeof database = {
      ...database,
      query: (text, values) =>
        text.startsWith('update') ? Promise.reject(new Error('read-only')) : database.query(text, values),
    };
    expect(
      await new Authenticator(readOnly, service.settings).authenticateSession(cookie.split('=')[1]!),
    ).toMatchObject({ personId });
  });

  test('ends when its person is disabled', async () => {
    const { cookie, personId } = await signIn();
    expect((await whoIs(cookie)).kind).toBe('PERSON');
    expect(await write().transaction(unit => disablePerson(unit, personId))).toBe(true);
    await expectEnd(cookie);
  });

  test('is listed and revoked by its person, and by nobody else', async () => {
    const ann = await signIn();
    const bob = await signIn('viewer');
    const { data } = await ask('{ viewer { person { sessions { id userAgent createdAt lastSeenAt } } } }', ann.cookie);
    const { sessions } = data.viewer.person;
    expect(sessions).toHaveLength(1);
    const revoke = `mutation { revokeSession(id: "${sessions[0].id}") { sessionId } }`;
    expect(codeOf(await ask(revoke, bob.cookie))).toBe('NOT_FOUND');
    expect(codeOf((await service.graphql(revoke, {}, { token: service.tokens.read })).json)).toBe('NOT_FOUND');
    expect((await ask(revoke, ann.cookie)).data.revokeSession).toEqual({ sessionId: sessions[0].id });
    const entries = await service.database.query(
      `select actor, subject_id from audit_entry where operation = 'revokeSession'`,
    );
    expect(entries).toEqual([{ actor: ann.email, subject_id: sessions[0].id }]);
    await expectEnd(ann.cookie);
  });

  test.each<[string, (cookie: string) => Promise<unknown>]>([
    ['the mutation signOut', cookie => ask('mutation { signOut { hasEnded } }', cookie)],
    ['the form', cookie => service.call('POST', '/sign-in/out', { token: null, headers: { origin, cookie } })],
    [
      'revokeSession',
      async cookie => {
        const { data } = await ask('{ viewer { person { sessions { id } } } }', cookie);
        await ask(`mutation { revokeSession(id: "${data.viewer.person.sessions[0].id}") { sessionId } }`, cookie);
      },
    ],
  ])('ends at once in the process that ends it by %s', async (_, end) => {
    const { cookie } = await signIn();
    expect((await whoIs(cookie)).kind).toBe('PERSON');
    await end(cookie);
    expect(await whoIs(cookie)).toEqual(anonymous);
  });

  test('that is not fresh cannot give access away, delete a page or change its domain', async () => {
    const { cookie, personId } = await signIn();
    const guarded = [
      makeToken,
      `mutation { deletePage(id: "${page}") { deletedId } }`,
      `mutation { setCustomDomain(pageId: "${page}", input: { domain: "a.example.org" }) { page { id } } }`,
    ];
    const age = `update session set created_at = clock_timestamp() - interval '11 minutes' where person_id = $1`;
    await service.database.query(age, [personId]);
    for (const mutation of guarded) {
      const json = await ask(mutation, cookie);
      expect([codeOf(json), json.errors[0].message]).toEqual(['FORBIDDEN', expect.stringMatching(/^Sign in again/)]);
    }
    expect((await ask(createComponent.replace('PAGE', page), cookie)).errors).toBeUndefined();
    expect((await ask(makeToken, (await signIn()).cookie)).errors).toBeUndefined();
  });
});

describe('A person', () => {
  test('has the roles of the memberships, and a changed role counts soon', async () => {
    const { cookie, email } = await signIn('viewer', [page]);
    const role = async () =>
      (await ask(`{ viewer { all: role one: role(pageId: "${page}") pages { nodes { id } } } }`, cookie)).data.viewer;
    expect(await role()).toEqual({ all: null, one: 'VIEWER', pages: { nodes: [{ id: page }] } });
    expect(codeOf(await ask(createComponent.replace('PAGE', page), cookie))).toBe('FORBIDDEN');
    await invite(email, 'owner', [page]);
    await waitUntilEqual(async () => (await role()).one, 'OWNER');
    expect((await ask(createComponent.replace('PAGE', page), cookie)).errors).toBeUndefined();
  });

  test('shares no response with others', async () => {
    const { cookie } = await signIn('viewer', [page]);
    const query = `{ page(id: "${page}") { noticeTemplates { nodes { id } } } }`;
    for (let times = 0; times < 4; times += 1) expect((await ask(query, cookie)).errors).toBeUndefined();
    const anonymous = await service.graphql(query, {}, { token: null, headers: { origin } });
    expect(codeOf(anonymous.json)).toBe('UNAUTHENTICATED');
    const elsewhere = await signIn('owner', [(await createPage(service)).id]);
    expect(codeOf(await ask(query, elsewhere.cookie))).toBe('NOT_FOUND');
  });

  test('is the actor of the audit log', async () => {
    const { cookie, email } = await signIn('owner', [page]);
    await ask(createComponent.replace('PAGE', page), cookie);
    const log = `{ auditLog(pageId: "${page}", first: 1) { nodes { actor { kind label } operation } } }`;
    expect((await ask(log, cookie)).data.auditLog.nodes).toEqual([
      { actor: { kind: 'PERSON', label: email }, operation: 'createComponent' },
    ]);
  });
});
