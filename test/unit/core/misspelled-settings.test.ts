import { expect, test } from '@jest/globals';
import { findMisspelledSettings } from '../../../src/core/config.js';
import { settingsTable } from '../../../src/core/settings-table.js';

test.each([
  ['DATABSE_URL', 'DATABASE_URL'],
  ['DATABASE_URI', 'DATABASE_URL'],
  ['PROT', 'PORT'],
  ['port', 'PORT'],
  ['SMTP_ULR', 'SMTP_URL'],
  ['MAILFROM', 'MAIL_FROM'],
  ['WORKERS', 'WORKER'],
  ['TRUSTED_PROXY', 'TRUSTED_PROXIES'],
  ['SMTP_HOST', 'SMTP_URL'],
  ['BASE_HOST', 'PUBLIC_URL'],
])('%s is reported as a misspelling of %s, without its value', (name, meant) => {
  expect(findMisspelledSettings({ [name]: 'secret' })).toEqual([
    `The variable ${name} is not a setting and has no effect. Did you mean ${meant}?`,
  ]);
});

test('settings, and variables that most environments have, are not reported', () => {
  const names = [
    ...Object.values(settingsTable).map(({ variable }) => variable),
    'HOME',
    'HOSTNAME',
    'HOSTTYPE',
    'PATH',
    'PWD',
    'SHELL',
    'TERM',
    'USER',
    'LANG',
    'LC_ALL',
    'MAIL',
    'LOGNAME',
    'TZ',
    'NODE_ENV',
    'NODE_OPTIONS',
    'XDG_DATA_DIRS',
    'HTTP_PROXY',
    'https_proxy',
    'npm_config_loglevel',
    'PGHOST',
    'PGPORT',
  ];
  expect(findMisspelledSettings(Object.fromEntries(names.map(name => [name, 'x'])))).toEqual([]);
  // Kubernetes sets it for a service called smtp.
  expect(findMisspelledSettings({ SMTP_PORT: 'tcp://10.0.0.7:25' })).toEqual([]);
});
