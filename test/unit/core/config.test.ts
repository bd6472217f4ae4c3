import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  findMisspelledSettings,
  parsePublicUrl,
  readSettings,
  settingSecrets,
  InvalidSettings,
} from '../../../src/core/config.js';
import { settingsTable } from '../../../src/core/settings-table.js';

test('an empty environment gives the defaults', () => {
  const settings = readSettings({});
  expect(settings).toMatchObject({
    port: 3000,
    host: '127.0.0.1',
    dataDir: './data',
    databaseUrl: '',
    anonymousReads: 'public',
    rateLimit: null,
  });
  expect(parsePublicUrl(settings)).toEqual({
    scheme: 'http',
    baseHost: 'localhost',
    port: ':3000',
    origin: 'http://localhost:3000',
    pageUrl: { prefix: 'http://', suffix: '.localhost:3000' },
  });
});

test.each([
  ['https://status.example.com', 'https://ab12cd34.status.example.com'],
  ['http://192.0.2.1:3000', 'http://192.0.2.1:3000/status/ab12cd34'],
  ['http://[2001:db8::1]:3000/', 'http://[2001:db8::1]:3000/status/ab12cd34'],
])('a page of %s is at %s: there are no hosts below an IP address', (publicUrl, expected) => {
  const { prefix, suffix } = parsePublicUrl({ publicUrl, port: 3000 }).pageUrl;
  expect(`${prefix}ab12cd34${suffix}`).toBe(expected);
});

test('all invalid settings are listed in one error, which contains no value', () => {
  const read = () =>
    readSettings({
      PORT: 'many',
      DNS_SERVERS: 'ns.example:53',
      ANONYMOUS_READS: 'all',
      BOOTSTRAP_TOKEN: 'tooshort',
      DATABASE_URL: 'mysql://secret@host',
      PUBLIC_URL: 'ftp://x',
    });
  expect(read).toThrow(InvalidSettings);
  const { message } = (() => {
    try {
      return read() as never;
    } catch (error) {
      return error as Error;
    }
  })();
  for (const variable of ['PORT', 'DNS_SERVERS', 'ANONYMOUS_READS', 'BOOTSTRAP_TOKEN', 'DATABASE_URL', 'PUBLIC_URL'])
    expect(message).toContain(`${variable}: `);
  expect(message).not.toContain('tooshort');
  expect(message).not.toContain('secret');
});

test('the message about each invalid setting says what is valid', () => {
  for (const { variable } of Object.values(settingsTable)) {
    try {
      readSettings({ [variable]: '-\t<', ...(variable !== 'DATABASE_URL' && { DATABASE_URL: 'embedded' }) });
    } catch (error) {
      expect((error as Error).message).toMatch(/: must /);
    }
  }
});

test.each([
  ['RATE_LIMIT', 'fast', 'must be a number'],
  ['METRICS', 'yes', 'must be true or false'],
  ['LOG_LEVEL', 'verbose', 'must be silent, error, warn, info, or debug'],
  ['OIDC_NAME', 'x'.repeat(61), 'must have at most 60 characters'],
])('%s cannot be "%s", but %s', (variable, value, requirement) => {
  expect(() => readSettings({ [variable]: value })).toThrow(`${variable}: ${requirement}`);
});

describe('DATABASE_URL', () => {
  test.each([
    [{}, ''],
    [{ DATABASE_URL: 'embedded', NODE_ENV: 'production' }, ''],
    [{ DATABASE_URL: 'postgres:///db?host=/run/postgresql' }, 'postgres:///db?host=/run/postgresql'],
  ])('%j is the database "%s"', (environment, databaseUrl) => {
    expect(readSettings(environment as Record<string, string>).databaseUrl).toBe(databaseUrl);
  });

  test.each([
    [{ DATABASE_URL: ' ' }, 'DATABASE_URL: is empty. It must be the URL of a PostgreSQL database, or embedded'],
    [{ NODE_ENV: 'production' }, 'DATABASE_URL: must be set where NODE_ENV is production'],
    [
      { DATABASE_URL: 'embedded', DATABASE_DIRECT_URL: 'postgres://db/name' },
      'DATABASE_URL: must be a server where DATABASE_DIRECT_URL is set',
    ],
    [{ DATABASE_DIRECT_URL: 'mysql://secret@host' }, 'DATABASE_DIRECT_URL: must begin with postgres://'],
    [
      { DATABASE_URL: 'embedded', DATABASE_REPLICA_URLS: 'postgres://db/name' },
      'DATABASE_URL: must be a server where DATABASE_REPLICA_URLS is set',
    ],
    [{ DATABASE_REPLICA_URLS: 'postgres://db mysql://db' }, 'DATABASE_REPLICA_URLS: must begin with postgres://'],
  ])('%j is refused', (environment, message) => {
    expect(() => readSettings(environment as Record<string, string>)).toThrow(message);
  });
});

