import { describe, expect, test } from '@jest/globals';
import { parseEmailAddress, parsePhoneNumber } from '../../../src/core/address.js';

describe('parsePhoneNumber', () => {
  test.each([
    ['+447911123456', '+447911123456'],
    ['+44 7911 123-456', '+447911123456'],
    ['+44 (7911) 123456', '+447911123456'],
    ['+44 [7911] 123456', '+447911123456'],
    ['+44\u00a07911–123‑456', '+447911123456'],
    [' 447911123456', '+447911123456'],
    [' 44 7911 123456', '+447911123456'],
    ['  +44 7911 123456 ', '+447911123456'],
    ['+1234567', '+1234567'],
    ['+123456789012345', '+123456789012345'],
  ])('normalizes %j to %j', (input, expected) => expect(parsePhoneNumber(input)).toBe(expected));

  test.each([
    '',
    ' ',
    '+',
    '447911123456',
    '+047911123456',
    ' 047911123456',
    '+123456',
    '+1234567890123456',
    '+44.7911.123456',
    '+44x7911123456',
    '++447911123456',
    '+44 7911 123456 ext 1',
    '+٤٤٧٩١١١٢٣٤٥٦',
  ])('refuses %j', input => expect(parsePhoneNumber(input)).toBeNull());
});

const withLength = (length: number) =>
  `${`${'b'.repeat(60)}.`.repeat(3)}example.com`.padStart(length, `${'a'.repeat(length - 195)}@`);

describe('parseEmailAddress', () => {
  test.each([
    ['ann@example.com', 'ann@example.com'],
    [' Ann@Example.COM\n', 'Ann@Example.COM'],
    ["o'hara+status@mail.example.co.uk", "o'hara+status@mail.example.co.uk"],
    ['a..b.@example.com', 'a..b.@example.com'],
    ['jürgen@bücher.example', 'jürgen@bücher.example'],
    // All forms of one domain are normalized to one.
    ['ann@ｅxample.com', 'ann@example.com'],
    ['ann@exa\u00ADmple.com', 'ann@example.com'],
    ['ann@example。com', 'ann@example.com'],
    ['ann@\u212Aeep.example', 'ann@keep.example'],
    // U+212A is canonically equivalent to K; otherwise it would compare as the mailbox of somebody else.
    ['\u212Aim@example.com', 'Kim@example.com'],
    ['jürgen@Bu\u0308cher.Example', 'jürgen@bücher.example'],
    ['Jürgen@XN--Bcher-KVA.example', 'Jürgen@bücher.example'],
    // Its Unicode form maps to another name in DNS.
    ['ann@xn---bhf.com', 'ann@xn---bhf.com'],
    [`${'a'.repeat(64)}@example.com`, `${'a'.repeat(64)}@example.com`],
    [withLength(254), withLength(254)],
  ])('normalizes %j to %j', (input, expected) => expect(parseEmailAddress(input)).toBe(expected));

  test.each([
    '',
    'ann',
    '@example.com',
    'ann@',
    '.@example.com',
    '..@example.com',
    '.ann@example.com',
    'ann@example',
    'ann@@example.com',
    'ann@b@example.com',
    'ann@example.com@b',
    'ann b@example.com',
    'ann@exam ple.com',
    'ann@example.com\r\nBcc: all@example.com',
    'ann\u0000@example.com',
    'ann\u200b@example.com',
    'Ann <ann@example.com>',
    '"ann"@example.com',
    'ann,bob@example.com',
    'ann@1.2.3.4',
    'ann@[1.2.3.4]',
    'ann@-example.com',
    'ann@example..com',
    'ann@example.com.',
    'ann@exa_mple.com',
    'ann@xn--example-.com',
    `${'a'.repeat(65)}@example.com`,
    'm\u0130ke@example.com',
    `${'ü'.repeat(33)}@example.com`,
    withLength(255),
  ])('refuses %j', input => expect(parseEmailAddress(input)).toBeNull());
});
