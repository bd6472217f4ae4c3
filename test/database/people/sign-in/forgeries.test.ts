import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { createSignInCode } from '../../../../src/auth/session.service.js';
import { requestEmailCode } from '../../../../src/people/sign-in/email-code.service.js';
import { Authenticator, type Deviations } from '../../../support/authenticator.js';
import { client, type Forgery, startForgingProvider } from '../../../support/forging-provider.js';
import type { TestResponse } from '../../../support/service.js';
import {
  addPasskey,
  beginAtProvider,
  finishAtProvider,
  getPasskeyOptions,
  origin,
  requestRegistration,
  sessionCookieOf,
  type SignInService,
  signInWithCode,
  signInWithPasskey,
  startSignInService,
} from '../../../support/sign-in.js';
import { waitUntilEqual } from '../../../support/wait-until-equal.js';

jest.setTimeout(120_000);

/** Generated attacks on each way to sign in: at least 200 each, none of which may begin a session. */
const attempts = 200;
const redirectUri = `${origin}/sign-in/openid-connect/callback`;

let service: SignInService;
let provider: Awaited<ReturnType<typeof startForgingProvider>>;
beforeAll(async () => {
  provider = await startForgingProvider(client.id, client.secret);
  service = await startSignInService({
    oidcIssuer: provider.issuer,
    oidcClientId: client.id,
    oidcClientSecret: client.secret,
    oidcRolesClaim: 'groups',
    oidcRoles: [{ group: 'admins', role: 'owner', pageId: null }],
  });
});
afterAll(async () => {
  await service.stop();
  await provider.stop();
});

type Attack = [name: string, attempt: () => Promise<TestResponse>];

async function expectNoSession(attacks: readonly Attack[]): Promise<void> {
  expect(attacks.length).toBeGreaterThanOrEqual(attempts);
  const countSessions = async () =>
    (await service.database.query<{ count: number }>('select count(*)::int as count from session'))[0]!.count;
  const before = await countSessions();
  const succeeded: string[] = [];
  for (const [name, attempt] of attacks) {
    const response = await attempt();
    if (sessionCookieOf(response) || response.status >= 500) succeeded.push(`${name}: ${response.status}`);
  }
  expect(succeeded).toEqual([]);
  expect(await countSessions()).toBe(before);
}

const repeat = (count: number, name: string, attempt: (index: number) => Promise<TestResponse>): Attack[] =>
  Array.from({ length: count }, (_, index) => [`${name} ${index}`, () => attempt(index)]);

const random = (bytes = 32) => randomBytes(bytes).toString('base64url');
const otherOrigins = [
  'https://evil.example',
  'null',
  'http://status.example.com',
  'https://status.example.com:8443',
  '',
  'https://2017f84a.status.example.com',
  'https://status.example.com.evil.example',
  'https://status.example.co',
  'https://xstatus.example.com',
  'https://status.example.com@evil.example',
  'HTTPS://STATUS.EXAMPLE.COM/',
  'https://status.example.com/',
  'file://',
  'https://example.com',
  'https://status.example.com, https://evil.example',
];
/** Changes one character of a text of base64url. */
const change = (text: string, at: number) => {
  const index = at % text.length;
  const next = text[index] === 'A' ? 'B' : 'A';
  return `${text.slice(0, index)}${next}${text.slice(index + 1)}`;
};

let people = 0;
const invite = async () => {
  const email = `attacked-${++people}@example.com`;
  return { email, personId: await service.invite(email) };
};

