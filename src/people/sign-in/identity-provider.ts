import * as client from 'openid-client';
import { parseConsoleUrl, type Settings } from '../../core/config.js';
import { isStorable } from '../../core/validation.js';
import { createGuardedFetch } from '../../http/guarded-request.js';

/** Below the origin of PUBLIC_URL; registered with the provider as the redirect URI. */
export const callbackPath = '/sign-in/openid-connect/callback';
const timeoutSeconds = 10;
/** Of each response. The keys of a provider, and its tokens, have some kilobytes. */
const maxResponseBytes = 1024 * 1024;
/** By OpenID Connect. */
const maxSubjectLength = 255;

/** What binds a response of the provider to the request that asked for it. */
export interface RequestChecks {
  state: string;
  nonce: string;
  codeVerifier: string;
}

/** The user whom the provider has authenticated. */
export interface ProviderIdentity {
  issuer: string;
  subject: string;
  /** Null: none that the provider has verified. */
  email: string | null;
  /** The values of OIDC_ROLES_CLAIM. */
  groups: readonly string[];
}

/** The OpenID Connect provider of the settings, whose metadata is loaded when somebody first signs in. */
export class IdentityProvider {
  private configuration: Promise<client.Configuration> | null = null;
  private readonly redirectUri: string;

  constructor(private readonly settings: Settings) {
    this.redirectUri = `${parseConsoleUrl(settings).origin}${callbackPath}`;
  }

  async begin(): Promise<{ url: URL; checks: RequestChecks }> {
    const configuration = await this.load();
    const checks = {
      state: client.randomState(),
      nonce: client.randomNonce(),
      codeVerifier: client.randomPKCECodeVerifier(),
    };
    const url = client.buildAuthorizationUrl(configuration, {
      redirect_uri: this.redirectUri,
      scope: this.settings.oidcScopes,
      state: checks.state,
      nonce: checks.nonce,
      code_challenge: await client.calculatePKCECodeChallenge(checks.codeVerifier),
      code_challenge_method: 'S256',
    });
    return { url, checks };
  }

  /** Exchanges the code of a response. Throws for one that is not the provider's answer to the request. */
  async finish(query: string, { state, nonce, codeVerifier }: RequestChecks): Promise<ProviderIdentity> {
    const configuration = await this.load();
    const tokens = await client.authorizationCodeGrant(configuration, new URL(`${this.redirectUri}${query}`), {
      expectedState: state,
      expectedNonce: nonce,
      pkceCodeVerifier: codeVerifier,
      idTokenExpected: true,
    });
    const idToken = tokens.claims()!;
    if (!isSubject(idToken.sub)) throw new Error('The subject is not valid.');
    // Providers may leave claims out of the ID token that the UserInfo endpoint has.
    const userInfo = this.lacksClaims(idToken, configuration)
      ? await client.fetchUserInfo(configuration, tokens.access_token, idToken.sub)
      : null;
    const { oidcRolesClaim } = this.settings;
    return {
      issuer: idToken.iss,
      subject: idToken.sub,
      groups: toGroups(idToken[oidcRolesClaim] ?? userInfo?.[oidcRolesClaim]),
      email: findVerifiedEmail([idToken, userInfo ?? {}]),
    };
  }

  private lacksClaims(claims: client.IDToken, configuration: client.Configuration): boolean {
    const needed = ['email', 'email_verified', this.settings.oidcRolesClaim].filter(Boolean);
    return !!configuration.serverMetadata().userinfo_endpoint && needed.some(name => claims[name] === undefined);
  }

  private load(): Promise<client.Configuration> {
    this.configuration ??= this.discover().catch(error => {
      // The next person tries again.
      this.configuration = null;
      throw error;
    });
    return this.configuration;
  }

  private discover(): Promise<client.Configuration> {
    const { oidcIssuer, oidcClientId, oidcClientSecret } = this.settings;
    const issuer = new URL(oidcIssuer);
    // The signature of the ID token is checked, too, although it comes from the provider itself.
    const execute = [client.enableNonRepudiationChecks];
    if (issuer.protocol === 'http:') execute.push(client.allowInsecureRequests);
    // The operator's own provider may be in a private network.
    const guard = { allowPrivate: true, proxies: this.settings };
    const authentication = oidcClientSecret ? client.ClientSecretPost(oidcClientSecret) : client.None();
    return client.discovery(issuer, oidcClientId, undefined, authentication, {
      execute,
      timeout: timeoutSeconds,
      [client.customFetch]: createGuardedFetch(guard, { maxBytes: maxResponseBytes }) as client.CustomFetch,
    });
  }
}

/** Halves of surrogate pairs would be stored as one character, and two users be the same person. */
const isSubject = (sub: string): boolean => sub !== '' && sub.length <= maxSubjectLength && isStorable(sub);

const toGroups = (claim: unknown): string[] => [claim].flat().filter(one => typeof one === 'string');

/** The claims are of one answer: that an address of UserInfo is verified says nothing of another in the ID token. */
function findVerifiedEmail(answers: readonly Record<string, unknown>[]): string | null {
  const { email, email_verified: isVerified } =
    answers.find(answer => answer.email !== undefined && answer.email_verified !== undefined) ?? {};
  return typeof email === 'string' && isVerified === true ? email : null;
}
