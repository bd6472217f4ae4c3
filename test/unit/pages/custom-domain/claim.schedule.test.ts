import { describe, expect, test } from '@jest/globals';
import { advanceClaim, firstCheckAt, reservedUntil } from '../../../../src/pages/custom-domain/claim.schedule.js';
import { type Finding, findings, isProof } from '../../../../src/pages/custom-domain/dns-proof.js';

const minute = 60_000;
const hour = 3_600_000;
const day = 86_400_000;
const now = new Date('2026-11-21T12:00:00.000Z');
const ago = (milliseconds: number) => new Date(now.getTime() - milliseconds);
const later = (milliseconds: number) => new Date(now.getTime() + milliseconds);
const claimed = (age: number) => ({ claimedAt: ago(age), verifiedAt: null, missingSince: null });
const verified = { claimedAt: ago(90 * day), verifiedAt: ago(80 * day), missingSince: null };
const missingFindings = (Object.keys(findings) as Finding[]).filter(
  finding => !isProof(finding) && finding !== 'unanswered',
);

describe('an unverified claim', () => {
  test.each<[age: number, wait: number]>([
    [0, minute],
    [minute, minute],
    [2 * minute, 2 * minute],
    [30 * minute, 30 * minute],
    [hour, hour],
    [6 * day, hour],
  ])('is checked again after its own age, within a minute and an hour: %p ms', (age, wait) => {
    for (const finding of [...missingFindings, 'unanswered'] as const)
      expect(advanceClaim(claimed(age), finding, now)).toEqual({ ...claimed(age), nextCheckAt: later(wait) });
  });

  test.each<Finding>(['cname', 'txt'])('is verified by %s, and then checked once a day', finding => {
    expect(advanceClaim(claimed(hour), finding, now)).toEqual({
      claimedAt: ago(hour),
      verifiedAt: now,
      missingSince: null,
      nextCheckAt: later(day),
    });
  });
});

describe('a verified domain', () => {
  test('keeps its time of verification', () => {
    expect(advanceClaim(verified, 'txt', now)).toEqual({ ...verified, nextCheckAt: later(day) });
  });

  test('stays verified while DNS does not answer, without a limit', () => {
    const missing = { ...verified, missingSince: ago(30 * day) };
    for (const claim of [verified, missing])
      expect(advanceClaim(claim, 'unanswered', now)).toEqual({ ...claim, nextCheckAt: later(hour) });
  });

  test.each(missingFindings)('stays verified for 7 days without its proof: %s', finding => {
    expect(advanceClaim(verified, finding, now)).toEqual({ ...verified, missingSince: now, nextCheckAt: later(hour) });
    const missing = { ...verified, missingSince: ago(7 * day - 1) };
    expect(advanceClaim(missing, finding, now)).toEqual({ ...missing, nextCheckAt: later(hour) });
  });

  test.each(missingFindings)('becomes an unverified claim after that: %s', finding => {
    const missing = { ...verified, missingSince: ago(7 * day) };
    expect(advanceClaim(missing, finding, now)).toEqual({
      claimedAt: now,
      verifiedAt: null,
      missingSince: null,
      nextCheckAt: later(minute),
    });
  });

  test('is as before when its proof is back', () => {
    expect(advanceClaim({ ...verified, missingSince: ago(6 * day) }, 'cname', now)).toEqual({
      ...verified,
      nextCheckAt: later(day),
    });
  });
});

test('the first check is a minute after the claim, and a reservation lasts 30 days', () => {
  expect([firstCheckAt(now), reservedUntil(now)]).toEqual([later(minute), later(30 * day)]);
});
