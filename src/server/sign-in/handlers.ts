import type { Caller } from '../../auth/access.js';
import { redeemSignInCode, type SignedIn } from '../../auth/session.service.js';
import { Refusal } from '../../core/errors.js';
import { personOrigin } from '../../db/audit.js';
import type { ApiDependencies } from '../../graphql/context.js';
import type { Browser } from '../../http/browser.js';
import { endSession } from '../../people/person.service.js';
import { Writer } from '../../records/writer.js';
import { redeemEmailCode, requestEmailCode } from '../../people/sign-in/email-code.service.js';
import type { IdentityProvider } from '../../people/sign-in/identity-provider.js';
import {
  type IdentityRefusal,
  signInWithIdentity,
  storeRequest,
  takeRequest,
} from '../../people/sign-in/identity.service.js';
import { findSignInMethods, offersMethod } from '../../people/sign-in/sign-in-methods.js';
import { parseEmailAddress } from '../../core/address.js';
import { renderCodeForm, renderLinkForm, renderMessage, renderSession, renderSignIn, type SignInPage } from './page.js';
import { parseReturnPath } from './return-path.js';

interface SignInRequest {
  browser: Browser;
  /** With the question mark; empty without one. */
  query: string;
  form: URLSearchParams;
  /** The secret in the path of a link. */
  link: string;
}

type SignInResponse = { status: number; body: string } | { location: string };

interface SignInDependencies extends Pick<ApiDependencies, 'database' | 'authenticator' | 'settings' | 'services'> {
  provider: IdentityProvider | null;
}

export type Handler = (request: SignInRequest, deps: SignInDependencies) => Promise<SignInResponse>;

const invalid = (body: string): SignInResponse => ({ status: 422, body });
const notOffered: SignInResponse = {
  status: 404,
  body: renderMessage('Not offered', 'This service does not offer this way to sign in.'),
};

function begin(browser: Browser, { secret }: SignedIn, to: string): SignInResponse {
  browser.setSession(secret);
  return { location: to };
}

const findCaller = async (
  { browser }: SignInRequest,
  { authenticator }: SignInDependencies,
): Promise<Caller | undefined> =>
  browser.session === undefined ? undefined : authenticator.authenticateSession(browser.session);

/** The ways to sign in, or the session that the browser has; with `again` both. */
export const showPage: Handler = async (request, deps) => {
  const { database, settings } = deps;
  const parameters = new URLSearchParams(request.query);
  const to = parseReturnPath(parameters.get('to'));
  const caller = await findCaller(request, deps);
  if (caller?.kind !== 'person')
    return { status: 200, body: renderPageOf(deps, { to, isUnsent: parameters.has('unsent') }) };
  const [person] = await database.query<{ email: string; passkeys: { id: number; name: string }[] }>(
    `select email, (select coalesce(json_agg(json_build_object('id', id, 'name', name) order by id), '[]')
       from passkey where person_id = p.id) as passkeys
     from person p where id = $1`,
    [caller.personId],
  );
  if (parameters.has('again')) return { status: 200, body: renderPageOf(deps, { to, signedInAs: person!.email }) };
  const passkeys = offersMethod(settings, 'passkey') ? person!.passkeys : null;
  return { status: 200, body: renderSession({ email: person!.email, passkeys }) };
};

const renderPageOf = (
  { settings }: SignInDependencies,
  page: Pick<SignInPage, 'to' | 'problem' | 'isUnsent' | 'signedInAs'>,
): string => renderSignIn({ ...page, methods: findSignInMethods(settings), providerName: settings.oidcName });

export const sendCode: Handler = async ({ browser, form }, deps) => {
  const { database, settings, services } = deps;
  if (!offersMethod(settings, 'email_code')) return notOffered;
  const to = parseReturnPath(form.get('to'));
  const email = parseEmailAddress(form.get('email') ?? '');
  if (!email) return invalid(renderPageOf(deps, { to, problem: 'Enter an e-mail address, as in anna@example.com.' }));
  const mail = await requestEmailCode(database, email, browser);
  if (mail) services.sendSignInCode(mail.to, mail.code);
  return { status: 200, body: renderCodeForm({ email, to }) };
};

