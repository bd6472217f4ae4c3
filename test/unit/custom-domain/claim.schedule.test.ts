import { describe, expect, test } from '@jest/globals';
import { advanceClaim, firstCheckAt, reservedUntil } from '../../../src/custom-domain/claim.schedule.js';
import { type Finding, findings, isProof } from '../../../src/custom-domain/dns-proof.js';

const [minute, hour, day] = [60_000, 3_600_000, 86_400_000];
const now = new Date('2026-11-21T12:00:00.000Z');
const ago = (milliseconds: number) => new Date(now.getTime() - milliseconds);
const later = (milliseconds: number) => new Date(now.getTime() + milliseconds);
const claimed = (age: number) => ({ claimedAt: ago(age), verifiedAt: null, missingSince: null });
const verified = { claimedAt: ago(90 * day), verifiedAt: ago(80 * day), missingSince: null };
const gone = (Object.keys(findings) as Finding[]).filter(finding => !isProof(finding) && finding !== 'unanswered');

describe('a claim that is not verified', () => {
  test.each<[age: number, wait: number]>([
    [0, minute],
    [minute, minute],
    [2 * minute, 2 * minute],
    [30 * minute, 30 * minute],
    [hour, hour],
    [6 * day, hour],
  ])('is looked at again after as long as it has waited, from a minute to an hour: %p ms', (age, wait) => {
    for (const finding of [...gone, 'unanswered'] as const)
      expect(advanceClaim(claimed(age), finding, now)).toEqual({ ...claimed(age), nextCheckAt: later(wait) });
  });

  test.each<Finding>(['cname', 'txt'])('is verified by %s, and then looked at once a day', finding => {
    expect(advanceClaim(claimed(hour), finding, now)).toEqual({
      claimedAt: ago(hour),
      verifiedAt: now,
      missingSince: null,
      nextCheckAt: later(day),
    });
  });
});

describe('a verified domain', () => {
  test('keeps the moment it was verified at', () => {
    expect(advanceClaim(verified, 'txt', now)).toEqual({ ...verified, nextCheckAt: later(day) });
  });

  test('stays verified whatever DNS fails to say, and for however long', () => {
    const missing = { ...verified, missingSince: ago(30 * day) };
    for (const claim of [verified, missing])
      expect(advanceClaim(claim, 'unanswered', now)).toEqual({ ...claim, nextCheckAt: later(hour) });
  });

  test.each(gone)('stays verified for 7 days after its proof went: %s', finding => {
    expect(advanceClaim(verified, finding, now)).toEqual({ ...verified, missingSince: now, nextCheckAt: later(hour) });
    const missing = { ...verified, missingSince: ago(7 * day - 1) };
    expect(advanceClaim(missing, finding, now)).toEqual({ ...missing, nextCheckAt: later(hour) });
  });

  test.each(gone)('is then a claim like a new one: %s', finding => {
    const missing = { ...verified, missingSince: ago(7 * day) };
    expect(advanceClaim(missing, finding, now)).toEqual({
      claimedAt: now,
      verifiedAt: null,
      missingSince: null,
      nextCheckAt: later(minute),
    });
  });

  test('is as before once its proof is back', () => {
    expect(advanceClaim({ ...verified, missingSince: ago(6 * day) }, 'cname', now)).toEqual({
      ...verified,
      nextCheckAt: later(day),
    });
  });
});

test('the first look comes a minute after the claim, and a domain is reserved for 30 days', () => {
  expect([firstCheckAt(now), reservedUntil(now)]).toEqual([later(minute), later(30 * day)]);
});
