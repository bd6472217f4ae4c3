import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { serviceOrigin } from '../../../../src/db/audit.js';
import { disablePerson } from '../../../../src/people/person.service.js';
import { Writer } from '../../../../src/records/writer.js';
import { withAndroidAttestation } from '../../../support/android-attestation.js';
import { Authenticator, type Deviations } from '../../../support/authenticator.js';
import { startReceiver } from '../../../support/http-receiver.js';
import {
  addPasskey,
  createPasskey,
  getPasskeyOptions,
  origin,
  refusalOf,
  requestPasskeySignIn,
  requestRegistration,
  sessionCookieOf,
  type SignInService,
  signInWithPasskey,
  startSignInService,
} from '../../../support/sign-in.js';
import { waitUntilEqual } from '../../../support/wait-until-equal.js';

let service: SignInService;
beforeAll(async () => {
  service = await startSignInService();
});
afterAll(() => service.stop());

const begin = async () => {
  const person = await service.signInByLink();
  const authenticator = new Authenticator(origin);
  return { ...person, authenticator };
};
const withPasskey = async () => {
  const person = await begin();
  return { ...person, passkeyId: await addPasskey(service, person.cookie, person.authenticator) };
};
const register = async (cookie: string, authenticator: Authenticator, deviations: Deviations = {}) => {
  const { json } = await service.ask(requestRegistration, {}, { cookie });
  const credential = authenticator.create(json.data.requestPasskeyRegistration.options, deviations);
  return service.ask(createPasskey, { name: 'Laptop', credential }, { cookie });
};
const signIn = (credential: object, headers = {}) => service.ask(signInWithPasskey, { credential }, headers);
const passkeysOf = async (cookie: string) =>
  (await service.ask('{ viewer { person { passkeys { id name lastUsedAt } } } }', {}, { cookie })).json.data.viewer
    .person.passkeys;
const age = (personId: number) =>
  service.database.query(
    `update session set created_at = clock_timestamp() - interval '11 minutes' where person_id = $1`,
    [personId],
  );

