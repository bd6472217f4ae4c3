import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { serviceOrigin } from '../../src/db/audit.js';
import { enablePerson } from '../../src/people/person-administration.service.js';
import { disablePerson } from '../../src/people/person.service.js';
import { Writer } from '../../src/records/writer.js';
import { createPage } from '../support/factories.js';
import { client } from '../support/forging-provider.js';
import { type Account, type OpenIdProvider, startOpenIdProvider } from './openid-provider.js';
import {
  beginAtProvider,
  finishAtProvider,
  origin,
  sessionCookieOf,
  type SignInService,
  startSignInService,
} from '../support/sign-in.js';

const redirectUri = `${origin}/sign-in/openid-connect/callback`;
const mapping = 'status-admins=owner,support=viewer,support=publisher@';
let provider: OpenIdProvider;
let service: SignInService;
let page: string;
beforeAll(async () => {
  provider = await startOpenIdProvider(redirectUri);
  service = await startSignInService(oidcSettings(provider));
  page = (await createPage(service)).id;
  Object.assign(service.settings, { oidcRoles: [] });
});
afterAll(async () => {
  await service.stop();
  await provider.stop();
});

const oidcSettings = ({ issuer }: OpenIdProvider) => ({
  oidcIssuer: issuer,
  oidcClientId: client.id,
  oidcClientSecret: client.secret,
  oidcName: 'Example',
  oidcScopes: 'openid email groups',
  oidcRolesClaim: 'groups',
});
const withRoles = async (work: () => Promise<void>) => {
  const roles = mapping.replace(/@$/, `@${page}`).split(',');
  service.settings.oidcRoles = roles.map(item => {
    const [, group, role, pageId = null] = /^(.+)=(\w+)(?:@(\w+))?$/.exec(item)!;
    return { group: group!, role: role as 'owner', pageId };
  });
  await work().finally(() => {
    service.settings.oidcRoles = [];
  });
};

let count = 0;
const newAccount = (fields: Partial<Account> = {}) => {
  const id = `subject-${++count}`;
  const account = { email: `oidc-${count}@example.com`, email_verified: true, ...fields };
  provider.accounts.set(id, account);
  return { id, email: account.email };
};
const signIn = async (accountId: string, query = '', headers: Record<string, string> = {}) => {
  const { url, cookie } = await beginAtProvider(service, query);
  return finishAtProvider(service, await provider.authorize(url, accountId), [cookie, headers.cookie].join('; '));
};
const writer = () => new Writer(service.database, { origin: serviceOrigin('command', 'disablePerson') });
const disable = (personId: number) => writer().transaction(unit => disablePerson(unit, personId));
const rightsOf = async (cookie: string | undefined) => {
  const query = `{ viewer { all: role one: role(pageId: "${page}") } }`;
  return (await service.ask(query, {}, { cookie })).json.data.viewer;
};