test('replicas are listed, and the password of each is a secret', () => {
  const first = 'postgres://user:one%21@db1/name';
  const second = 'postgres://user:two@db2/name';
  const settings = readSettings({ DATABASE_URL: 'postgres://db/name', DATABASE_REPLICA_URLS: `${first}\n ${second}` });
  expect(settings.databaseReplicaUrls).toEqual([first, second]);
  expect(settingSecrets(settings)).toEqual(expect.arrayContaining([first, second, 'one!', 'two']));
});

describe('the file of a secret', () => {
  const folder = mkdtempSync(join(tmpdir(), 'all-clear-secrets-'));
  const file = join(folder, 'url');
  beforeAll(() => writeFileSync(file, 'postgres://user:hidden@host/db\n'));
  afterAll(() => rmSync(folder, { recursive: true }));

  test('has its value', () => {
    expect(readSettings({ DATABASE_URL_FILE: file, NODE_ENV: 'production' }).databaseUrl).toBe(
      'postgres://user:hidden@host/db',
    );
  });

  test.each([
    [{ DATABASE_URL_FILE: '/dev/null', NODE_ENV: 'production' }, 'DATABASE_URL_FILE: the file is empty'],
    [{ SMTP_URL_FILE: '/nonexistent' }, 'SMTP_URL_FILE: the file cannot be read (ENOENT)'],
    [{ DATABASE_URL_FILE: file, DATABASE_URL: 'embedded' }, 'DATABASE_URL_FILE: must not be set where DATABASE_URL is'],
  ])('%j is refused', (environment, message) => {
    expect(() => readSettings(environment as Record<string, string>)).toThrow(message);
  });

  test('has a variable that is no misspelling, unless it is misspelt', () => {
    expect(findMisspelledSettings({ SMTP_URL_FILE: file })).toEqual([]);
    expect(findMisspelledSettings({ SMPT_URL_FILE: file })).toEqual([expect.stringContaining('SMTP_URL_FILE?')]);
  });
});

test('the URLs of e-mail and SMS are validated, require a sender, and are not in the error', () => {
  const readError = (environment: Record<string, string>) => {
    try {
      readSettings(environment);
      return 'no message';
    } catch (error) {
      return (error as Error).message;
    }
  };
  expect(readError({ SMTP_URL: 'smtp://us:hidden@mail.example:587', MAIL_FROM: 'Example <status@example.com>' })).toBe(
    'no message',
  );
  expect(readError({ SMS_URL: 'https://AC1:hidden@api.example', SMS_FROM: '+15005550006' })).toBe('no message');
  const wrong = readError({
    SMTP_URL: 'mail.example:hidden',
    MAIL_FROM: 'nobody',
    SMS_URL: 'https://hidden@api.example',
    ALLOW_PRIVATE_TARGETS: 'perhaps',
  });
  for (const variable of ['SMTP_URL', 'MAIL_FROM', 'SMS_URL', 'ALLOW_PRIVATE_TARGETS'])
    expect(wrong).toContain(`${variable}: `);
  expect(wrong).not.toContain('hidden');
  expect(readError({ SMTP_URL: 'smtp://mail.example' })).toContain('MAIL_FROM: ');
  expect(readError({ SMS_URL: 'https://a:b@api.example' })).toContain('SMS_FROM: ');
});

