import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import {
  renderConfigurationPage,
  renderEnvExample,
  parsePublicUrl,
  readSettings,
  InvalidSettings,
} from '../../../src/core/config.js';

test('.env.example matches the table of settings', () => {
  expect(readFileSync('.env.example', 'utf8')).toBe(renderEnvExample());
});

test('docs/configuration.md matches the table of settings', () => {
  expect(readFileSync('docs/configuration.md', 'utf8')).toBe(renderConfigurationPage());
});

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
  });
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

test('DNS_SERVERS accepts addresses with and without a port', () => {
  expect(readSettings({ DNS_SERVERS: '192.0.2.1, [2001:db8::1]:5353,127.0.0.1:53' }).dnsServers).toEqual([
    '192.0.2.1',
    '[2001:db8::1]:5353',
    '127.0.0.1:53',
  ]);
});
