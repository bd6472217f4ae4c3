import { describe, expect, test } from '@jest/globals';
import {
  buildLinkUrl,
  createMessageLink,
  type Link,
  linkPurposes,
  buildPreferencesUrl,
  signLink,
  buildUnsubscribeUrl,
  verifyLink,
} from '../../../src/subscribers/signed-link.js';
import { maskAddress } from '../../../src/core/address.js';

const key = Buffer.alloc(32, 7);
const page = { id: 'ab12cd34', address: 'https://status.example.com' };
const link: Link = {
  purpose: 'confirm',
  pageId: page.id,
  subscriberId: 2 ** 31 - 1,
  expiresAt: 1_795_000_000,
  version: 3,
};

describe('a signed link', () => {
  test.each<Link>([
    link,
    { purpose: 'unsubscribe', pageId: page.id, subscriberId: 1 },
    { purpose: 'request', pageId: page.id, subscriberId: 36 },
    { purpose: 'preferences', pageId: page.id, subscriberId: 7, expiresAt: 4_000_000_000 },
    { purpose: 'preferences', pageId: page.id, subscriberId: 7 },
    createMessageLink(key, 'unsubscribe', page.id, 7, 'anna@example.com'),
  ])('returns what was signed: %j', signed => {
    expect(verifyLink(key, signed.purpose, signed.pageId, signLink(key, signed))).toEqual(signed);
  });

  test('is valid for one purpose only', () => {
    const token = signLink(key, link);
    expect(linkPurposes.filter(purpose => verifyLink(key, purpose, page.id, token))).toEqual(['confirm']);
  });

  test('is valid for one page and one key only', () => {
    expect(verifyLink(key, 'confirm', 'ab12cd35', signLink(key, link))).toBeNull();
    expect(verifyLink(Buffer.alloc(32, 8), 'confirm', page.id, signLink(key, link))).toBeNull();
  });

  test('is invalid if any character is changed, removed or added', () => {
    const token = signLink(key, link);
    const alphabet = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.';
    const variants = [...token].flatMap((character, index) => [
      ...[...alphabet]
        .filter(other => other !== character)
        .map(other => token.slice(0, index) + other + token.slice(index + 1)),
      token.slice(0, index) + token.slice(index + 1),
      `${token.slice(0, index)}a${token.slice(index)}`,
    ]);
    expect(variants.filter(other => other !== token && verifyLink(key, 'confirm', page.id, other))).toEqual([]);
    expect(variants.length).toBeGreaterThan(2_000);
  });

  test.each([
    '',
    '.',
    '...',
    'x',
    '1...',
    `${'9'.repeat(400)}...${'a'.repeat(22)}`,
    '1...aaaaaaaaaaaaaaaaaaaaaa',
    '\0',
    '１...aaaaaaaaaaaaaaaaaaaaaa',
  ])('refuses %j', token => {
    expect(verifyLink(key, 'unsubscribe', page.id, token)).toBeNull();
  });

  test.each<Link>([
    { purpose: 'confirm', pageId: page.id, subscriberId: 1, version: 1 },
    { purpose: 'confirm', pageId: page.id, subscriberId: 1, expiresAt: 1_795_000_000 },
  ])('is invalid without the expiry or the version that its purpose needs: %j', incomplete => {
    expect(verifyLink(key, incomplete.purpose, page.id, signLink(key, incomplete))).toBeNull();
  });

  test('for unsubscribing is short, and always the same', () => {
    const url = buildUnsubscribeUrl(key, page, 123_456);
    expect(url).toMatch(/^https:\/\/status\.example\.com\/unsubscribe\/2n9c\.\.\.[\w-]{22}$/);
    expect(buildUnsubscribeUrl(key, page, 123_456)).toBe(url);
  });

  test('for preferences in a message never expires', () => {
    expect(buildPreferencesUrl(key, page, 1)).toMatch(
      /^https:\/\/status\.example\.com\/preferences\/1\.\.\.[\w-]{22}$/,
    );
    expect(buildLinkUrl(key, page, link)).toMatch(/^https:\/\/status\.example\.com\/confirm\//);
  });
});

test.each([
  ['anna@example.com', 'a…@e…'],
  ['😀x@例え.jp', '😀…@例…'],
  ['+4479460000', '+4…00'],
])('maskAddress shows %s as %s', (address, shown) => {
  expect(maskAddress(address)).toBe(shown);
});
