import { beforeEach, expect, test } from '@jest/globals';
import { openEmail } from '../../../src/notifications/channels/email/open-email.js';
import { encryptColumn } from '../../../src/notifications/page-channels/encrypted-column.js';
import { refreshTokenColumn, StoredRefreshToken } from '../../../src/notifications/mail-tokens/stored-refresh-token.js';
import { useService } from '../../support/service.js';
import { startMailServer } from '../../support/mail-server.js';
import { useReceivers } from '../../support/receivers.js';

/** A provider that gives another refresh token each time, and accepts the newest alone. */
const service = useService();
const receiver = useReceivers();
const secretsKey = Buffer.alloc(32, 1).toString('base64');
let valid: string;
let asked: string[];
beforeEach(async () => {
  await service.database.query('delete from mail_refresh_token');
  [valid, asked] = ['rt1', []];
});

const open = (smtpOauthRefreshToken: string, key = secretsKey): StoredRefreshToken => {
  const store = new StoredRefreshToken({ secretsKey: key, smtpOauthRefreshToken });
  store.database = service.database;
  return store;
};
/** Returns the next refresh token, as the endpoint does. */
const rotate = async (token: string): Promise<string> => {
  asked.push(token);
  await new Promise(setImmediate);
  if (token !== valid) throw new Error('invalid_grant: the token was used');
  valid = `rt${Number(token.slice(2)) + 1}`;
  return valid;
};
const readStored = () => service.database.query<{ token: string | null }>('select token from mail_refresh_token');

test('the newest token is stored sealed, and used after a restart before that of the settings', async () => {
  await open('rt1').withToken(rotate);
  await open('rt1').withToken(rotate);
  expect(asked).toEqual(['rt1', 'rt2']);
  const [stored] = await readStored();
  expect(stored!.token).toMatch(/^[0-9a-f]{8}:[\w-]+$/);
  await open('rt1', '').withToken(async token => {
    asked.push(token);
    return 'rt9';
  });
  // Its key is missing: that of the settings.
  expect(asked.slice(2)).toEqual(['rt1']);
  expect(await readStored()).toEqual([{ token: 'clear:rt9' }]);
});

test('a token that could not be stored is used and stored by the next request', async () => {
  const store = open('rt1');
  let isAway = true;
  const { query } = service.database;
  store.database = {
    query: (text, values) =>
      isAway && text.trim().startsWith('update') ? Promise.reject(new Error('away')) : query(text, values),
  };
  await expect(store.withToken(rotate)).rejects.toThrow('away');
  isAway = false;
  await service.database.query(`update mail_refresh_token set leased_until = now() - make_interval(secs => 1)`);
  await store.withToken(rotate);
  await open('rt1').withToken(rotate);
  expect(asked).toEqual(['rt1', 'rt2', 'rt3']);
});

test('a new key encrypts the stored token anew', async () => {
  await open('rt1').withToken(rotate);
  const newKey = Buffer.alloc(32, 2).toString('base64');
  const encrypt = (keys: string) => encryptColumn(service.database, { secretsKey: keys }, refreshTokenColumn);
  expect(await encrypt(newKey)).toEqual({ changed: 0, unreadable: 1 });
  expect(await encrypt(`${newKey},${secretsKey}`)).toEqual({ changed: 1, unreadable: 0 });
  await open('rt1', newKey).withToken(rotate);
  expect(asked).toEqual(['rt1', 'rt2']);
});

test('a process whose lease has expired does not end that of another', async () => {
  const readLeased = async () =>
    (
      await service.database.query<{ isLeased: boolean }>(
        'select leased_until > clock_timestamp() as "isLeased" from mail_refresh_token',
      )
    )[0]!.isLeased;
  await open('rt1').withToken(async token => {
    await service.database.query(`update mail_refresh_token set leased_until = now() + make_interval(secs => 20)`);
    return rotate(token);
  });
  expect([await readLeased(), (await readStored())[0]!.token]).toEqual([true, expect.any(String)]);
});

test('several processes use it one after the other', async () => {
  await Promise.all([1, 2, 3, 4].map(() => open('rt1').withToken(rotate)));
  expect(asked).toEqual(['rt1', 'rt2', 'rt3', 'rt4']);
});

test('a setting that has changed wins, and so it does where the stored one was refused', async () => {
  await open('rt1').withToken(rotate);
  valid = 'rt20';
  await open('rt20').withToken(rotate);
  expect(asked).toEqual(['rt1', 'rt20']);
  valid = 'rt20';
  await open('rt20').withToken(rotate);
  expect(asked.slice(2)).toEqual(['rt21', 'rt20']);
  valid = 'another';
  await expect(open('rt20').withToken(rotate)).rejects.toThrow('invalid_grant');
  // What was asked for is released.
  valid = 'rt21';
  await open('rt20').withToken(rotate);
});

test('an endpoint that gives none changes nothing', async () => {
  await open('rt1').withToken(async () => null);
  expect(await readStored()).toEqual([{ token: null }]);
});

test('mails are sent over a provider that refuses a token that was used', async () => {
  const endpoint = await receiver(request => {
    const token = new URLSearchParams(request.body).get('refresh_token')!;
    asked.push(token);
    if (token !== valid) return { status: 400, body: { error: 'invalid_grant' } };
    valid = `rt${Number(token.slice(2)) + 1}`;
    return { body: { access_token: 'access', expires_in: 3600, refresh_token: valid } };
  });
  const server = await startMailServer({
    disabledCommands: [],
    authMethods: ['XOAUTH2'],
    onAuth: ({ accessToken }, _session, done) =>
      accessToken === 'access' ? done(null, { user: 1 }) : done(new Error('no')),
  });
  const settings = {
    smtpUrl: server.url.replace('://', '://us%40example.com@'),
    mailFrom: 'status@example.com',
    publicUrl: '',
    port: 3000,
    smtpOauthTokenUrl: endpoint.url,
    smtpOauthClientId: 'c',
    smtpOauthClientSecret: 's',
    smtpOauthRefreshToken: 'rt1',
  };
  try {
    for (let start = 1; start <= 3; start++) {
      const channel = openEmail(settings, undefined, open('rt1'))!;
      await channel.verify();
      await channel.close();
    }
    expect(asked).toEqual(['rt1', 'rt2', 'rt3']);
  } finally {
    await server.stop();
  }
});
