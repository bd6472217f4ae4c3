import { describe, expect, test } from '@jest/globals';
import {
  addressOf,
  type Link,
  linkPurposes,
  preferencesLink,
  signed,
  unsubscribeLink,
  verified,
} from '../../../src/subscribers/signed-link.js';
import { masked } from '../../../src/subscribers/address.js';

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
    expect(verified(key, made.purpose, made.pageId, signed(key, made))).toEqual(made);
  });

  test('is good for one purpose only', () => {
    const token = signed(key, link);
    expect(linkPurposes.filter(purpose => verified(key, purpose, page.id, token))).toEqual(['confirm']);
  });

  test('is of one page only, and of one key', () => {
    expect(verified(key, 'confirm', 'ab12cd35', signed(key, link))).toBeNull();
    expect(verified(Buffer.alloc(32, 8), 'confirm', page.id, signed(key, link))).toBeNull();
  });

  test('is nothing any more when one character of it is another, is gone, or is one too many', () => {
    const token = signed(key, link);
    const alphabet = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.';
    const others = [...token].flatMap((character, at) => [
      ...[...alphabet]
        .filter(other => other !== character)
        .map(other => token.slice(0, at) + other + token.slice(at + 1)),
      token.slice(0, at) + token.slice(at + 1),
      `${token.slice(0, at)}a${token.slice(at)}`,
    ]);
    expect(others.filter(other => other !== token && verified(key, 'confirm', page.id, other))).toEqual([]);
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
    expect(verified(key, 'unsubscribe', page.id, token)).toBeNull();
  });

  test.each<Link>([
    { purpose: 'confirm', pageId: page.id, subscriberId: 1, version: 1 },
    { purpose: 'confirm', pageId: page.id, subscriberId: 1, expiresAt: 1_795_000_000 },
    { purpose: 'preferences', pageId: page.id, subscriberId: 1 },
  ])('that should end, or work once, and does not say so is none: %j', made => {
    expect(verified(key, made.purpose, page.id, signed(key, made))).toBeNull();
  });

  test('to leave by is short enough for an SMS, and the same for ever', () => {
    const address = unsubscribeLink(key, page, 123_456);
    expect(address).toMatch(/^https:\/\/status\.example\.com\/unsubscribe\/2n9c\.\.\.[\w-]{22}$/);
    expect(unsubscribeLink(key, page, 123_456)).toBe(address);
  });

  test('in a message changes nothing by itself: it leads to where another is asked for', () => {
    expect(preferencesLink(key, page, 1)).toMatch(/^https:\/\/status\.example\.com\/preferences\/request\//);
    expect(addressOf(key, page, link)).toMatch(/^https:\/\/status\.example\.com\/confirm\//);
  });
});

test.each([
  ['anna@example.com', 'a…@e…'],
  ['😀x@例え.jp', '😀…@例…'],
  ['+4479460000', '+4…00'],
])('%s is shown as %s', (address, shown) => {
  expect(masked(address)).toBe(shown);
});