describe('An account at the provider', () => {
  test('signs in the person who was invited, with state, nonce and PKCE', async () => {
    const { id, email } = newAccount();
    await service.invite(email.toUpperCase(), 'publisher');
    const { response, url, cookie } = await beginAtProvider(service, '?to=/console/pages%3Fx=1');
    expect(response.status).toBe(303);
    expect(response.headers.get('set-cookie')).toMatch(
      /^__Host-sign-in-request=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=600; Secure$/,
    );
    expect(Object.fromEntries(new URL(url).searchParams)).toMatchObject({
      response_type: 'code',
      client_id: client.id,
      redirect_uri: redirectUri,
      scope: 'openid email groups',
      code_challenge_method: 'S256',
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
    });
    const back = await finishAtProvider(service, await provider.authorize(url, id), cookie);
    expect([back.status, back.headers.get('location')]).toEqual([303, '/console/pages?x=1']);
    const session = sessionCookieOf(back);
    expect(await service.whoIs(session)).toBe(email.toUpperCase());
    expect((await rightsOf(session)).all).toBe('PUBLISHER');
    const [entry] = await service.database.query('select actor, operation from audit_entry order by id desc');
    expect(entry).toEqual({ actor: email.toUpperCase(), operation: 'signInWithOpenIdConnect' });
  });

  test('is known by issuer and subject, whatever its address becomes', async () => {
    const { id, email } = newAccount();
    await service.invite(email);
    expect(await service.whoIs(sessionCookieOf(await signIn(id)))).toBe(email);
    provider.accounts.set(id, { email: 'married@example.com', email_verified: true });
    expect(await service.whoIs(sessionCookieOf(await signIn(id)))).toBe(email);
    const other = newAccount({ email });
    const response = await signIn(other.id);
    expect([response.status, sessionCookieOf(response)]).toEqual([403, undefined]);
  });

  test('counts as a recent sign-in, and ends the session that the browser had', async () => {
    const { cookie, email } = await service.signInByLink();
    const { id } = newAccount({ email });
    const next = sessionCookieOf(await signIn(id, '', { cookie }));
    const makeToken = 'mutation { createToken(input: { label: "x", role: VIEWER }) { token { id } } }';
    expect((await service.ask(makeToken, {}, { cookie: next })).json.errors).toBeUndefined();
    const [ended] = await service.database.query<{ count: number }>(
      'select count(*)::int as count from session where revoked_at is not null',
    );
    expect(ended!.count).toBe(1);
  });

  test.each<[string, Partial<Account>, boolean]>([
    ['with an address that is not verified', { email_verified: false }, true],
    ['that does not say whether its address is verified', { email_verified: undefined }, true],
    ['without an address', { email: undefined }, true],
    ['whom nobody has invited', {}, false],
  ])('%s signs nobody in', async (_, fields, isInvited) => {
    const { id } = newAccount(fields);
    if (isInvited) await service.invite(`oidc-${count}@example.com`);
    const response = await signIn(id);
    expect([response.status, sessionCookieOf(response)]).toEqual([403, undefined]);
  });

  test('of a person who is disabled signs nobody in', async () => {
    const { id, email } = newAccount();
    const personId = await service.invite(email);
    await signIn(id);
    await disable(personId);
    expect(sessionCookieOf(await signIn(id))).toBeUndefined();
    provider.accounts.set(id, { email: 'elsewhere@example.com', email_verified: true, groups: ['support'] });
    await withRoles(async () => expect((await signIn(id)).status).toBe(403));
  });

  test.each([
    ['invited', (email: string) => service.invite(email, 'publisher')],
    ['enabled', (_: string, personId: number) => enablePerson(writer(), String(personId))],
  ])('of a person who was disabled, and is %s again, is the one that has the address now', async (_, enable) => {
    const { id, email } = newAccount();
    const personId = await service.invite(email);
    await signIn(id);
    await disable(personId);
    await enable(email, personId);
    provider.accounts.set(id, { email: `former-${email}`, email_verified: true });
    expect(sessionCookieOf(await signIn(id))).toBeUndefined();
    const other = newAccount({ email });
    expect(await service.whoIs(sessionCookieOf(await signIn(other.id)))).toBe(email);
    provider.accounts.set(id, { email, email_verified: true });
    expect((await signIn(id)).status).toBe(403);
  });

  test('needs no UserInfo endpoint where the ID token has the claims', async () => {
    const other = await startOpenIdProvider(redirectUri, true);
    const own = await startSignInService(oidcSettings(other));
    try {
      await own.invite('token@example.com');
      other.accounts.set('in-token', { email: 'token@example.com', email_verified: true });
      const { url, cookie } = await beginAtProvider(own);
      const response = await finishAtProvider(own, await other.authorize(url, 'in-token'), cookie);
      expect(await own.whoIs(sessionCookieOf(response))).toBe('token@example.com');
    } finally {
      await own.stop();
      await other.stop();
    }
  });
});

