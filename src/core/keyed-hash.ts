import { createHmac } from 'node:crypto';

/** A keyed hash (HMAC), for stored values that must not be recovered by guessing. */
export const keyedHash = (key: Buffer, purpose: string, ...values: string[]): string =>
  createHmac('sha256', key)
    .update(JSON.stringify([purpose, ...values]))
    .digest('base64url');
