import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { TestResponse } from '../../../support/service.js';
import {
  codeCookieOf,
  codeIn,
  knownCookieOf,
  origin,
  refusalOf,
  requestCode,
  sessionCookieOf,
  type SignInService,
  signInWithCode,
  startSignInService,
} from '../../../support/sign-in.js';
import { recordStatements } from '../../../support/statements.js';

let service: SignInService;
beforeAll(async () => {
  service = await startSignInService({ trustedProxies: ['127.0.0.1'] });
});
afterAll(() => service.stop());
beforeEach(async () => {
  service.mails.length = 0;
  await service.database.query('delete from one_time_code');
});

const networks = { count: 0 };
/** Each test asks from a network of its own. */
const fromNetwork = () => ({ 'x-forwarded-for': `198.51.100.${++networks.count}` });
const ask = (email: string, headers: Record<string, string | undefined> = {}) =>
  service.ask(requestCode, { email }, headers);
type RequestedCode = Awaited<ReturnType<SignInService['requestCode']>>;
const getCode = (email: string) => service.requestCode(email, fromNetwork());
const signIn = ({ email, code, cookie }: RequestedCode, headers: Record<string, string | undefined> = {}) =>
  service.ask(signInWithCode, { email, code }, { cookie, ...headers });
const toWrong = (requested: RequestedCode) => ({
  ...requested,
  code: String((Number(requested.code) + 1) % 1_000_000).padStart(6, '0'),
});
const isRefused = (response: TestResponse) => {
  expect([refusalOf(response), sessionCookieOf(response)]).toEqual([['INVALID', ['input', 'code']], undefined]);
};