export const enterCode: Handler = async ({ browser, form }, { database, settings }) => {
  if (!offersMethod(settings, 'email_code')) return notOffered;
  const to = parseReturnPath(form.get('to'));
  const email = form.get('email') ?? '';
  const code = form.get('code') ?? '';
  const signedIn = await redeemEmailCode(database, { email, code }, browser);
  if (signedIn) return begin(browser, signedIn, to);
  const problem =
    'The code is wrong, was used, is too old, or was requested in another browser. ' +
    'After 5 attempts, request a new code.';
  return invalid(renderCodeForm({ email, to, problem }));
};

/** Opening a link does not use it, since mail scanners and chats open links as well: its form signs in. */
export const showLink: Handler = async () => ({ status: 200, body: renderLinkForm() });

export const useLink: Handler = async ({ browser, link }, { database }) => {
  const signedIn = await redeemSignInCode(database, link, browser);
  if (signedIn) return begin(browser, signedIn, parseReturnPath(null));
  const text = 'This link was used, or is older than 15 minutes. Ask for another.';
  return { status: 410, body: renderMessage('This link is no longer valid', text) };
};

export const signOut: Handler = async (request, deps) => {
  const caller = await findCaller(request, deps);
  if (caller?.kind === 'person') {
    const { sessionId, personId } = caller;
    const origin = personOrigin(personId, 'signOut', request.browser.requestId);
    const write = new Writer(deps.database, { origin });
    await endSession({ write, authenticator: deps.authenticator }, caller, String(sessionId));
  }
  request.browser.removeSession();
  return { location: '/sign-in' };
};

/** The cookie that binds the answer of the provider to the browser that asked. */
const requestCookie = 'sign-in-request';
const requestSeconds = 600;

export const beginAtProvider: Handler = async ({ browser, query }, { database, provider }) => {
  if (!provider) return notOffered;
  const { url, checks } = await provider.begin().catch(error => {
    throw new ProviderError(error);
  });
  const returnTo = parseReturnPath(new URLSearchParams(query).get('to'));
  browser.setSecret(requestCookie, await storeRequest(database, { ...checks, returnTo }), requestSeconds);
  return { location: url.href };
};

export const finishAtProvider: Handler = async ({ browser, query }, { database, provider, settings }) => {
  if (!provider) return notOffered;
  const secret = browser.readSecret(requestCookie);
  browser.setSecret(requestCookie, '', 0);
  const pending = secret === undefined ? null : await takeRequest(database, secret);
  if (!pending) throw new ProviderError(new Error('there is no request of this browser'));
  const identity = await provider.finish(query, pending).catch(error => {
    throw new ProviderError(error);
  });
  const result = await signInWithIdentity(database, identity, settings.oidcRoles, browser);
  if (typeof result !== 'string') return begin(browser, result, pending.returnTo);
  return { status: 403, body: renderMessage('You are not signed in', identityRefusals[result]) };
};

const identityRefusals: Record<IdentityRefusal, string> = {
  unverified: 'The identity provider has not verified your e-mail address, or does not pass it on.',
  unknown: 'Nobody with your e-mail address is invited here. Ask an owner for an invitation.',
  disabled: 'This person is disabled. Ask an owner of all pages.',
  otherSubject: 'Your e-mail address belongs to another account here. Ask an owner of all pages.',
};

/** The provider was not reached, refused, or has sent what belongs to no request. The reason is for the log. */
export class ProviderError extends Refusal {
  constructor(cause: unknown) {
    super('FORBIDDEN', 'The sign-in at the identity provider was not completed. Begin again.');
    this.cause = cause;
  }
}