describe('Links', () => {
  const open = (code: string, headers: Record<string, string> = { origin }) =>
    service.call('POST', `/sign-in/${code}`, { token: null, headers });
  const create = async () => createSignInCode(service.database, (await invite()).personId);

  test('sign in as they should', async () => {
    expect(sessionCookieOf(await open(await create()))).toBeDefined();
  });

  test('that are guessed, changed, used, expired, stolen or sent from elsewhere sign nobody in', async () => {
    const used = await create();
    await open(used);
    const valid = await create();
    const { personId } = await invite();
    const ofDisabled = await createSignInCode(service.database, personId);
    await service.database.query('update person set disabled_at = clock_timestamp() where id = $1', [personId]);
    const expired = await create();
    await service.database.query(
      `update sign_in_link set expires_at = now() - make_interval(secs => 1)
       where hash = encode(sha256($1::text::bytea), 'hex')`,
      [expired],
    );
    const hashes = await service.database.query<{ hash: string }>('select hash from sign_in_link');
    await expectNoSession([
      ...repeat(60, 'guessed', () => open(random())),
      ...repeat(43, 'changed', index => open(change(valid, index))),
      ...repeat(10, 'used', () => open(used)),
      ...repeat(10, 'expired', () => open(expired)),
      ...repeat(5, 'of a disabled person', () => open(ofDisabled)),
      ...hashes.map(({ hash }): Attack => ['by its hash', () => open(hash.slice(0, 43))]),
      ...otherOrigins.map((other): Attack => [`from ${other}`, () => open(valid, { origin: other })]),
      ...repeat(10, 'by another method', index =>
        service.call(['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'][index % 5]!, `/sign-in/${valid}`, {
          token: null,
          headers: { origin },
        }),
      ),
      ...repeat(40, 'in another spelling', index =>
        open(
          [
            valid.toUpperCase(),
            valid.toLowerCase(),
            `${valid}=`,
            `${valid}%00`,
            `${valid}/`,
            ` ${valid}`,
            `%20${valid}`,
            valid.slice(1),
            `${valid}A`,
            `..%2f${valid}`,
          ][index % 10]!,
        ),
      ),
      ...repeat(10, 'as a cookie', () => service.ask('{ viewer { kind } }', {}, { cookie: `__Host-session=${valid}` })),
    ]);
    expect(sessionCookieOf(await open(valid))).toBeDefined();
  });
});

/** Requests a code for a new person, in a browser and a network of its own. */
async function prepareCode() {
  const { email, personId } = await invite();
  return { email, personId, ...(await issueCode(email)) };
}

async function issueCode(email: string) {
  let cookie = '';
  const mail = await requestEmailCode(service.database, email, {
    network: random(),
    readSecret: () => undefined,
    setSecret: (name, value) => {
      cookie = `__Host-${name}=${value}`;
    },
  });
  return { code: mail!.code, cookie };
}

describe('Codes by mail', () => {
  type Entry = { email: string; code: string; cookie: string };
  const enter = ({ email, code, cookie }: Entry, headers = {}) =>
    service.ask(signInWithCode, { email, code }, { cookie, ...headers });
  const wrong = (code: string, by: number) => String((Number(code) + by) % 1_000_000).padStart(6, '0');

  test('sign in as they should', async () => {
    expect(sessionCookieOf(await enter(await prepareCode()))).toBeDefined();
  });

  test('that are guessed, used, expired, of others or sent from elsewhere sign nobody in', async () => {
    const guessed = await prepareCode();
    const used = await prepareCode();
    await enter(used);
    const replaced = await prepareCode();
    const { cookie: replacement } = await issueCode(replaced.email);
    const expired = await prepareCode();
    await service.database.query(
      `update one_time_code set expires_at = now() - make_interval(secs => 1)
       where id = (select max(id) from one_time_code)`,
    );
    const disabled = await prepareCode();
    await service.database.query('update person set disabled_at = clock_timestamp() where id = $1', [
      disabled.personId,
    ]);
    const spelled = await prepareCode();
    const elsewhere = await prepareCode();
    const { code } = spelled;
    const spellings = [
      '',
      ' ',
      code.slice(1),
      `${code}0`,
      `0${code}`,
      `${code}\u0000`,
      `+${code}`,
      `-${code}`,
      `${code}.0`,
      `${code}e0`,
      [...code].map(digit => String.fromCharCode(0xff10 + Number(digit))).join(''),
      `'${code}'`,
      '%',
      '______',
      '[object]',
    ];
    await expectNoSession([
      // With the right code at the end, when its tries are used up.
      ...repeat(60, 'guessed', index => enter({ ...guessed, code: wrong(guessed.code, index + 1) })),
      ...repeat(20, 'right, after too many tries', () => enter(guessed)),
      ...repeat(20, 'used', () => enter(used)),
      ...repeat(4, 'replaced', index => enter({ ...replaced, cookie: replacement, code: wrong(replaced.code, index) })),
      ...repeat(20, 'of another browser', index =>
        enter({
          ...elsewhere,
          cookie: ['', guessed.cookie, replaced.cookie, `__Host-sign-in-code=${random()}`][index % 4]!,
        }),
      ),
      ...repeat(20, 'expired', () => enter(expired)),
      ...repeat(20, 'of a disabled person', () => enter(disabled)),
      ...repeat(20, 'for another address', () => enter({ ...spelled, email: spelled.email.replace('@', '+x@') })),
      ...otherOrigins.map((other): Attack => [`from ${other}`, () => enter(elsewhere, { origin: other })]),
      ...repeat(10, 'of another site', index =>
        enter(elsewhere, { 'sec-fetch-site': ['cross-site', 'same-site', 'none'][index % 3] }),
      ),
      ...spellings.map(
        (spelling): Attack => [`spelled ${JSON.stringify(spelling)}`, () => enter({ ...spelled, code: spelling })],
      ),
      ...repeat(10, 'of nobody', index => enter({ ...spelled, email: `nobody-${index}@example.com`, code: '000000' })),
    ]);
    expect(sessionCookieOf(await enter(elsewhere))).toBeDefined();
  });
});