describe('A passkey', () => {
  test('is created for the origin of the settings and asks for a discoverable, verified credential', async () => {
    const { cookie, email } = await begin();
    const { json } = await service.ask(requestRegistration, {}, { cookie });
    expect(json.data.requestPasskeyRegistration.options).toMatchObject({
      rp: { id: 'status.example.com', name: 'All Clear' },
      user: { name: email },
      attestation: 'none',
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    });
  });

  test('signs in without an address, and begins a recent session', async () => {
    const { authenticator, email, cookie } = await withPasskey();
    const options = await getPasskeyOptions(service);
    expect(options).toMatchObject({ rpId: 'status.example.com', userVerification: 'required' });
    expect(options.allowCredentials ?? []).toEqual([]);
    const response = await signIn(authenticator.get(options), { cookie });
    expect(response.json).toEqual({ data: { signInWithPasskey: { email } } });
    const next = sessionCookieOf(response)!;
    expect(await service.whoIs(next)).toBe(email);
    expect((await passkeysOf(next))[0].lastUsedAt).not.toBeNull();
    const makeToken = 'mutation { createToken(input: { label: "x", role: VIEWER }) { token { id } } }';
    expect((await service.ask(makeToken, {}, { cookie: next })).json.errors).toBeUndefined();
  });

  test('signs in with null as its user handle, and not with a number', async () => {
    const { authenticator, email } = await withPasskey();
    const signInWith = async (userHandle: unknown) => {
      const credential = authenticator.get(await getPasskeyOptions(service)) as { response: object };
      return (await signIn({ ...credential, response: { ...credential.response, userHandle } })).json;
    };
    expect(await signInWith(null)).toEqual({ data: { signInWithPasskey: { email } } });
    expect((await signInWith(5)).errors[0].extensions.code).toBe('INVALID');
  });

  test('is one of several, is renamed, and signs nobody in once it is deleted', async () => {
    const { authenticator, cookie, passkeyId } = await withPasskey();
    const other = new Authenticator(origin);
    const otherId = await addPasskey(service, cookie, other);
    const rename =
      'mutation($id: ID!, $name: String!) { renamePasskey(id: $id, input: { name: $name }) { passkey { name } } }';
    expect((await service.ask(rename, { id: otherId, name: 'Phone' }, { cookie })).json.errors).toBeUndefined();
    expect(refusalOf(await service.ask(rename, { id: otherId, name: ' ' }, { cookie }))).toEqual([
      'INVALID',
      ['input', 'name'],
    ]);
    expect(await passkeysOf(cookie)).toMatchObject([
      { id: passkeyId, name: 'Laptop' },
      { id: otherId, name: 'Phone' },
    ]);
    const remove = 'mutation($id: ID!) { deletePasskey(id: $id) { deletedId } }';
    const { cookie: cookieOfOther } = await service.signInByLink();
    for (const query of [rename, remove])
      expect(refusalOf(await service.ask(query, { id: passkeyId, name: 'Mine' }, { cookie: cookieOfOther }))[0]).toBe(
        'NOT_FOUND',
      );
    expect((await service.ask(remove, { id: passkeyId }, { cookie })).json.errors).toBeUndefined();
    expect(refusalOf(await signIn(authenticator.get(await getPasskeyOptions(service))))[0]).toBe('INVALID');
    expect(sessionCookieOf(await signIn(other.get(await getPasskeyOptions(service))))).toBeDefined();
    const log = await service.database.query(
      `select operation from audit_entry where subject = 'Passkey' order by id desc limit 3`,
    );
    expect(log).toEqual(['deletePasskey', 'renamePasskey', 'createPasskey'].map(operation => ({ operation })));
  });

  test('is added and deleted only after a recent sign-in, and by people alone', async () => {
    const { cookie, personId, passkeyId } = await withPasskey();
    const { json } = await service.ask(requestRegistration, {}, { cookie });
    const credential = new Authenticator(origin).create(json.data.requestPasskeyRegistration.options);
    const remove = `mutation { deletePasskey(id: "${passkeyId}") { deletedId } }`;
    for (const query of [requestRegistration, remove]) {
      expect(refusalOf(await service.ask(query))[0]).toBe('UNAUTHENTICATED');
      expect(refusalOf(await service.graphql(query))[0]).toBe('FORBIDDEN');
    }
    await age(personId);
    // Processes forget a session within a second.
    const ask = () => service.ask(createPasskey, { name: 'x', credential: { id: 'x' } }, { cookie });
    await waitUntilEqual(async () => refusalOf(await ask())[0], 'FORBIDDEN');
    const added = await service.ask(createPasskey, { name: 'Late', credential }, { cookie });
    expect(added.json.errors[0].message).toMatch(/^Sign in again/);
    expect(refusalOf(await service.ask(remove, {}, { cookie }))[0]).toBe('FORBIDDEN');
  });

  test('of somebody else cannot be added again', async () => {
    const { authenticator } = await withPasskey();
    const { cookie } = await begin();
    expect(refusalOf(await register(cookie, authenticator))).toEqual(['INVALID', ['input', 'credential']]);
  });

  test('has no attestation: certificates that come with it are not read, and the URLs in them not loaded', async () => {
    const { cookie, authenticator } = await begin();
    const receiver = await startReceiver();
    try {
      const { json } = await service.ask(requestRegistration, {}, { cookie });
      const plain = authenticator.create(json.data.requestPasskeyRegistration.options);
      const credential = await withAndroidAttestation(plain, authenticator.privateKey, `${receiver.url}/revoked`);
      const { text } = await service.ask(createPasskey, { name: 'Phone', credential }, { cookie });
      expect(receiver.requests).toEqual([]);
      expect(text).toContain('"name":"Phone"');
      expect(sessionCookieOf(await signIn(authenticator.get(await getPasskeyOptions(service))))).toBeDefined();
    } finally {
      await receiver.stop();
    }
  });

  test('goes with its person', async () => {
    const { authenticator, email, personId } = await withPasskey();
    const write = new Writer(service.database, { origin: serviceOrigin('command', 'disablePerson') });
    await write.transaction(unit => disablePerson(unit, personId));
    await service.invite(email);
    expect(refusalOf(await signIn(authenticator.get(await getPasskeyOptions(service))))[0]).toBe('INVALID');
  });

  test('counts once for requests at the same time', async () => {
    const { authenticator } = await withPasskey();
    const credential = authenticator.get(await getPasskeyOptions(service));
    const answers = await Promise.all([1, 2, 3, 4].map(() => signIn(credential)));
    expect(answers.filter(answer => sessionCookieOf(answer))).toHaveLength(1);
  });

  test('is limited to 20 a person', async () => {
    const { cookie, personId } = await withPasskey();
    await service.database.query(
      `insert into passkey (person_id, credential_id, public_key, counter, transports, name, is_backed_up, created_at)
       select $1, 'ofTest' || n, '', 0, '{}', 'x', false, clock_timestamp() from generate_series(1, 19) n`,
      [personId],
    );
    expect(refusalOf(await register(cookie, new Authenticator(origin)))).toEqual(['INVALID', ['input', 'credential']]);
  });
});

