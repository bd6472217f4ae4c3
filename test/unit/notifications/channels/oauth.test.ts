import { afterEach, expect, test } from '@jest/globals';
import { readSettings } from '../../../../src/core/config.js';
import { openEmail } from '../../../../src/notifications/channels/email/open-email.js';
import type { Outcome } from '../../../../src/notifications/channels/channel.js';
import { startMailServer } from '../../../support/mail-server.js';
import { createMessage, sendAll } from '../../../support/outgoing-messages.js';
import { useReceivers } from '../../../support/receivers.js';
import { defaultReply, startScriptedServer } from '../../../support/scripted-server.js';

const receiver = useReceivers();
const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

/** A token endpoint that issues token-1, token-2... */
const startTokenEndpoint = () => {
  let issued = 0;
  return receiver(() => {
    issued += 1;
    return { body: { access_token: `token-${issued}`, expires_in: 3600, token_type: 'Bearer' } };
  });
};

function openChannel(smtpUrl: string, tokenUrl: string, smtpOauthRefreshToken = 'refresh-secret') {
  const channel = openEmail({
    smtpUrl: smtpUrl.replace('://', '://us%40example.com@'),
    mailFrom: 'status@example.com',
    publicUrl: '',
    port: 3000,
    smtpOauthTokenUrl: tokenUrl,
    smtpOauthClientId: 'client-1',
    smtpOauthClientSecret: 'client-secret',
    smtpOauthRefreshToken,
    smtpOauthScope: 'https://outlook.office365.com/.default',
  })!;
  cleanups.push(() => channel.close());
  return channel;
}

/** A mail server that accepts one access token. */
async function startOAuthServer(accepted: string) {
  const server = await startMailServer({
    disabledCommands: [],
    authMethods: ['XOAUTH2'],
    authOptional: false,
    onAuth: ({ method, username, accessToken }, _session, done) => {
      if (method === 'XOAUTH2' && username === 'us@example.com' && accessToken === accepted)
        done(null, { user: username });
      else done(null, { data: { status: '401', schemes: 'bearer' } } as never);
    },
  });
  cleanups.push(server.stop);
  return server;
}

const messages = (count: number) =>
  Array.from({ length: count }, (_, index) => createMessage(String(index), `${index}@example.com`));
const sendOne = async (channel: ReturnType<typeof openChannel>): Promise<Outcome> =>
  (await sendAll(channel, messages(1))).get('0')!;

test('signs in with an access token, requested once for all connections', async () => {
  const endpoint = await startTokenEndpoint();
  const server = await startOAuthServer('token-1');
  const outcomes = await sendAll(openChannel(server.url, `${endpoint.url}/token`), messages(12));
  expect([...outcomes.values()].map(({ kind }) => kind)).toEqual(Array(12).fill('sent'));
  expect(server.connections).toBeGreaterThan(1);
  expect(server.mails.every(({ secure }) => secure)).toBe(true);
  expect(endpoint.requests.map(({ method, path }) => [method, path])).toEqual([['POST', '/token']]);
  expect(Object.fromEntries(new URLSearchParams(endpoint.requests[0]!.body))).toEqual({
    grant_type: 'refresh_token',
    client_id: 'client-1',
    client_secret: 'client-secret',
    refresh_token: 'refresh-secret',
  });
});

test('without a refresh token the client signs in by itself', async () => {
  const endpoint = await startTokenEndpoint();
  const server = await startOAuthServer('token-1');
  expect(await sendOne(openChannel(server.url, endpoint.url, ''))).toMatchObject({ kind: 'sent' });
  expect(endpoint.requests.map(({ body }) => Object.fromEntries(new URLSearchParams(body)))).toEqual([
    {
      grant_type: 'client_credentials',
      scope: 'https://outlook.office365.com/.default',
      client_id: 'client-1',
      client_secret: 'client-secret',
    },
  ]);
});

test('a refresh token or a client secret is required', () => {
  const environment = {
    SMTP_URL: 'smtp://us@mail.example',
    MAIL_FROM: 'us@mail.example',
    SMTP_OAUTH_TOKEN_URL: 'https://login.example/token',
    SMTP_OAUTH_CLIENT_ID: 'client-1',
  };
  expect(() => readSettings(environment)).toThrow('SMTP_OAUTH_REFRESH_TOKEN: must be set, or SMTP_OAUTH_CLIENT_SECRET');
  for (const name of ['SMTP_OAUTH_REFRESH_TOKEN', 'SMTP_OAUTH_CLIENT_SECRET'])
    expect(readSettings({ ...environment, [name]: 'secret' }).smtpOauthClientId).toBe('client-1');
});

test('requests a new token and sends when the server challenges the first one', async () => {
  const endpoint = await startTokenEndpoint();
  const server = await startOAuthServer('token-2');
  expect(await sendOne(openChannel(server.url, endpoint.url))).toMatchObject({ kind: 'sent' });
  expect(endpoint.requests).toHaveLength(2);
});

test('requests a new token for the next connection when the server refuses the first one with 535', async () => {
  const endpoint = await startTokenEndpoint();
  const token = (value: string) => btoa(`user=us@example.com\x01auth=Bearer ${value}\x01\x01`);
  const server = await startScriptedServer(line => {
    if (!line.startsWith('AUTH')) return defaultReply(line, ['AUTH XOAUTH2']);
    return line === `AUTH XOAUTH2 ${token('token-2')}` ? '235 welcome' : '535 5.7.3 Authentication unsuccessful';
  });
  cleanups.push(server.stop);
  const channel = openChannel(server.url, endpoint.url);
  const refused = await sendOne(channel);
  expect(refused).toMatchObject({ kind: 'failed', unreachable: true, response: expect.stringContaining('535 5.7.3') });
  expect(refused.response).not.toContain(token('token-1'));
  expect(await sendOne(channel)).toMatchObject({ kind: 'sent' });
});

test('fails without reaching AUTH when the token endpoint refuses, and reveals no secret', async () => {
  const endpoint = await receiver(() => ({
    status: 400,
    body: { error: 'invalid_grant', error_description: 'refresh-secret of client-secret was revoked' },
  }));
  const server = await startScriptedServer(line => defaultReply(line, ['AUTH XOAUTH2']));
  cleanups.push(server.stop);
  expect(await sendOne(openChannel(server.url, endpoint.url))).toEqual({
    kind: 'failed',
    unreachable: true,
    response: 'SMTP_OAUTH_TOKEN_URL gave no access token: invalid_grant: […] of […] was revoked',
  });
  expect(server.lines.filter(line => /^(AUTH|MAIL)/.test(line))).toEqual([]);
});

test('a redirect of the token endpoint is not followed, and a long response is not read to its end', async () => {
  const inside = await startTokenEndpoint();
  const server = await startOAuthServer('token-1');
  const redirecting = await receiver(() => ({ status: 307, headers: { location: `${inside.url}/inside` } }));
  expect(await sendOne(openChannel(server.url, redirecting.url))).toMatchObject({ kind: 'failed', unreachable: true });
  expect(inside.requests).toEqual([]);
  const token = { access_token: 'token-1', expires_in: 3600, token_type: 'Bearer', padding: 'x'.repeat(64 * 1024) };
  const talkative = await receiver(() => ({ body: token }));
  expect(await sendOne(openChannel(server.url, talkative.url))).toMatchObject({ kind: 'failed', unreachable: true });
});