describe('Passkeys', () => {
  const prepare = async () => {
    const { cookie, personId } = await service.signInByLink();
    const authenticator = new Authenticator(origin);
    await addPasskey(service, cookie, authenticator);
    return { authenticator, personId, cookie };
  };
  const send = (credential: unknown, headers = {}) => service.ask(signInWithPasskey, { credential }, headers);

  test('sign in as they should', async () => {
    const { authenticator } = await prepare();
    expect(sessionCookieOf(await send(authenticator.get(await getPasskeyOptions(service))))).toBeDefined();
  });

  test('whose signature is forged, changed, repeated, copied or for another origin sign nobody in', async () => {
    const victim = await prepare();
    const attacker = await prepare();
    const deviate = (deviations: Deviations) => async () =>
      send(victim.authenticator.get(await getPasskeyOptions(service), deviations));
    const { options: ofRegistration } = (await service.ask(requestRegistration, {}, { cookie: victim.cookie })).json
      .data.requestPasskeyRegistration;
    const singles: [string, Deviations][] = [
      ...otherOrigins.map((other): [string, Deviations] => [`origin ${other}`, { origin: other }]),
      ...['example.com', 'evil.example', '2017f84a.status.example.com', 'com', ''].map((rpId): [string, Deviations] => [
        `relying party ${rpId}`,
        { rpId },
      ]),
      ...['webauthn.create', 'payment.get', '', 'WEBAUTHN.GET'].map((type): [string, Deviations] => [
        `type ${type}`,
        { type },
      ]),
      ...[0x00, 0x01, 0x04, 0x10, 0x11, 0x15].map((flags): [string, Deviations] => [`flags ${flags}`, { flags }]),
      ...Array.from({ length: 10 }, (): [string, Deviations] => ['challenge of nobody', { challenge: random() }]),
      ['challenge of a registration', { challenge: ofRegistration.challenge }],
      ['key of somebody else', { key: attacker.authenticator.privateKey }],
      ['user handle of somebody else', { userHandle: Buffer.from(String(attacker.personId)).toString('base64url') }],
      ['user handle of nobody', { userHandle: Buffer.from('0').toString('base64url') }],
      ['credential of nobody', { credentialId: random() }],
      ['in a frame of another origin', { crossOrigin: true }],
    ];
    const pairs = singles.flatMap(([name, one], index) => {
      const [otherName, other] = singles[(index * 7 + 3) % singles.length]!;
      return [[`${name} and ${otherName}`, { ...one, ...other }]] as [string, Deviations][];
    });
    const repeated = victim.authenticator.get(await getPasskeyOptions(service));
    expect(sessionCookieOf(await send(repeated))).toBeDefined();
    const edit = async (member: string, at: number) => {
      const credential = victim.authenticator.get(await getPasskeyOptions(service)) as {
        response: Record<string, string>;
      };
      // Not the last character, which may have bits that mean nothing.
      credential.response[member] = change(
        credential.response[member]!,
        at % (credential.response[member]!.length - 2),
      );
      return send(credential);
    };
    const malformed = [
      null,
      1,
      'x',
      [],
      {},
      { id: 'x' },
      { id: {}, response: {} },
      { response: null },
      { id: null, response: [] },
    ];
    await expectNoSession([
      ...[...singles, ...pairs].map(([name, deviations]): Attack => [name, deviate(deviations)]),
      ...repeat(20, 'repeated', () => send(repeated)),
      ...repeat(30, 'changed signature', index => edit('signature', 12 + index)),
      ...repeat(20, 'changed authenticator data', index => edit('authenticatorData', index)),
      ...repeat(20, 'changed client data', index => edit('clientDataJSON', 3 * index)),
      ...malformed.map((credential): Attack => [`malformed ${JSON.stringify(credential)}`, () => send(credential)]),
      ...otherOrigins.map(
        (other): Attack => [
          `sent from ${other}`,
          async () => send(victim.authenticator.get(await getPasskeyOptions(service)), { origin: other }),
        ],
      ),
      // The counter of a copy falls behind.
      ...repeat(5, 'copied', async index =>
        send(victim.authenticator.get(await getPasskeyOptions(service), { counter: index % 2 })),
      ),
    ]);
  });
});

