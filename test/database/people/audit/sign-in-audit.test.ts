import { createECDH, randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createSignInCode } from '../../../../src/auth/session.service.js';
import { schema } from '../../../../src/schema.js';
import { Authenticator } from '../../../support/authenticator.js';
import { mutations as walked } from '../../../support/root-operations.js';
import {
  addPasskey,
  createPasskey,
  getPasskeyOptions,
  origin,
  requestCode,
  requestPasskeySignIn,
  requestRegistration,
  type SignInService,
  signInWithCode,
  signInWithPasskey,
  startSignInService,
} from '../../../support/sign-in.js';

let service: SignInService;
beforeAll(async () => {
  service = await startSignInService();
});
afterAll(() => service.stop());

type Person = Awaited<ReturnType<SignInService['signInByLink']>>;
type Operation = [query: string, variables?: Record<string, unknown>, cookie?: string];

/** What a person does for its own access, and how the operation is prepared. */
const changes: Record<string, (person: Person) => Promise<Operation>> = {
  revokeSession: async ({ cookie }) => {
    const { json } = await service.ask('{ viewer { person { sessions { id } } } }', {}, { cookie });
    return [`mutation { revokeSession(id: "${json.data.viewer.person.sessions[0].id}") { sessionId } }`, {}, cookie];
  },
  signOut: async ({ cookie }) => ['mutation { signOut { hasEnded } }', {}, cookie],
  signInWithCode: async ({ email }) => {
    const { code, cookie } = await service.requestCode(email);
    return [signInWithCode, { email, code }, cookie];
  },
  createPasskey: async ({ cookie }) => {
    const { json } = await service.ask(requestRegistration, {}, { cookie });
    const credential = new Authenticator(origin).create(json.data.requestPasskeyRegistration.options);
    return [createPasskey, { name: 'Laptop', credential }, cookie];
  },
  renamePasskey: async ({ cookie }) => {
    const id = await addPasskey(service, cookie, new Authenticator(origin));
    return [`mutation { renamePasskey(id: "${id}", input: { name: "Telephone" }) { passkey { id } } }`, {}, cookie];
  },
  deletePasskey: async ({ cookie }) => {
    const id = await addPasskey(service, cookie, new Authenticator(origin));
    return [`mutation { deletePasskey(id: "${id}") { deletedId } }`, {}, cookie];
  },
  enableAlertPush: async ({ cookie }) => [enablePush, { input: createSubscription() }, cookie],
  disableAlertPush: async ({ cookie }) => {
    const input = createSubscription();
    await run([enablePush, { input }, cookie]);
    return [`mutation { disableAlertPush(input: { url: "${input.url}" }) { publicKey } }`, {}, cookie];
  },
  signInWithPasskey: async ({ cookie }) => {
    const authenticator = new Authenticator(origin);
    await addPasskey(service, cookie, authenticator);
    return [signInWithPasskey, { credential: authenticator.get(await getPasskeyOptions(service)) }];
  },
};
/** What gives out a code or a challenge, and changes nothing. */
const requests: Record<string, (person: Person) => Operation> = {
  requestSignInCode: ({ email }) => [requestCode, { email }],
  requestPasskeySignIn: () => [requestPasskeySignIn],
  requestAlertPush: ({ cookie }) => ['mutation { requestAlertPush { publicKey } }', {}, cookie],
  requestPasskeyRegistration: ({ cookie }) => [requestRegistration, {}, cookie],
};

const enablePush = 'mutation ($input: EnableAlertPushInput!) { enableAlertPush(input: $input) { publicKey } }';
const createSubscription = () => ({
  url: `https://push.example.com/${randomUUID()}`,
  p256dh: createECDH('prime256v1').generateKeys('base64url'),
  auth: randomBytes(16).toString('base64url'),
});

const readEntries = (after: string) =>
  service.database.query<object>(
    `select operation, actor_kind as "actorKind", actor, interface from audit_entry where id > $1 order by id`,
    [after],
  );
const findLastEntry = async () =>
  (await service.database.query<{ id: string }>('select coalesce(max(id), 0) as id from audit_entry'))[0]!.id;
const run = async ([query, variables, cookie]: Operation) => {
  const { json } = await service.ask(query, variables, { cookie });
  expect(json.errors).toBeUndefined();
};

test('every mutation is in these tables, or in the test that walks the others', () => {
  const all = Object.keys(schema.getMutationType()!.getFields());
  const known = [...walked.map(({ name }) => name), ...Object.keys(changes), ...Object.keys(requests)];
  expect(known.toSorted()).toEqual(all.toSorted());
});

test.each(Object.keys(changes))('%s leaves an entry that names the person, and the console', async name => {
  const person = await service.signInByLink();
  const operation = await changes[name]!(person);
  const before = await findLastEntry();
  await run(operation);
  expect(await readEntries(before)).toEqual([
    { operation: name, actorKind: 'person', actor: person.email, interface: 'console' },
  ]);
});

test.each(Object.keys(requests))('%s changes nothing, and leaves none', async name => {
  const person = await service.signInByLink();
  const before = await findLastEntry();
  await run(requests[name]!(person));
  expect(await readEntries(before)).toEqual([]);
});

test('a link, and the button that signs out, leave an entry, too', async () => {
  const person = await service.signInByLink();
  const before = await findLastEntry();
  const code = await createSignInCode(service.database, person.personId);
  const headers = { origin, cookie: person.cookie };
  const opened = await service.call('POST', `/sign-in/${code}`, { token: null, headers });
  const cookie = opened.headers.get('set-cookie')!.split(';')[0]!;
  await service.call('POST', '/sign-in/out', { token: null, headers: { origin, cookie } });
  const by = { actorKind: 'person', actor: person.email, interface: 'console' };
  expect(await readEntries(before)).toEqual([
    { operation: 'signInWithLink', ...by },
    { operation: 'signOut', ...by },
  ]);
});

test('what a person changes is by the console, and what a token changes is not', async () => {
  const person = await service.signInByLink();
  const before = await findLastEntry();
  const create = 'mutation { createPage(input: { name: "Acme" }) { page { id } } }';
  await run([create, {}, person.cookie]);
  await service.graphql(create);
  expect(await readEntries(before)).toMatchObject([
    { operation: 'createPage', actorKind: 'person', actor: person.email, interface: 'console' },
    { operation: 'createPage', actorKind: 'token', interface: 'graphql' },
  ]);
});
