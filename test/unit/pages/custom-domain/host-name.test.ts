import { describe, expect, test } from '@jest/globals';
import { parseCustomDomain } from '../../../../src/pages/custom-domain/host-name.js';

const base = 'status.example.org';
const longLabel = 'a'.repeat(63);

describe('a custom domain', () => {
  test.each([
    ['status.acme.com', 'status.acme.com'],
    ['  Status.ACME.com ', 'status.acme.com'],
    ['status.acme.com.', 'status.acme.com'],
    ['bücher.example', 'xn--bcher-kva.example'],
    ['xn--bcher-kva.example', 'xn--bcher-kva.example'],
    ['状态。例子.com', 'xn--t7t692b.xn--fsqu00a.com'],
    ['1.2.3.4.com', '1.2.3.4.com'],
    ['a--b.example', 'a--b.example'],
    [`${longLabel}.com`, `${longLabel}.com`],
    ['example.org', 'example.org'],
    ['otherstatus.example.org', 'otherstatus.example.org'],
  ])('normalizes %j to %j', (input, expected) => expect(parseCustomDomain(input, base)).toBe(expected));

  test.each([
    '',
    '.',
    'localhost',
    'acme',
    '1.2.3.4',
    '1.2.3.4.',
    '0x7f.1',
    '0x7f.0.0.0x1',
    '017700000001',
    '127.1',
    '::1',
    '[::1]',
    '[::ffff:1.2.3.4]',
    '１.２.３.４',
    'acme.123',
    'acme..com',
    '.acme.com',
    'acme.com..',
    '-acme.com',
    'acme-.com',
    'ac_me.com',
    'ac me.com',
    'acme.com:443',
    'acme.com/path',
    'acme.com?x',
    'acme.com#x',
    'acme.com\\x',
    'user@acme.com',
    'http://acme.com',
    '*.acme.com',
    '%61cme.com',
    'acme.com\u0000',
    'ac\nme.com',
    `${longLabel}a.com`,
    `${`${longLabel}.`.repeat(4)}com`,
    'a.'.repeat(50_000),
  ])('refuses %j', input => expect(parseCustomDomain(input, base)).toBeNull());

  test('accepts 253 characters, and not 254', () => {
    const name = (last: number) => `${`${longLabel}.`.repeat(3)}${'b'.repeat(last)}.com`;
    expect(name(57)).toHaveLength(253);
    expect(parseCustomDomain(name(57), base)).toBe(name(57));
    expect(parseCustomDomain(name(58), base)).toBeNull();
  });

  test.each([
    'status.example.org',
    'STATUS.example.ORG.',
    'ab12cd34.status.example.org',
    'a.b.status.example.org',
    'ſtatus.example.org',
  ])('refuses %j below the base host', input => expect(parseCustomDomain(input, base)).toBeNull());

  test.each(['Status.Example.Org', 'status.example.org.'])('is compared with the base host in any form: %s', input => {
    expect(parseCustomDomain('a.status.example.org', input)).toBeNull();
  });

  test('is refused under a base host without a dot', () => {
    expect(parseCustomDomain('a.localhost', 'localhost')).toBeNull();
    expect(parseCustomDomain('a.example', 'localhost')).toBe('a.example');
  });
});
