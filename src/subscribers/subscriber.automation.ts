import { deleteExpiredCodes } from '../auth/one-time-code.service.js';
import type { Database } from '../db/database.js';
import { poll } from '../db/poll.js';

/**
 * Deletes sign-ups that were not confirmed within 7 days, expired codes, and old counts of requests and tries.
 * The record that somebody has unsubscribed stays. Safe to run in several processes at once.
 */
export async function deleteExpired(database: Database): Promise<void> {
  await database.query(
    `delete from subscriber
     where confirmed_at is null and unsubscribed_at is null and updated_at < clock_timestamp() - interval '7 days'`,
  );
  await database.query(`delete from subscription_request where created_at < clock_timestamp() - interval '1 day'`);
  await deleteExpiredCodes(database);
  await database.query('delete from access_try where expires_at < clock_timestamp()');
}

const pollIntervalMs = 10 * 60_000;

/** Returns what stops it. */
export const startExpiryPolling = (database: Database): (() => Promise<void>) =>
  poll(() => deleteExpired(database), pollIntervalMs, 'expired sign-ups could not be deleted', database.log);
