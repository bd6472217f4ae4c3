import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { parseReturnPath } from '../../../src/server/sign-in/return-path.js';

test.each(['/', '/console', '/console/pages?x=1&y=%2F', '/a//b', '/graphql?query=%7B%7D'])(
  '%s is returned to',
  path => {
    expect(parseReturnPath(path)).toBe(path);
  },
);

const hosts = ['evil.example', 'evil.example/x', 'status.example.com@evil.example', 'status.example.com.evil.example'];
const prefixes = [
  '//',
  '///',
  '/\\',
  '\\\\',
  '\\/',
  '/\t/',
  '/\n/',
  '\t//',
  ' //',
  '/ /',
  '/./\\',
  '/.//',
  '/..//',
  '/%2e//',
  '/x/..//',
  'https://',
  'https:',
  'http:/',
  'HTTPS://',
  'javascript://',
  'data:text/html,',
  '@',
  '',
  '/\u0000/',
  '/\ufeff/',
];

test.each(prefixes.flatMap(prefix => hosts.map(host => `${prefix}${host}`)))('%j is not returned to', given => {
  const path = parseReturnPath(given);
  expect(new URL(path, 'https://status.example.com').origin).toBe('https://status.example.com');
  expect(path.startsWith('/') && !path.startsWith('//')).toBe(true);
});

test('nothing leads to another origin', () => {
  const part = fc.constantFrom(
    '/',
    '\\',
    '.',
    '..',
    '@',
    ':',
    '\t',
    '\n',
    '%2f',
    '%5c',
    'evil.example',
    'https',
    '?',
    '#',
  );
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string({ unit: 'binary' }),
        fc.array(part).map(parts => parts.join('')),
      ),
      given => {
        const path = parseReturnPath(given);
        // Twice, as a browser and a proxy might.
        const first = new URL(path, 'https://status.example.com');
        return first.origin === 'https://status.example.com' && new URL(first.pathname, first).origin === first.origin;
      },
    ),
    { numRuns: 5_000 },
  );
});

test.each([null, undefined, '', 'console', `/${'x'.repeat(600)}`])('%j leads to the console', given => {
  expect(parseReturnPath(given)).toBe('/console/');
});
