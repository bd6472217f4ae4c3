import type { Database } from '../db/connection.js';
import { poll } from '../db/poll.js';

/**
 * Who signed up and did not confirm within 7 days was perhaps never asked: they go. The mark of who has left stays, whatever somebody asks in their name. What was
 * counted for a day, and codes that are worth nothing any more, go too. Any number of processes may do it at once.
 */
export async function forgetExpired(database: Database): Promise<void> {
  await database.query(
    `delete from subscriber where confirmed_at is null and unsubscribed_at is null and updated_at < clock_timestamp() - interval '7 days'`,
  );
  await database.query(`delete from subscription_request where created_at < clock_timestamp() - interval '1 day'`);
  await database.query('delete from phone_code where expires_at < clock_timestamp()');
}

const everyMilliseconds = 10 * 60_000;

/** Looks again and again, until it is stopped. */
export const forgetUnconfirmed = (database: Database): (() => Promise<void>) =>
  poll(() => forgetExpired(database), everyMilliseconds, 'expired sign-ups could not be deleted', database.log);
