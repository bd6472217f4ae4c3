import { createHmac, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

export const client = { id: 'all-clear', secret: 'secret-of-the-client-0123456789abcdef' };

/** How the next ID token differs from that of an honest provider. */
export interface Forgery {
  claims?: Record<string, unknown>;
  header?: Record<string, unknown>;
  key?: 'other' | 'none' | 'clientSecret' | 'publicKey';
  /** Changes the finished token. */
  edit?: (token: string) => string;
  /** The `sub` of the UserInfo endpoint, and its claims. */
  userInfo?: Record<string, unknown>;
}

/** A provider that answers each code with the ID token that a test asks for: `next` takes the nonce of the request. */
export async function startForgingProvider(clientId: string, clientSecret: string) {
  const own = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const other = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const tokens = new Map<string, { token: string; userInfo: Record<string, unknown> }>();
  const server = createServer(async (request, response) => {
    const json = (body: object, status = 200) => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(request.url === padded.path ? { ...body, padding: 'x'.repeat(padded.bytes) } : body));
    };
    if (request.url === '/.well-known/openid-configuration')
      return json({
        issuer,
        authorization_endpoint: `${issuer}/auth`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/jwks`,
        userinfo_endpoint: `${issuer}/me`,
        response_types_supported: ['code'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['RS256'],
      });
    if (request.url === '/jwks')
      return json({ keys: [{ ...own.publicKey.export({ format: 'jwk' }), kid: 'own', use: 'sig', alg: 'RS256' }] });
    if (request.url?.startsWith('/auth?')) {
      const redirectUri = new URL(request.url, issuer).searchParams.get('redirect_uri')!;
      response.writeHead(302, { location: answer(issuer + request.url, redirectUri, nextAnswer).href });
      return response.end();
    }
    if (request.url === '/me') {
      const code = (request.headers.authorization ?? '').replace(/^Bearer /, '');
      return json(tokens.get(code)?.userInfo ?? {});
    }
    let body = '';
    for await (const chunk of request) body += chunk;
    const code = new URLSearchParams(body).get('code') ?? '';
    const found = tokens.get(code);
    if (!found) return json({ error: 'invalid_grant' }, 400);
    json({ access_token: code, token_type: 'Bearer', expires_in: 60, id_token: found.token });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  let count = 0;
  let padded = { path: '', bytes: 0 };

  function createToken(nonce: string, { claims, header, key, edit = token => token }: Forgery): string {
    const now = Math.floor(Date.now() / 1_000);
    const all = { iss: issuer, aud: clientId, sub: 'subject', iat: now, exp: now + 300, nonce, ...claims };
    const signed = `${encode({ alg: 'RS256', kid: 'own', ...header })}.${encode(all)}`;
    const hmac = (secret: string | KeyObject) =>
      createHmac('sha256', secret as string)
        .update(signed)
        .digest('base64url');
    const pem = own.publicKey.export({ format: 'pem', type: 'spki' }) as string;
    const signature =
      key === 'none'
        ? ''
        : key === 'clientSecret'
          ? hmac(clientSecret)
          : key === 'publicKey'
            ? hmac(pem)
            : sign('sha256', Buffer.from(signed), (key === 'other' ? other : own).privateKey).toString('base64url');
    return edit(`${signed}.${signature}`);
  }

  function answer(url: string, redirectUri: string, forgery: Forgery = {}): URL {
    const { searchParams } = new URL(url);
    const code = `code-${++count}`;
    const token = createToken(searchParams.get('nonce')!, forgery);
    tokens.set(code, { token, userInfo: { sub: 'subject', ...forgery.userInfo } });
    const back = new URL(redirectUri);
    back.search = new URLSearchParams({ code, state: searchParams.get('state')! }).toString();
    return back;
  }
  let nextAnswer: Forgery = {};

  return {
    issuer,
    /** The answer to an authorization URL: the address that the browser is led back to. */
    answer,
    /** Sets how browsers that come to it are answered. */
    answerBrowsers(forgery: Forgery): void {
      nextAnswer = forgery;
    },
    /** Makes the responses of a path longer. */
    pad(path: string, bytes: number): void {
      padded = { path, bytes };
    },
    stop: async () => {
      server.closeAllConnections();
      await new Promise(done => server.close(done));
    },
  };
}
