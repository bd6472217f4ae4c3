import type { Database } from '../db/connection.js';
import { query } from '../db/prepared-statements.js';
import { inTransaction } from '../db/transaction.js';
import { keyedHash } from './signed-link.js';

/** How an address is reached: one who subscribes names an e-mail address or a phone. */
export type Way = 'email' | 'sms';

export interface MessageRequest {
  pageId: string;
  way: Way;
  recipient: string;
  /** The network address that asks. */
  caller: string;
  /** The setting SMS_CODES_PER_DAY: how many codes a page may send in 24 hours. */
  smsCodesPerDay: number;
}

/** Refused, whoever the recipient is; else counted, and `send` says whether a message may go to the recipient. */
export type Verdict = { secondsToWait: number } | { id: number; send: boolean };

/**
 * A message costs money, or the patience of somebody who did not ask for it. A recipient gets one in 60 seconds and three in a day; a number is counted over all
 * pages, since one pays for all of them. An address of the network asks ten times an hour for SMS, and more often for mail, since an office has one for all; a
 * page sends so many a day.
 */
const capsFor = (way: Way, smsCodesPerDay: number) =>
  way === 'sms' ? { ofCaller: 10, ofPage: smsCodesPerDay } : { ofCaller: 30, ofPage: 5_000 };
const secondsBetween = 60;
const aDay = 3;

/** Any number: requests are counted one after another, so that two at once are not both the third. The lock is held for two statements. */
export const countingLock = 0x61736b73;

/** Counts in the database, so that all processes count together, and by its clock. A recipient's caps are silent: they would tell that somebody asked before. */
export async function countRequest(
  database: Database,
  key: Buffer,
  { pageId, way, recipient, caller, smsCodesPerDay }: MessageRequest,
): Promise<Verdict> {
  const { ofCaller, ofPage } = capsFor(way, smsCodesPerDay);
  const hashedRecipient = keyedHash(key, way, recipient, way === 'sms' ? '' : pageId);
  const hashedCaller = keyedHash(key, `caller ${way}`, caller);
  return inTransaction(database, async em => {
    await query(em, 'select pg_advisory_xact_lock($1)', [countingLock]);
    const [found] = await query<{ recent: boolean; today: number; hour: number; page: number }>(
      em,
      `select coalesce(bool_or(sent and recipient = $1 and created_at > clock_timestamp() - interval '${secondsBetween} seconds'), false) as recent,
         count(*) filter (where sent and recipient = $1)::int as today,
         count(*) filter (where caller = $2 and created_at > clock_timestamp() - interval '1 hour')::int as hour,
         count(*) filter (where sent and page_id = $3 and way = $4)::int as page
       from subscription_request where created_at > clock_timestamp() - interval '1 day' and (recipient = $1 or caller = $2 or page_id = $3)`,
      [hashedRecipient, hashedCaller, pageId, way],
    );
    const { recent, today, hour, page } = found!;
    if (hour >= ofCaller || page >= ofPage) return { secondsToWait: 3_600 };
    const send = !recent && today < aDay;
    const [row] = await query<{ id: number }>(
      em,
      `insert into subscription_request (page_id, way, recipient, caller, sent, created_at) values ($1, $2, $3, $4, $5, clock_timestamp()) returning id`,
      [pageId, way, hashedRecipient, hashedCaller, send],
    );
    return { id: row!.id, send };
  });
}

/** The message did not go: it is not counted against its recipient, who may ask again at once. */
export async function uncountRequest(database: Database, id: number): Promise<void> {
  await database.query('update subscription_request set sent = false where id = $1', [id]);
}
