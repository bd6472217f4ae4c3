import { type Finding, isProof } from './dns-proof.js';

/** Where a claim to a domain stands. */
export interface ClaimCourse {
  claimedAt: Date;
  verifiedAt: Date | null;
  /** Since when DNS has said that the proof of a verified domain is gone. */
  missingSince: Date | null;
  nextCheckAt: Date;
}

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** The first look is not at once: a resolver that is asked before the record was made remembers for up to hours that there is none. */
export const firstCheck = (claimedAt: Date): Date => after(claimedAt, minute);

/** A domain that was verified and given up stays with its page for so long. */
export const reservedUntil = (releasedAt: Date): Date => after(releasedAt, 30 * day);

/**
 * As long as a claim has to be verified. Shorter than that are failures of a name server, a move to another provider and a long weekend, and none may take down the page
 * of an operator; meanwhile nobody is misled, since visitors come by the very records that are gone. Longer would keep a domain that was sold from its new owner.
 */
const graceDays = 7;

/**
 * What a finding makes of a claim. A silent DNS decides nothing: it may be our own resolver that fails, and then it fails for every domain at once. A domain whose
 * proof stays gone becomes a claim like a new one.
 */
export function course(claim: Omit<ClaimCourse, 'nextCheckAt'>, finding: Finding, now: Date): ClaimCourse {
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
      nextCheckAt: after(now, between(minute, now.getTime() - claim.claimedAt.getTime(), hour)),
    };
  if (finding === 'unanswered') return { ...claim, nextCheckAt: after(now, hour) };
  const missingSince = claim.missingSince ?? now;
  if (now.getTime() - missingSince.getTime() < graceDays * day)
    return { ...claim, missingSince, nextCheckAt: after(now, hour) };
  return { claimedAt: now, verifiedAt: null, missingSince: null, nextCheckAt: firstCheck(now) };
}

const after = (moment: Date, milliseconds: number): Date => new Date(moment.getTime() + milliseconds);
const between = (least: number, value: number, most: number): number => Math.min(Math.max(value, least), most);
