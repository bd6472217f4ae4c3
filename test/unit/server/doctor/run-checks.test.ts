import { expect, test } from '@jest/globals';
import { InvalidSettings } from '../../../../src/core/config.js';
import { type Check, ok, warning } from '../../../../src/server/doctor/check.js';
import { runChecks } from '../../../../src/server/doctor/doctor.js';
import { createDoctorContext } from '../../../support/doctor.js';

const timeoutMs = 20;

const run = async (check: Check, settings = {}) => {
  const [result] = await runChecks({ check }, createDoctorContext(settings), timeoutMs);
  return result;
};

test('a check that does not end has failed', async () => {
  expect(await run(() => new Promise(() => {}))).toEqual({
    check: 'check',
    outcome: 'failed',
    found: 'The check did not end within 0.02 seconds.',
    remedy: expect.any(String),
  });
});

test('a check that throws has failed, and the others are run', async () => {
  const table: Record<string, Check> = {
    settings: () => Promise.reject(new InvalidSettings('MAIL_FROM: must be an address')),
    network: () => Promise.reject(new TypeError('fetch failed', { cause: { code: 'ECONNRESET' } })),
    tables: () => Promise.reject(Object.assign(new Error('relation "page" does not exist'), { code: '42P01' })),
    last: () => ok('It works.'),
  };
  const results = await runChecks(table, createDoctorContext());
  expect(results.map(({ outcome, found }) => [outcome, found])).toEqual([
    ['failed', 'MAIL_FROM: must be an address'],
    ['failed', 'The check itself failed: ECONNRESET.'],
    ['skipped', 'The database has no tables yet.'],
    ['ok', 'It works.'],
  ]);
});

test('no secret of the settings is printed, in any encoding', async () => {
  const settings = {
    databaseUrl: 'postgres://ann:p%40ss-of-postgres@db1.example.com:5432,db2.example.com:5432/all_clear',
    smtpUrl: 'smtp://ann:pass-of-smtp@mail.example.com',
    bootstrapToken: 'bootstrap-token-of-40-characters-or-more',
    oidcClientSecret: 'secret-of-openid-connect',
  };
  const secrets = ['p@ss-of-postgres', 'p%40ss-of-postgres', 'pass-of-smtp', ...Object.values(settings)];
  const result = await run(() => warning(secrets.join(' '), btoa(settings.oidcClientSecret)), settings);
  expect(JSON.stringify(result).replaceAll('[…]', '')).toBe(
    JSON.stringify({ check: 'check', outcome: 'warning', found: ' '.repeat(secrets.length - 1), remedy: '' }),
  );
});
