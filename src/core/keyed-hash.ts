import { createHmac, timingSafeEqual } from 'node:crypto';

/** A keyed hash (HMAC), for stored values that must not be recovered by guessing. */
export const keyedHash = (key: Buffer, purpose: string, ...values: string[]): string =>
  createHmac('sha256', key)
    .update(JSON.stringify([purpose, ...values]))
    .digest('base64url');

/** In constant time for hashes of one length, so that a guess learns nothing of the other. */
export const isSameHash = (one: string, other: string): boolean =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));
