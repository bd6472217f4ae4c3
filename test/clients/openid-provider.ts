import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:http';
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { client } from '../support/forging-provider.js';
import Provider, { type Configuration, type KoaContextWithOIDC } from 'oidc-provider';

export interface Account {
  email?: string;
  email_verified?: boolean;
  groups?: string[];
}

/** A certified OpenID Connect provider of its own, whose accounts sign in without a password. */
export interface OpenIdProvider {
  issuer: string;
  accounts: Map<string, Account>;
  /** Signs an account in at an authorization URL, as a browser of its own. Returns where the provider leads back to. */
  authorize(url: string, accountId: string): Promise<URL>;
  stop(): Promise<void>;
}

/** `hasClaimsInToken`: whether the ID token has all claims, or only the UserInfo endpoint. */
export async function startOpenIdProvider(redirectUri: string, hasClaimsInToken = false): Promise<OpenIdProvider> {
  const accounts = new Map<string, Account>();
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const server = createServer((request, response) => void handle?.(request, response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const configuration: Configuration = {
    clients: [
      {
        client_id: client.id,
        client_secret: client.secret,
        redirect_uris: [redirectUri],
        token_endpoint_auth_method: 'client_secret_post',
      },
    ],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], groups: ['groups'] },
    scopes: ['openid', 'email', 'groups'],
    conformIdTokenClaims: !hasClaimsInToken,
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256', kid: 'one' } as never] },
    cookies: { keys: [randomBytes(32).toString('hex')] },
    features: { devInteractions: { enabled: false } },
    ttl: { Interaction: 600, Grant: 600, Session: 600, AccessToken: 600, IdToken: 600, AuthorizationCode: 60 },
    pkce: { required: () => true },
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    findAccount: (_, id) => ({ accountId: id, claims: async () => ({ sub: id, ...accounts.get(id) }) }),
    loadExistingGrant: async (ctx: KoaContextWithOIDC) => {
      const { session, client: asking } = ctx.oidc;
      const grant = new ctx.oidc.provider.Grant({ accountId: session!.accountId, clientId: asking!.clientId });
      grant.addOIDCScope('openid email groups');
      await grant.save();
      return grant;
    },
  };
  const provider = new Provider(issuer, configuration);
  provider.use(async (ctx, next) => {
    if (!ctx.path.startsWith('/interaction/')) return next();
    await provider.interactionDetails(ctx.req, ctx.res);
    ctx.respond = false;
    const accountId = ctx.get('x-account');
    const result = accountId ? { login: { accountId } } : { error: 'access_denied' };
    await provider.interactionFinished(ctx.req, ctx.res, result);
  });
  const handle = provider.callback();
  return {
    issuer,
    accounts,
    authorize: async (url, accountId) => {
      const cookies = new Map<string, string>();
      let next = new URL(url);
      while (next.origin === issuer) {
        const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
        const response = await fetch(next, { redirect: 'manual', headers: { cookie, 'x-account': accountId } });
        for (const header of response.headers.getSetCookie()) {
          const [, name, value] = /^([^=]+)=([^;]*)/.exec(header)!;
          cookies.set(name!, value!);
        }
        const location = response.headers.get('location');
        if (!location) throw new Error(`${next.pathname}: ${response.status} ${await response.text()}`);
        next = new URL(location, next);
      }
      return next;
    },
    stop: async () => {
      server.closeAllConnections();
      await new Promise(done => server.close(done));
    },
  };
}
