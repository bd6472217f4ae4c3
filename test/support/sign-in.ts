import type { Role } from '../../src/auth/roles.js';
import { createSignInCode } from '../../src/auth/session.service.js';
import type { Settings } from '../../src/core/config.js';
import { serviceOrigin } from '../../src/db/audit.js';
import { invitePerson } from '../../src/people/person.service.js';
import { Writer } from '../../src/records/writer.js';
import type { TransactionalMail } from '../../src/subscribers/confirmation-sender.js';
import type { Authenticator } from './authenticator.js';
import { startTestService, type TestResponse, type TestService } from './service.js';
import { withChannels } from './settings.js';

export const origin = 'https://status.example.com';

/** A service that people sign in to, and a client that asks as a page of its own does. */
export interface SignInService extends TestService {
  mails: TransactionalMail[];
  invite(email: string, role?: Role, pageIds?: string[] | null): Promise<number>;
  /** Sends a query from the origin of the service, or as `headers` say. */
  ask(
    query: string,
    variables?: Record<string, unknown>,
    headers?: Record<string, string | undefined>,
  ): Promise<TestResponse>;
  /** The person of a cookie; null if it has no session. */
  whoIs(cookie: string | undefined): Promise<string | null>;
  /** Signs a new person in by a link. */
  signInByLink(role?: Role): Promise<{ personId: number; email: string; cookie: string }>;
  /** Requests a code in a new browser, and reads it in the mail. `cookie` is that of this browser. */
  requestCode(
    email: string,
    headers?: Record<string, string>,
  ): Promise<{ email: string; code: string; cookie: string }>;
  /** The next mail to an address. */
  waitForMail(to: string): Promise<TransactionalMail>;
}

export async function startSignInService(settings: Partial<Settings> = {}): Promise<SignInService> {
  const mails: TransactionalMail[] = [];
  const sender = {
    sendMail: async (mail: TransactionalMail) => void mails.push(mail),
    sendSms: async () => {},
    postLink: async () => {},
  };
  const service = await startTestService({ publicUrl: origin, ...withChannels, ...settings }, { sender });
  const ownOrigin = settings.publicUrl ?? origin;
  let people = 0;
  const invite: SignInService['invite'] = (email, role = 'owner', pageIds = null) =>
    new Writer(service.database, { origin: serviceOrigin('command', 'invitePerson') }).transaction(unit =>
      invitePerson(unit, email, role, pageIds),
    );
  const ask: SignInService['ask'] = (query, variables = {}, headers = {}) => {
    const all = Object.entries({ origin: ownOrigin, ...headers }).filter(([, value]) => value !== undefined);
    return service.graphql(query, variables, {
      token: null,
      headers: Object.fromEntries(all) as Record<string, string>,
    });
  };
  const waitForMail: SignInService['waitForMail'] = async to => {
    const deadline = Date.now() + 5_000;
    for (;;) {
      const index = mails.findIndex(mail => mail.to === to);
      if (index >= 0) return mails.splice(index, 1)[0]!;
      if (Date.now() > deadline) throw new Error(`no mail to ${to}`);
      await new Promise(done => setTimeout(done, 5));
    }
  };
  return {
    ...service,
    mails,
    invite,
    ask,
    waitForMail,
    requestCode: async (email, headers) => {
      const response = await ask(requestCode, { email }, headers);
      if (response.json.errors) throw new Error(response.text);
      return { email, cookie: codeCookieOf(response)!, code: codeIn(await waitForMail(email)) };
    },
    whoIs: async cookie => {
      const { json } = await ask('{ viewer { person { email } } }', {}, { cookie });
      return json.data.viewer.person?.email ?? null;
    },
    signInByLink: async (role = 'owner') => {
      const email = `by-link-${++people}@example.com`;
      const personId = await invite(email, role);
      const code = await createSignInCode(service.database, personId);
      const response = await service.call('POST', `/sign-in/${code}`, { token: null, headers: { origin: ownOrigin } });
      return { personId, email, cookie: sessionCookieOf(response)! };
    },
  };
}

/** Finds what the browser sends back for a cookie with a secret. */
const findCookie = ({ headers }: TestResponse, name: string): string | undefined =>
  headers
    .getSetCookie()
    .find(cookie => new RegExp(`^(__Host-)?${name}=[\\w-]{43};`).test(cookie))
    ?.split(';')[0];

/** Undefined where no session began. */
export const sessionCookieOf = (response: TestResponse): string | undefined => findCookie(response, 'session');
/** Of the browser that requested a code. */
export const codeCookieOf = (response: TestResponse): string | undefined => findCookie(response, 'sign-in-code');
/** Of a browser that has signed in by a code. */
export const knownCookieOf = (response: TestResponse): string | undefined => findCookie(response, 'signed-in-before');

/** The code of the only error, and the paths of the refused arguments. */
export const refusalOf = ({ json }: TestResponse): [string | undefined, string[] | undefined] => [
  json.errors?.[0]?.extensions.code,
  json.errors?.[0]?.extensions.path,
];

export const requestCode = 'mutation($email: String!) { requestSignInCode(input: { email: $email }) { email } }';
export const signInWithCode = `mutation($email: String!, $code: String!) {
  signInWithCode(input: { email: $email, code: $code }) { email } }`;
export const codeIn = ({ text }: TransactionalMail): string => /^\d{8}$/m.exec(text)![0];

export const requestRegistration = 'mutation { requestPasskeyRegistration { options } }';
export const createPasskey = `mutation($name: String!, $credential: JSON!) {
  createPasskey(input: { name: $name, credential: $credential }) { passkey { id name lastUsedAt isBackedUp } } }`;
export const requestPasskeySignIn = 'mutation { requestPasskeySignIn { options } }';
export const signInWithPasskey =
  'mutation($credential: JSON!) { signInWithPasskey(input: { credential: $credential }) { email } }';

/** Adds a passkey of an authenticator to a person who has signed in. Returns its id. */
export async function addPasskey(service: SignInService, cookie: string, authenticator: Authenticator) {
  const { json } = await service.ask(requestRegistration, {}, { cookie });
  const credential = authenticator.create(json.data.requestPasskeyRegistration.options);
  const added = await service.ask(createPasskey, { name: 'Laptop', credential }, { cookie });
  if (added.json.errors) throw new Error(added.text);
  return added.json.data.createPasskey.passkey.id as string;
}

/** The options of a sign-in by passkey. */
export const getPasskeyOptions = async (service: SignInService) =>
  (await service.ask(requestPasskeySignIn)).json.data.requestPasskeySignIn.options;

/** A browser that begins a sign-in at the provider: where it is led, and the cookie that binds the answer to it. */
export async function beginAtProvider(service: SignInService, query = '', headers: Record<string, string> = {}) {
  const path = `/sign-in/openid-connect${query}`;
  const response = await service.call('GET', path, { token: null, headers });
  return { response, url: response.headers.get('location')!, cookie: findCookie(response, 'sign-in-request')! };
}

/** Opens the address to which the provider leads back. */
export const finishAtProvider = (service: SignInService, { pathname, search }: URL, cookie = '') =>
  service.call('GET', `${pathname}${search}`, { token: null, headers: { cookie, 'sec-fetch-site': 'cross-site' } });
