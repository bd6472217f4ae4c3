import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { TestResponse } from '../../support/service.js';
import {
  codeIn,
  origin,
  refusalOf,
  requestCode,
  sessionCookieOf,
  type SignInService,
  signInWithCode,
  startSignInService,
} from '../../support/sign-in.js';
import { recordStatements } from '../../support/statements.js';

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
const signIn = (email: string, code: string, headers: Record<string, string | undefined> = {}) =>
  service.ask(signInWithCode, { email, code }, headers);
const getCode = async (email: string) => {
  expect((await ask(email, fromNetwork())).json.errors).toBeUndefined();
  return codeIn(await service.waitForMail(email));
};
const wrong = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0');
const isRefused = (response: TestResponse) => {
  expect([refusalOf(response), sessionCookieOf(response)]).toEqual([['INVALID', ['code']], undefined]);
};

describe('A code by mail', () => {
  test('signs in once, with a cookie that scripts and other hosts cannot have', async () => {
    await service.invite('Ann@example.com', 'publisher');
    expect((await ask('ann@EXAMPLE.com')).json.data.requestSignInCode).toEqual({ email: 'ann@EXAMPLE.com' });
    const mail = await service.waitForMail('Ann@example.com');
    const code = codeIn(mail);
    const response = await signIn('ann@example.com', `${code.slice(0, 3)} ${code.slice(3)}`);
    expect(response.json).toEqual({ data: { signInWithCode: { email: 'Ann@example.com' } } });
    expect(response.headers.get('set-cookie')).toMatch(
      /^__Host-session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=2592000; Secure$/,
    );
    expect(await service.whoIs(sessionCookieOf(response))).toBe('Ann@example.com');
    isRefused(await signIn('ann@example.com', code));
    const stored = JSON.stringify(await service.database.query('select * from one_time_code'));
    expect([stored.includes(code), stored.includes('ann@')]).toEqual([false, false]);
  });

  test('is used once by requests at the same time', async () => {
    await service.invite('race@example.com');
    const code = await getCode('race@example.com');
    const answers = await Promise.all([1, 2, 3, 4].map(() => signIn('race@example.com', code)));
    expect(answers.filter(answer => sessionCookieOf(answer))).toHaveLength(1);
  });

  test('counts as a recent sign-in, and ends the session that the browser had', async () => {
    const { cookie, email } = await service.signInByLink();
    const response = await signIn(email, await getCode(email), { cookie });
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
    isRefused(await signIn('late@example.com', code));
  });

  test('is refused after 5 wrong ones', async () => {
    await service.invite('guessed@example.com');
    const code = await getCode('guessed@example.com');
    for (let tries = 0; tries < 4; tries += 1) isRefused(await signIn('guessed@example.com', wrong(code)));
    expect(sessionCookieOf(await signIn('guessed@example.com', code))).toBeDefined();
    const second = await getCode('guessed@example.com');
    for (let tries = 0; tries < 5; tries += 1) isRefused(await signIn('guessed@example.com', wrong(second)));
    isRefused(await signIn('guessed@example.com', second));
  });

  test('voids the one before', async () => {
    await service.invite('twice@example.com');
    const first = await getCode('twice@example.com');
    const second = await getCode('twice@example.com');
    if (first !== second) isRefused(await signIn('twice@example.com', first));
    expect(sessionCookieOf(await signIn('twice@example.com', second))).toBeDefined();
  });

  test('of one person does not sign in another', async () => {
    await service.invite('one@example.com');
    await service.invite('other@example.com');
    const code = await getCode('one@example.com');
    if (code !== (await getCode('other@example.com'))) isRefused(await signIn('other@example.com', code));
  });

  test('is refused for a person who is disabled', async () => {
    const personId = await service.invite('gone@example.com');
    const code = await getCode('gone@example.com');
    const disable = 'update person set disabled_at = clock_timestamp() where id = $1';
    await service.database.query(disable, [personId]);
    isRefused(await signIn('gone@example.com', code));
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
    const response = await signIn('forged@example.com', code, headers);
    expect([refusalOf(response)[0], sessionCookieOf(response)]).toEqual(['FORBIDDEN', undefined]);
    expect(sessionCookieOf(await signIn('forged@example.com', code))).toBeDefined();
  });

  test('needs an address', async () => {
    expect(refusalOf(await ask('nobody'))).toEqual(['INVALID', ['email']]);
  });

  test('leaves an entry in the audit log with the person who signed in', async () => {
    await service.invite('logged@example.com');
    await signIn('logged@example.com', await getCode('logged@example.com'));
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
    await ask('unknown@example.com', fromNetwork());
    isRefused(await signIn('unknown@example.com', '123456'));
    isRefused(await signIn('never-asked@example.com', '123456'));
  });
});

describe('Codes', () => {
  test.each(['known-limit@example.com', 'unknown-limit@example.com'])('are limited for the address %s', async email => {
    if (email.startsWith('known')) await service.invite(email);
    for (let count = 0; count < 5; count += 1) expect((await ask(email, fromNetwork())).json.errors).toBeUndefined();
    expect(refusalOf(await ask(email.toUpperCase(), fromNetwork()))[0]).toBe('THROTTLED');
    await service.database.query(`update one_time_code set created_at = created_at - interval '1 hour'`);
    expect((await ask(email, fromNetwork())).json.errors).toBeUndefined();
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
    const burst = () => Promise.all([1, 2, 3].map(() => ask('burst@example.com', fromNetwork())));
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