describe('A code by mail', () => {
  test('signs in once, with a cookie that scripts and other hosts cannot have', async () => {
    await service.invite('Ann@example.com', 'publisher');
    const asked = await ask('ann@EXAMPLE.com');
    expect(asked.json.data.requestSignInCode).toEqual({ email: 'ann@EXAMPLE.com' });
    expect(asked.headers.get('set-cookie')).toMatch(
      /^__Host-sign-in-code=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=1200; Secure$/,
    );
    const code = codeIn(await service.waitForMail('Ann@example.com'));
    const requested = { email: 'ann@example.com', code, cookie: codeCookieOf(asked)! };
    const response = await signIn({ ...requested, code: `${code.slice(0, 3)} ${code.slice(3)}` });
    expect(response.json).toEqual({ data: { signInWithCode: { email: 'Ann@example.com' } } });
    expect(response.headers.getSetCookie()).toEqual([
      expect.stringMatching(
        /^__Host-signed-in-before=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=15552000; Secure$/,
      ),
      expect.stringMatching(/^__Host-session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=2592000; Secure$/),
    ]);
    expect(await service.whoIs(sessionCookieOf(response))).toBe('Ann@example.com');
    isRefused(await signIn(requested));
    const stored = JSON.stringify(await service.database.query('select * from one_time_code'));
    const secrets = [code, 'ann@', requested.cookie.split('=')[1]!];
    expect(secrets.filter(secret => stored.includes(secret))).toEqual([]);
  });

  test('is used once by requests at the same time', async () => {
    await service.invite('race@example.com');
    const code = await getCode('race@example.com');
    const answers = await Promise.all([1, 2, 3, 4].map(() => signIn(code)));
    expect(answers.filter(answer => sessionCookieOf(answer))).toHaveLength(1);
  });

  test('counts as a recent sign-in, and ends the session that the browser had', async () => {
    const { cookie, email } = await service.signInByLink();
    const requested = await getCode(email);
    const response = await signIn(requested, { cookie: `${cookie}; ${requested.cookie}` });
    const next = sessionCookieOf(response)!;
    const makeToken = 'mutation { createToken(input: { label: "x", role: VIEWER }) { token { id } } }';
    expect((await service.ask(makeToken, {}, { cookie: next })).json.errors).toBeUndefined();
    const revoked = await service.database.query('select 1 from session where revoked_at is not null');
    expect(revoked).toHaveLength(1);
  });

  test('is refused after 15 minutes', async () => {
    await service.invite('late@example.com');
    const code = await getCode('late@example.com');
    await service.database.query(`update one_time_code set expires_at = expires_at - interval '15 minutes'`);
    isRefused(await signIn(code));
  });

  test('is refused after 5 wrong ones', async () => {
    await service.invite('guessed@example.com');
    const code = await getCode('guessed@example.com');
    for (let tries = 0; tries < 4; tries += 1) isRefused(await signIn(toWrong(code)));
    expect(sessionCookieOf(await signIn(code))).toBeDefined();
    const second = await getCode('guessed@example.com');
    for (let tries = 0; tries < 5; tries += 1) isRefused(await signIn(toWrong(second)));
    isRefused(await signIn(second));
  });

  test('voids the one that the browser requested before', async () => {
    await service.invite('twice@example.com');
    const first = await getCode('twice@example.com');
    const second = await getCode('twice@example.com');
    if (first.code !== second.code) isRefused(await signIn({ ...first, cookie: second.cookie }));
    expect(sessionCookieOf(await signIn(second))).toBeDefined();
  });

  test('stays valid while strangers request codes for the address, and enter wrong ones', async () => {
    await service.invite('kept@example.com');
    const own = await getCode('kept@example.com');
    const stranger = await getCode('kept@example.com');
    for (let tries = 0; tries < 6; tries += 1) isRefused(await signIn(toWrong(stranger)));
    for (let tries = 0; tries < 6; tries += 1) isRefused(await signIn(toWrong({ ...own, cookie: '' })));
    expect(sessionCookieOf(await signIn(own))).toBeDefined();
  });

  test('counts in no other browser', async () => {
    await service.invite('bound@example.com');
    const own = await getCode('bound@example.com');
    const { cookie } = await getCode('bound@example.com');
    for (const other of ['', cookie, '__Host-sign-in-code=', cookie.replace('__Host-', '')])
      isRefused(await signIn({ ...own, cookie: other }));
    expect(sessionCookieOf(await signIn(own))).toBeDefined();
  });

  test('of one person does not sign in another', async () => {
    await service.invite('one@example.com');
    await service.invite('other@example.com');
    const code = await getCode('one@example.com');
    if (code.code !== (await getCode('other@example.com')).code)
      isRefused(await signIn({ ...code, email: 'other@example.com' }));
  });

  test('is taken with any form of the domain', async () => {
    await service.invite('anna@bücher.example');
    const code = await getCode('anna@bücher.example');
    expect(sessionCookieOf(await signIn({ ...code, email: 'Anna@XN--Bcher-KVA.example' }))).toBeDefined();
  });

  test('is refused for a person who is disabled', async () => {
    const personId = await service.invite('gone@example.com');
    const code = await getCode('gone@example.com');
    const disable = 'update person set disabled_at = clock_timestamp() where id = $1';
    await service.database.query(disable, [personId]);
    isRefused(await signIn(code));
    expect((await ask('gone@example.com', fromNetwork())).json.errors).toBeUndefined();
    await service.invite('present@example.com');
    await getCode('present@example.com');
    expect(service.mails).toEqual([]);
  });

  test.each<[string, Record<string, string | undefined>]>([
    ['of another site', { origin: 'https://evil.example' }],
    ['of a page on a subdomain', { origin: `https://${'a'.repeat(8)}.status.example.com` }],
    ['of a program', { origin: undefined }],
    ['of another site, by fetch metadata', { 'sec-fetch-site': 'cross-site' }],
  ])('is neither sent nor taken for a request %s', async (_, headers) => {
    await service.invite('forged@example.com');
    expect(refusalOf(await ask('forged@example.com', headers))[0]).toBe('FORBIDDEN');
    const code = await getCode('forged@example.com');
    const response = await signIn(code, headers);
    expect([refusalOf(response)[0], sessionCookieOf(response)]).toEqual(['FORBIDDEN', undefined]);
    expect(sessionCookieOf(await signIn(code))).toBeDefined();
  });

  test('needs an address', async () => {
    expect(refusalOf(await ask('nobody'))).toEqual(['INVALID', ['input', 'email']]);
  });

  test('leaves an entry in the audit log with the person who signed in', async () => {
    await service.invite('logged@example.com');
    await signIn(await getCode('logged@example.com'));
    const [entry] = await service.database.query(
      'select actor_kind, actor, operation from audit_entry order by id desc',
    );
    expect(entry).toEqual({ actor_kind: 'person', actor: 'logged@example.com', operation: 'signInWithCode' });
  });
});

describe('An address of nobody', () => {
  test('gets the same answer by the same statements, and no mail', async () => {
    await service.invite('known@example.com');
    const observe = (email: string) =>
      recordStatements(service.database, async () => {
        const { status, json } = await ask(email, fromNetwork());
        expect([status, json]).toEqual([200, { data: { requestSignInCode: { email } } }]);
      });
    await observe('warm-up@example.com');
    const known = await observe('known@example.com');
    expect(known.length).toBeGreaterThan(3);
    expect(await observe('unknown@example.com')).toEqual(known);
    await service.waitForMail('known@example.com');
    expect(service.mails.filter(({ to }) => to !== 'known@example.com')).toEqual([]);
  });

  test('is refused with any code, as a known one with a wrong code', async () => {
    const cookie = codeCookieOf(await ask('unknown@example.com', fromNetwork()))!;
    isRefused(await signIn({ email: 'unknown@example.com', code: '123456', cookie }));
    isRefused(await signIn({ email: 'never-asked@example.com', code: '123456', cookie: '' }));
  });
});