describe('A group', () => {
  test('gives its role to people whom nobody has invited, and takes it away at the next sign-in', async () => {
    await withRoles(async () => {
      const { id, email } = newAccount({ groups: ['status-admins', 'others'] });
      expect(await rightsOf(sessionCookieOf(await signIn(id)))).toEqual({ all: 'OWNER', one: 'OWNER' });
      provider.accounts.set(id, { email, email_verified: true, groups: ['support'] });
      const second = sessionCookieOf(await signIn(id));
      expect(await rightsOf(second)).toEqual({ all: 'VIEWER', one: 'PUBLISHER' });
      const query = '{ viewer { person { memberships { pageId role isMapped } } } }';
      const { json } = await service.ask(query, {}, { cookie: second });
      expect(json.data.viewer.person.memberships).toContainEqual({ pageId: page, role: 'PUBLISHER', isMapped: true });
      provider.accounts.set(id, { email, email_verified: true, groups: [] });
      expect(await rightsOf(sessionCookieOf(await signIn(id)))).toEqual({ all: null, one: null });
      const changes = await service.database.query(
        `select field, before, after from audit_change join audit_entry e on e.id = entry_id
         where operation = 'signInWithOpenIdConnect' order by entry_id, field = 'role of all pages'`,
      );
      expect(changes).toEqual([
        { field: 'role of all pages', before: null, after: 'owner' },
        { field: `role of ${page}`, before: null, after: 'publisher' },
        { field: 'role of all pages', before: 'owner', after: 'viewer' },
        { field: `role of ${page}`, before: 'publisher', after: null },
        { field: 'role of all pages', before: 'viewer', after: null },
      ]);
    });
  });

  test('takes no role away that was given by invitation; the higher counts', async () => {
    await withRoles(async () => {
      const { id, email } = newAccount({ groups: ['support'] });
      await service.invite(email, 'drafter');
      await service.invite(email, 'owner', [page]);
      expect(await rightsOf(sessionCookieOf(await signIn(id)))).toEqual({ all: 'DRAFTER', one: 'OWNER' });
      provider.accounts.set(id, { email, email_verified: true });
      expect(await rightsOf(sessionCookieOf(await signIn(id)))).toEqual({ all: 'DRAFTER', one: 'OWNER' });
    });
  });

  test('that has no role creates nobody', async () => {
    await withRoles(async () => {
      const { id, email } = newAccount({ groups: ['others'] });
      expect((await signIn(id)).status).toBe(403);
      expect(await service.database.query('select 1 from person where email = $1', [email])).toEqual([]);
    });
  });
});

describe('An answer of the provider', () => {
  const begin = async () => {
    const { id, email } = newAccount();
    await service.invite(email);
    const { url, cookie } = await beginAtProvider(service);
    return { cookie, back: await provider.authorize(url, id) };
  };
  const expectRefusal = async (back: URL, cookie?: string) => {
    const response = await finishAtProvider(service, back, cookie);
    expect([response.status, sessionCookieOf(response)]).toEqual([403, undefined]);
  };

  test('counts once', async () => {
    const { back, cookie } = await begin();
    expect(sessionCookieOf(await finishAtProvider(service, back, cookie))).toBeDefined();
    await expectRefusal(back, cookie);
  });

  test('counts in the browser alone that has asked for it', async () => {
    const { back } = await begin();
    await expectRefusal(back);
    await expectRefusal(back, (await beginAtProvider(service)).cookie);
    await expectRefusal(back, `__Host-sign-in-request=${'A'.repeat(43)}`);
  });

  test.each(['state', 'code', 'iss'])('with another %s is refused', async name => {
    const { back, cookie } = await begin();
    back.searchParams.set(name, 'A'.repeat(43));
    await expectRefusal(back, cookie);
  });

  test('is refused after 10 minutes', async () => {
    const { back, cookie } = await begin();
    await service.database.query(`update identity_request set expires_at = expires_at - interval '10 minutes'`);
    await expectRefusal(back, cookie);
  });

  test('that refuses is shown as a refusal', async () => {
    const { url, cookie } = await beginAtProvider(service);
    const back = await provider.authorize(url, '');
    expect(back.searchParams.get('error')).toBe('access_denied');
    await expectRefusal(back, cookie);
  });
});

test.each(['cross-site', 'same-site'])('a %s page cannot begin a sign-in', async site => {
  const { response } = await beginAtProvider(service, '', { 'sec-fetch-site': site });
  expect([response.status, response.headers.get('location')]).toEqual([403, null]);
});

test('a provider that does not answer is a refusal, and is asked again', async () => {
  const other = await startSignInService({ ...oidcSettings(provider), oidcIssuer: 'http://127.0.0.1:1' });
  try {
    for (let times = 0; times < 2; times += 1) expect((await beginAtProvider(other)).response.status).toBe(403);
  } finally {
    await other.stop();
  }
});

test('the way is offered where a provider is configured', async () => {
  const methods = async (asked: SignInService) => (await asked.ask('{ signInMethods }')).json.data.signInMethods;
  expect(await methods(service)).toContain('OPENID_CONNECT');
  const other = await startSignInService();
  try {
    expect(await methods(other)).not.toContain('OPENID_CONNECT');
    expect((await beginAtProvider(other)).response.status).toBe(404);
  } finally {
    await other.stop();
  }
});
