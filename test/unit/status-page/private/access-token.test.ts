import { describe, expect, test } from '@jest/globals';
import {
  signAccessToken,
  type TokenPurpose,
  verifyAccessToken,
} from '../../../../src/status-page/private/access-token.js';
import { parseDestination } from '../../../../src/status-page/private/gate-page.js';

const key = Buffer.alloc(32, 7);
const page = { id: '2017f84a', version: 3 };
const now = 1_800_000_000;
const sign = (purpose: TokenPurpose, subject = 'ann@example.com') => signAccessToken(key, purpose, page, subject, now);
const verify = (token: string, purpose: TokenPurpose = 'view', at = now, of = page, by = key) =>
  verifyAccessToken(by, purpose, of, token, at);

describe('A token', () => {
  test.each(['view', 'feed', 'enter'] as const)('of purpose %s has its subject, for that purpose alone', purpose => {
    const token = sign(purpose, 'ann.b@exämple.com');
    expect(token).toMatch(/^[\w.-]+$/);
    for (const other of ['view', 'feed', 'enter'] as const)
      expect(verify(token, other)).toBe(other === purpose ? 'ann.b@exämple.com' : null);
  });

  test.each<[TokenPurpose, number | null]>([
    ['view', 30 * 86_400],
    ['enter', 60],
    ['feed', null],
  ])('of purpose %s expires after %s seconds', (purpose, seconds) => {
    const token = sign(purpose);
    if (seconds === null) return expect(verify(token, purpose, now + 1e9)).not.toBeNull();
    expect(verify(token, purpose, now + seconds - 1)).not.toBeNull();
    expect(verify(token, purpose, now + seconds)).toBeNull();
  });

  test('is of no other page, version or key', () => {
    const token = sign('view');
    expect(verify(token, 'view', now, { ...page, id: '2017f84b' })).toBeNull();
    expect(verify(token, 'view', now, { ...page, version: 4 })).toBeNull();
    expect(verify(token, 'view', now, page, Buffer.alloc(32, 8))).toBeNull();
  });

  test('is refused with any character changed, added or removed', () => {
    const token = sign('view');
    const changed = [...token].flatMap((letter, index) =>
      [letter === 'A' ? 'B' : 'A', '.', ''].map(one => token.slice(0, index) + one + token.slice(index + 1)),
    );
    const forged = [...changed, `${token}A`, `A${token}`, `${token}.${token}`, '', '..', 'x'.repeat(5_000)];
    const accepted = forged.filter(one => one !== token && verify(one) !== null);
    expect(forged.length).toBeGreaterThan(200);
    expect(accepted).toEqual([]);
  });
});

test.each([
  ['history?lang=de', 'history?lang=de'],
  ['', ''],
  [null, ''],
  ['/evil', ''],
  ['\\evil', ''],
  ['a\\b', ''],
  ['..//evil', ''],
  ['a//b', ''],
  ['a b', ''],
  ['a\nb', ''],
  ['x'.repeat(501), ''],
])('the destination %j leads to %j', (given, expected) => expect(parseDestination(given)).toBe(expected));