describe('Codes', () => {
  test('are limited for an address and a network, and not for others', async () => {
    const headers = fromNetwork();
    for (let count = 0; count < 5; count += 1)
      expect((await ask('owner@example.com', headers)).json.errors).toBeUndefined();
    expect(refusalOf(await ask('owner@example.com', headers))[0]).toBe('THROTTLED');
    expect((await ask('owner@example.com', fromNetwork())).json.errors).toBeUndefined();
    expect((await ask('other-owner@example.com', headers)).json.errors).toBeUndefined();
  });

  test.each(['known-limit@example.com', 'unknown-limit@example.com'])('are limited for the address %s', async email => {
    if (email.startsWith('known')) await service.invite(email);
    for (let count = 0; count < 30; count += 1) expect((await ask(email, fromNetwork())).json.errors).toBeUndefined();
    expect(refusalOf(await ask(email.toUpperCase(), fromNetwork()))[0]).toBe('THROTTLED');
    await service.database.query(`update one_time_code set created_at = created_at - interval '1 hour'`);
    expect((await ask(email, fromNetwork())).json.errors).toBeUndefined();
  });

  test('are sent to a browser that has signed in before, whatever others request', async () => {
    const [own, other] = ['at-three@example.com', 'of-others@example.com'];
    const signInAs = async (email: string) => {
      await service.invite(email);
      return knownCookieOf(await signIn(await getCode(email)))!;
    };
    const cookie = await signInAs(own);
    const ofOther = await signInAs(other);
    const askAs = async (known: string | undefined, network = fromNetwork()) =>
      refusalOf(await ask(own, { ...network, cookie: known }))[0];
    for (let count = 0; count < 30; count += 1) await askAs(undefined);
    const others = [undefined, ofOther, `${cookie.slice(0, -2)}xx`];
    for (const known of others) expect(await askAs(known)).toBe('THROTTLED');
    const answers: (string | undefined)[] = [];
    for (let count = 0; count < 6; count += 1) answers.push(await askAs(cookie));
    expect(answers).toEqual([...Array<undefined>(5).fill(undefined), 'THROTTLED']);
  });

  test('are limited for a network, whatever the addresses', async () => {
    const headers = { 'x-forwarded-for': '2001:db8:1:2::1' };
    for (let count = 0; count < 20; count += 1)
      expect((await ask(`many-${count}@example.com`, headers)).json.errors).toBeUndefined();
    const same = { 'x-forwarded-for': '2001:db8:1:2:ffff::9' };
    expect(refusalOf(await ask('one-more@example.com', same))[0]).toBe('THROTTLED');
    expect((await ask('one-more@example.com', fromNetwork())).json.errors).toBeUndefined();
  });

  test('are limited for requests at the same time', async () => {
    // Of the requests of anonymous callers at most four run at a time; the others are refused.
    const headers = fromNetwork();
    const burst = () => Promise.all([1, 2, 3].map(() => ask('burst@example.com', headers)));
    const answers = [...(await burst()), ...(await burst()), ...(await burst())];
    expect(answers.filter(answer => !answer.json.errors)).toHaveLength(5);
  });
});

test('the mail has the code, the host, no link to sign in and no text of who asked', async () => {
  await service.invite('mail@example.com');
  await ask('mail@example.com', fromNetwork());
  const mail = await service.waitForMail('mail@example.com');
  const code = codeIn(mail);
  expect(mail.subject).toBe(`${code} is your code to sign in to status.example.com`);
  expect(mail.html).toContain(`>${code}<`);
  expect([...mail.html.matchAll(/href="([^"]+)"/g)].map(([, url]) => url)).toEqual([origin]);
});

test('signOut ends the session of the browser', async () => {
  const { cookie } = await service.signInByLink();
  const other = await service.ask('mutation { signOut { hasEnded } }', {}, { cookie, origin: 'https://evil.example' });
  expect(refusalOf(other)[0]).toBe('FORBIDDEN');
  const response = await service.ask('mutation { signOut { hasEnded } }', {}, { cookie });
  expect(response.json.data.signOut).toEqual({ hasEnded: true });
  expect(response.headers.get('set-cookie')).toMatch(/^__Host-session=; .*Max-Age=0/);
  const [session] = await service.database.query('select revoked_at from session order by id desc');
  expect(session).toEqual({ revoked_at: expect.anything() });
});

test('codes are offered only where mail is configured', async () => {
  const methods = async (asked: SignInService) => (await asked.ask('{ signInMethods }')).json.data.signInMethods;
  expect(await methods(service)).toContain('EMAIL_CODE');
  const silent = await startSignInService({ smtpUrl: '' });
  try {
    expect(await methods(silent)).not.toContain('EMAIL_CODE');
    expect(refusalOf(await silent.ask(requestCode, { email: 'ann@example.com' }))[0]).toBe('FORBIDDEN');
  } finally {
    await silent.stop();
  }
});