test.each([{ toString: 1 }, [[{ toString: 1 }]], 1, null])('a credential with the id %j is refused', async id => {
  const { authenticator } = await withPasskey();
  const credential = { ...authenticator.get(await getPasskeyOptions(service)), id };
  expect(refusalOf(await signIn(credential))[0]).toBe('INVALID');
});

const registrationForgeries: [string, Deviations][] = [
  ['of another origin', { origin: 'https://evil.example' }],
  ['of a page on a subdomain', { origin: 'https://2017f84a.status.example.com' }],
  ['of the origin without https', { origin: 'http://status.example.com' }],
  ['for another relying party', { rpId: 'example.com' }],
  ['with the type of a sign-in', { type: 'webauthn.get' }],
  ['with a challenge of nobody', { challenge: 'A'.repeat(43) }],
  ['in a frame of another origin', { crossOrigin: true }],
  ['without verification of the user', { flags: 0x41 }],
  ['without presence of the user', { flags: 0x44 }],
];

test.each(registrationForgeries)('a registration %s is refused', async (_, deviations) => {
  const { cookie, authenticator } = await begin();
  expect(refusalOf(await register(cookie, authenticator, deviations))).toEqual(['INVALID', ['input', 'credential']]);
  expect(await passkeysOf(cookie)).toEqual([]);
});

describe('Options', () => {
  test('of a registration are for one person, and used up by it', async () => {
    const ann = await begin();
    const bob = await begin();
    const { json } = await service.ask(requestRegistration, {}, { cookie: ann.cookie });
    const { options } = json.data.requestPasskeyRegistration;
    const add = (cookie: string, authenticator: Authenticator) =>
      service.ask(createPasskey, { name: 'x', credential: authenticator.create(options) }, { cookie });
    expect(refusalOf(await add(bob.cookie, bob.authenticator))[0]).toBe('INVALID');
    expect((await add(ann.cookie, ann.authenticator)).json.errors).toBeUndefined();
    expect(refusalOf(await add(ann.cookie, new Authenticator(origin)))[0]).toBe('INVALID');
  });

  test('of a sign-in expire after 5 minutes', async () => {
    const { authenticator } = await withPasskey();
    const options = await getPasskeyOptions(service);
    await service.database.query(`update passkey_challenge set expires_at = expires_at - interval '5 minutes'`);
    expect(refusalOf(await signIn(authenticator.get(options)))[0]).toBe('INVALID');
  });

  test('are for pages of this service alone', async () => {
    const response = await service.ask(requestPasskeySignIn, {}, { origin: 'https://evil.example' });
    expect(refusalOf(response)[0]).toBe('FORBIDDEN');
  });
});

test.each([
  ['https://status.example.com', true],
  ['http://localhost:3000', true],
  ['http://status.example.com', false],
  ['https://192.0.2.1', false],
  ['https://[2001:db8::1]', false],
])('with PUBLIC_URL=%s passkeys are offered: %s', async (publicUrl, isOffered) => {
  const other = await startSignInService({ publicUrl });
  try {
    const { json } = await other.ask('{ signInMethods }');
    expect(json.data.signInMethods.includes('PASSKEY')).toBe(isOffered);
    const response = await other.ask(requestPasskeySignIn, {}, { origin: publicUrl });
    expect(refusalOf(response)[0]).toBe(isOffered ? undefined : 'FORBIDDEN');
  } finally {
    await other.stop();
  }
});
