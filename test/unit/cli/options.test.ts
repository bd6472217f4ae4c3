import { describe, expect, test } from '@jest/globals';
import { parseOptions } from '../../../src/cli/options.js';
import { parseCommand } from '../../../src/cli/run-command.js';
import { parseTokenCommand } from '../../../src/cli/token.js';

describe('parseOptions', () => {
  test('separates options from words', () => {
    expect(parseOptions(['my', '--role', 'viewer', 'laptop'], ['role'], 'usage')).toEqual({
      options: { role: 'viewer' },
      words: ['my', 'laptop'],
    });
  });

  test.each([[['--role']], [['--role', '--pages', 'x']], [['--rule', 'x']], [['--role', 'a', '--role', 'b']]])(
    'refuses %j with the usage',
    args => expect(() => parseOptions(args, ['role', 'pages'], 'usage')).toThrow('usage'),
  );
});

describe('a command', () => {
  test.each([
    [['token', 'delete'], /^usage: npm run token /],
    [['token', 'create', '--scope'], /^usage: npm run token /],
    [['demo', 'page'], /^usage: npm run demo\n/],
    [['backup'], /^usage: npm run backup /],
    [['export'], /^usage: npm run export /],
    [['exprot', 'here'], /^usage: npm run token /],
  ])('%j is refused with a usage', (args, usage) => expect(() => parseCommand(args)).toThrow(usage));

  test.each(['token list', 'token revoke 1', 'export here', 'backup here', 'audit-log'])(
    '%s creates no database',
    command => expect(parseCommand(command.split(' ')).createsDatabase).toBe(false),
  );
});

describe('npm run token -- create', () => {
  test.each([
    ['--role', 'admin'],
    ['--scope', 'all'],
    ['--role', 'viewer', '--scope', 'read'],
    ['--expires', '0d'],
    ['--expires', '2020-01-01T00:00:00Z'],
    ['--expires', 'soon'],
  ])('refuses %s %s with the usage', (...args) =>
    expect(() => parseTokenCommand(['create', ...args])).toThrow(/^usage: npm run token/),
  );
});