test('MAIL_HEADERS are lines or parted by semicolons, and none that the service sets', () => {
  const read = (text: string) => readSettings({ MAIL_HEADERS: text }).mailHeaders;
  expect(read('')).toEqual({});
  expect(read('X-SES-CONFIGURATION-SET: main')).toEqual({ 'X-SES-CONFIGURATION-SET': 'main' });
  expect(read('X-A: 1; b=2; X-B:3\nX-PM-Message-Stream: outbound')).toEqual({
    'X-A': '1; b=2',
    'X-B': '3',
    'X-PM-Message-Stream': 'outbound',
  });
  for (const name of ['From', 'subject', 'Message-ID', 'List-Unsubscribe', 'Content-Type', 'Auto-Submitted'])
    expect(() => read(`X-A: 1; ${name}: secret`)).toThrow(
      `MAIL_HEADERS: must not have ${name}, which the service sets`,
    );
  expect(() => read('X-A: 1\nx-a: 2')).toThrow('MAIL_HEADERS: must have x-a once');
  for (const text of ['main', 'X A: 1', 'X-A:', 'X-A: ä', ': 1'])
    expect(() => read(text)).toThrow('MAIL_HEADERS: must be lines of Name: value, in ASCII');
});

test('DNS_SERVERS accepts addresses with and without a port', () => {
  expect(readSettings({ DNS_SERVERS: '192.0.2.1, [2001:db8::1]:5353,127.0.0.1:53' }).dnsServers).toEqual([
    '192.0.2.1',
    '[2001:db8::1]:5353',
    '127.0.0.1:53',
  ]);
});

test.each([
  ['mysql://all_clear:hidden@host/name', 'must begin with postgres:// or postgresql://'],
  ['postgres://one,two:x/name', 'must be a URL'],
  [
    'postgres://all_clear:hidden@one:5432,two:5432/name?target_session_attrs=any',
    'target_session_attrs must be read-write or primary: ',
  ],
  ['postgres:///name?host=one,two', 'must have several hosts before '],
  [
    'postgres://all_clear:hid/den@host/name',
    'must be a URL, in which / ? # @ and % of a user or a password are percent-',
  ],
  [
    'postgres://host/name?sslmode=require&sslcrl=/x&gssencmode=disable',
    'has a parameter that is not understood (sslcrl, gssencmode): use application_name, channel_binding, host, options, port',
  ],
  ['postgres://host/name?channel_binding=yes', 'channel_binding must be disable, prefer, require'],
  [
    'postgres://host:6543/name?pgbouncer=true&connection_limit=1',
    'has the parameter pgbouncer, which is for Prisma: leave it out. This URL leads to a pooler, so set DATABASE_DIRE',
  ],
  ['postgres://host/name?sslmode=require&supa=base-pooler.x', 'has the parameter supa, which is for Vercel: leave it'],
  ['postgres://host/name?ssl=true', 'has the parameter ssl, which is for JDBC and Node.js: use sslmode=require in its'],
  ['postgres://all_clear:1?hidden@host/name', 'has a parameter that is not understood: use application_name, '],
  ['postgres://host/name?sslmode=no-verify', 'sslmode must be disable, allow, prefer, require, verify-ca, verify-full'],
])('a DATABASE_URL that is not understood is refused by name, without its password: %s', (url, sentence) => {
  const read = () => readSettings({ DATABASE_URL: url });
  expect(read).toThrow(`DATABASE_URL: ${sentence}`);
  expect(read).not.toThrow(/hidden|hid\/den/);
});

test.each([
  'postgres://all_clear:a%2Fb@127.0.0.1:5432/name?sslmode=verify-full&sslrootcert=/etc/ca.pem&application_name=x',
  'postgresql://all_clear:password@[::1]/name?options=-c%20search_path=status',
  'postgres:///name?host=/run/postgresql&port=5433',
  'postgres://all_clear:password@/name?host=/run/postgresql',
])('a DATABASE_URL with what libpq takes is accepted: %s', url => {
  expect(readSettings({ DATABASE_URL: url }).databaseUrl).toBe(url);
});

test('PGSSLMODE is one of the modes of libpq', () => {
  expect(readSettings({ PGSSLMODE: 'verify-full' }).pgSslMode).toBe('verify-full');
  expect(() => readSettings({ PGSSLMODE: 'no-verify' })).toThrow(
    'PGSSLMODE: must be disable, allow, prefer, require, verify-ca, or verify-full',
  );
});
