import type { Settings } from '../../core/config.js';
import { findRelyingParty } from './relying-party.js';

/** The ways to sign in, in the order in which a page offers them. */
export const signInMethods = {
  passkey: 'A passkey: `requestPasskeySignIn`. Offered where PUBLIC_URL has https and a host name, or is localhost.',
  email_code: 'A code by e-mail: `requestSignInCode`. Offered where mail is configured.',
  openid_connect:
    'An account at an identity provider: a link to `/sign-in/openid-connect`. Offered where OIDC_ISSUER is set.',
  link: 'A link that the command line prints: `allclear people invite`. Always there.',
} as const;
export type SignInMethod = keyof typeof signInMethods;

const isOffered: Record<SignInMethod, (settings: Settings) => boolean> = {
  passkey: settings => findRelyingParty(settings) !== null,
  email_code: ({ smtpUrl }) => smtpUrl !== '',
  openid_connect: ({ oidcIssuer }) => oidcIssuer !== '',
  link: () => true,
};

export const offersMethod = (settings: Settings, method: SignInMethod): boolean => isOffered[method](settings);

export const findSignInMethods = (settings: Settings): SignInMethod[] =>
  (Object.keys(signInMethods) as SignInMethod[]).filter(method => offersMethod(settings, method));