describe('Answers of a provider', () => {
  const sign = async (
    forgery: Forgery,
    { alter = (back: URL) => back, cookie: own = (given: string) => given } = {},
  ) => {
    const { url, cookie } = await beginAtProvider(service);
    return finishAtProvider(service, alter(provider.answer(url, redirectUri, forgery)), own(cookie));
  };
  /** All that is needed, so that UserInfo, which is of another subject, is not asked. */
  const honest = { email: 'victim@example.com', email_verified: true, groups: [] };

  test('sign in as they should', async () => {
    await service.invite('honest@example.com');
    const claims = { sub: 'honest', email: 'honest@example.com', email_verified: true, groups: [] };
    expect(sessionCookieOf(await sign({ claims }))).toBeDefined();
  });

  test('may leave the address to UserInfo, with whether it is verified', async () => {
    await service.invite('in-user-info@example.com');
    const userInfo = { sub: 'user-info', email: 'in-user-info@example.com', email_verified: true };
    expect(sessionCookieOf(await sign({ claims: { sub: 'user-info' }, userInfo }))).toBeDefined();
  });

  test.each(['/token', '/me'])('of more than 1 MB at %s sign nobody in', async path => {
    await service.invite('long@example.com');
    const forgery = {
      claims: { sub: 'long' },
      userInfo: { sub: 'long', email: 'long@example.com', email_verified: true },
    };
    provider.pad(path, 1024 * 1024);
    const response = await sign(forgery).finally(() => provider.pad('', 0));
    expect([response.status, sessionCookieOf(response)]).toEqual([403, undefined]);
    expect(sessionCookieOf(await sign(forgery))).toBeDefined();
  });

  test('that are forged, repeated, of others or about unverified addresses sign nobody in', async () => {
    await service.invite('victim@example.com');
    const { personId } = await invite();
    await service.database.query('update person set disabled_at = clock_timestamp() where id = $1', [personId]);
    const now = Math.floor(Date.now() / 1_000);
    const forged: [string, Forgery][] = [
      ...['https://evil.example', `${provider.issuer}/`, '', 'null', 'https://accounts.google.com'].map(
        (iss): [string, Forgery] => [`issuer ${iss}`, { claims: { ...honest, iss } }],
      ),
      ...['other', '', ['other'], [], [client.id, 'other'], null].map((aud): [string, Forgery] => [
        `audience ${aud}`,
        { claims: { ...honest, aud } },
      ]),
      ...[now - 3_600, 0, -1, 'x', null].map((exp): [string, Forgery] => [
        `expiry ${exp}`,
        { claims: { ...honest, exp } },
      ]),
      ...[random(), '', null, 0].map((nonce): [string, Forgery] => [
        `nonce ${nonce}`,
        { claims: { ...honest, nonce } },
      ]),
      ...[null, 1, {}, [], '', 'x'.repeat(256), random(10_000), 'a\0', 'a\ud800'].map((sub): [string, Forgery] => [
        `subject ${String(sub).slice(0, 20)}`,
        { claims: { ...honest, sub } },
      ]),
      ...['other', 'none', 'clientSecret', 'publicKey'].flatMap(key =>
        ['RS256', 'none', 'HS256', 'None', 'PS256', 'ES256'].map((alg): [string, Forgery] => [
          `signed by ${key} as ${alg}`,
          { claims: honest, key: key as 'other', header: { alg } },
        ]),
      ),
      ...[false, 'true', 'false', 1, 0, null, {}, [true], 'yes', ''].map((verified): [string, Forgery] => [
        `verified ${JSON.stringify(verified)}`,
        { claims: { ...honest, email_verified: verified } },
      ]),
      ...[
        null,
        '',
        'victim',
        'victim@',
        {},
        ['victim@example.com'],
        'nobody@example.com',
        'victim@example.com\u0000',
        'v\u0130ctim@example.com',
      ].map((email): [string, Forgery] => [`address ${JSON.stringify(email)}`, { claims: { ...honest, email } }]),
      ...Array.from({ length: 30 }, (_, index): [string, Forgery] => [
        `changed token ${index}`,
        { claims: honest, edit: token => change(token, 3 + index * 11) },
      ]),
      ['of a disabled person', { claims: { ...honest, sub: 'gone', email: `attacked-${people}@example.com` } }],
      ['verified by the UserInfo of another subject', { claims: { sub: 'a' }, userInfo: { ...honest, sub: 'b' } }],
      [
        'unverified in the token, verified by UserInfo',
        { claims: { email: 'victim@example.com', email_verified: false }, userInfo: honest },
      ],
      [
        'in the token, where UserInfo has verified another',
        { claims: { email: 'victim@example.com' }, userInfo: { ...honest, email: 'own@evil.example' } },
      ],
      [
        'in UserInfo, where the token says that some address is verified',
        { claims: { email_verified: true }, userInfo: { email: 'victim@example.com' } },
      ],
    ];
    const { url, cookie } = await beginAtProvider(service);
    const back = provider.answer(url, redirectUri, {
      claims: { ...honest, sub: 'repeated', email: 'honest@example.com' },
    });
    await finishAtProvider(service, back, cookie);
    const alterations: [string, (back: URL) => URL][] = ['state', 'code', 'error', 'iss', 'response'].flatMap(name =>
      ['', random(), 'x', '%00', 'null', `${name}&${name}=2`].map((value): [string, (back: URL) => URL] => [
        `${name}=${value}`,
        given => {
          given.searchParams.set(name, value);
          return given;
        },
      ]),
    );
    const cookies = [
      '',
      'x',
      '__Host-sign-in-request=',
      `__Host-sign-in-request=${random()}`,
      `sign-in-request=${random()}`,
      `__Host-session=${random()}`,
    ];
    await expectNoSession([
      ...forged.map(([name, forgery]): Attack => [name, () => sign(forgery)]),
      ...alterations
        // Parameters that the protocol ignores change nothing.
        .filter(([name]) => !name.startsWith('response=&'))
        .map(
          ([name, alter]): Attack => [
            `answer with ${name}`,
            () => sign({ claims: { ...honest, email_verified: false } }, { alter }),
          ],
        ),
      ...alterations
        // An empty parameter is one that was left out (RFC 6749, 3.1), and these two may be.
        .filter(([name]) => /^(state|code|error|iss)=/.test(name) && !/^(error|iss)=$/.test(name))
        .map(([name, alter]): Attack => [`honest answer with ${name}`, () => sign({ claims: honest }, { alter })]),
      ...repeat(30, 'repeated', () => finishAtProvider(service, back, cookie)),
      ...cookies.map(
        (other): Attack => [`with the cookie ${other}`, () => sign({ claims: honest }, { cookie: () => other })],
      ),
      ...repeat(10, 'in another browser', async () => {
        const other = await beginAtProvider(service);
        return sign({ claims: honest }, { cookie: () => other.cookie });
      }),
      ...repeat(5, 'with two cookies', () =>
        sign({ claims: honest }, { cookie: given => `${given}; __Host-sign-in-request=${random()}` }),
      ),
    ]);
  });
});

/** A session that an attacker has put into the browser must not become that of its person. */
test('a cookie that was there before the sign-in is worth nothing after it', async () => {
  const planted = [
    random(),
    ...(await Promise.all([1, 2, 3].map(async () => (await service.signInByLink()).cookie.split('=')[1]!))),
  ];
  for (const secret of planted) {
    const cookie = `__Host-session=${secret}`;
    const { email, personId, ...requested } = await prepareCode();
    const link = await createSignInCode(service.database, personId);
    const answers = [
      await service.ask(signInWithCode, { email, code: requested.code }, { cookie: `${cookie}; ${requested.cookie}` }),
      await service.call('POST', `/sign-in/${link}`, { token: null, headers: { origin, cookie } }),
    ];
    for (const answer of answers) {
      const next = sessionCookieOf(answer)!;
      expect(next).not.toBe(cookie);
      expect(await service.whoIs(next)).toBe(email);
    }
    // Processes forget a session within a second.
    await waitUntilEqual(() => service.whoIs(cookie), null);
  }
});
