import { type Finding, isProof } from './dns-proof.js';

interface ClaimState {
  claimedAt: Date;
  verifiedAt: Date | null;
  /** Since when the proof of a verified domain has been missing from DNS. */
  missingSince: Date | null;
  nextCheckAt: Date;
}

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** Not at once: a resolver that is queried before the record exists caches its absence, for hours in some zones. */
export const firstCheckAt = (claimedAt: Date): Date => after(claimedAt, minute);

/** How long a verified domain that was given up stays reserved for its page. */
export const reservedUntil = (releasedAt: Date): Date => after(releasedAt, 30 * day);

/**
 * As long as a new claim has to be verified. A failing name server, a move to another provider and a long weekend are
 * shorter, and must not take a page down; visitors are not misled meanwhile, since they arrive by the missing records.
 * A longer time would keep a domain that was sold from its new owner.
 */
const graceDays = 7;

/**
 * The next state of a claim after a check. A DNS failure decides nothing: it may be our own resolver, and then every
 * domain fails at once. A domain whose proof stays missing becomes an unverified claim.
 */
export function advanceClaim(claim: Omit<ClaimState, 'nextCheckAt'>, finding: Finding, now: Date): ClaimState {
  if (isProof(finding))
    return {
      claimedAt: claim.claimedAt,
      verifiedAt: claim.verifiedAt ?? now,
      missingSince: null,
      nextCheckAt: after(now, day),
    };
  if (!claim.verifiedAt)
    return {
      ...claim,
      missingSince: null,
      nextCheckAt: after(now, clamp(minute, now.getTime() - claim.claimedAt.getTime(), hour)),
    };
  if (finding === 'unanswered') return { ...claim, nextCheckAt: after(now, hour) };
  const missingSince = claim.missingSince ?? now;
  if (now.getTime() - missingSince.getTime() < graceDays * day)
    return { ...claim, missingSince, nextCheckAt: after(now, hour) };
  return { claimedAt: now, verifiedAt: null, missingSince: null, nextCheckAt: firstCheckAt(now) };
}

const after = (date: Date, milliseconds: number): Date => new Date(date.getTime() + milliseconds);
const clamp = (least: number, value: number, most: number): number => Math.min(Math.max(value, least), most);
