import { describe, expect, test } from '@jest/globals';
import {
  buildLinkUrl,
  type Link,
  linkPurposes,
  buildPreferencesUrl,
  signLink,
  buildUnsubscribeUrl,
  verifyLink,
} from '../../../src/subscribers/signed-link.js';
import { maskAddress } from '../../../src/subscribers/address.js';

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
  ])('says what it was made of: %j', made => {
    expect(verifyLink(key, made.purpose, made.pageId, signLink(key, made))).toEqual(made);
  });

  test('is good for one purpose only', () => {
    const token = signLink(key, link);
    expect(linkPurposes.filter(purpose => verifyLink(key, purpose, page.id, token))).toEqual(['confirm']);
  });

  test('is of one page only, and of one key', () => {
    expect(verifyLink(key, 'confirm', 'ab12cd35', signLink(key, link))).toBeNull();
    expect(verifyLink(Buffer.alloc(32, 8), 'confirm', page.id, signLink(key, link))).toBeNull();
  });

  test('is nothing any more when one character of it is another, is gone, or is one too many', () => {
    const token = signLink(key, link);
    const alphabet = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.';
    const others = [...token].flatMap((character, at) => [
      ...[...alphabet]
        .filter(other => other !== character)
        .map(other => token.slice(0, at) + other + token.slice(at + 1)),
      token.slice(0, at) + token.slice(at + 1),
      `${token.slice(0, at)}a${token.slice(at)}`,
    ]);
    expect(others.filter(other => other !== token && verifyLink(key, 'confirm', page.id, other))).toEqual([]);
    expect(others.length).toBeGreaterThan(2_000);
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
  ])('%j is none', token => {
    expect(verifyLink(key, 'unsubscribe', page.id, token)).toBeNull();
  });

  test.each<Link>([
    { purpose: 'confirm', pageId: page.id, subscriberId: 1, version: 1 },
    { purpose: 'confirm', pageId: page.id, subscriberId: 1, expiresAt: 1_795_000_000 },
    { purpose: 'preferences', pageId: page.id, subscriberId: 1 },
  ])('that should end, or work once, and does not say so is none: %j', made => {
    expect(verifyLink(key, made.purpose, page.id, signLink(key, made))).toBeNull();
  });

  test('to leave by is short enough for an SMS, and the same for ever', () => {
    const address = buildUnsubscribeUrl(key, page, 123_456);
    expect(address).toMatch(/^https:\/\/status\.example\.com\/unsubscribe\/2n9c\.\.\.[\w-]{22}$/);
    expect(buildUnsubscribeUrl(key, page, 123_456)).toBe(address);
  });

  test('in a message changes nothing by itself: it leads to where another is asked for', () => {
    expect(buildPreferencesUrl(key, page, 1)).toMatch(/^https:\/\/status\.example\.com\/preferences\/request\//);
    expect(buildLinkUrl(key, page, link)).toMatch(/^https:\/\/status\.example\.com\/confirm\//);
  });
});

test.each([
  ['anna@example.com', 'a…@e…'],
  ['😀x@例え.jp', '😀…@例…'],
  ['+4479460000', '+4…00'],
])('%s is shown as %s', (address, shown) => {
  expect(maskAddress(address)).toBe(shown);
});
