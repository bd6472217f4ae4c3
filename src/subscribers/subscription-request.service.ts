import { keyedHash } from '../core/keyed-hash.js';
import type { Database } from '../db/database.js';
import { query } from '../db/prepared-statements.js';
import { inTransaction } from '../db/transaction.js';

/** How a subscriber is reached: by an e-mail address or a phone number. */
export type ContactMethod = 'email' | 'sms';

/** Also by a message to the incoming webhook of a chat, and by a browser, which gets none. */
export type RequestMethod = ContactMethod | 'webhook' | 'push';

export interface MessageRequest {
  pageId: string;
  method: RequestMethod;
  recipient: string;
  /** The network address of the visitor. */
  caller: string;
  /** Whether the message is of use to its requester alone: what others request must not keep it from them. */
  isForCaller?: boolean;
  /** Whether the caller has proved earlier to read the recipient's mail: then what others requested does not count. */
  isCallerProven?: boolean;
  /** The setting SMS_CODES_PER_DAY: how many codes a page may send in 24 hours. */
  smsCodesPerDay: number;
}

/** The cap that a request exceeded: that of its network address, or that of the page. */
export type ExceededCap = 'caller' | 'page';

/** Refused for any recipient, or counted; then `send` says whether this recipient may get a message. */
type Verdict = { exceeded: ExceededCap } | { id: number; send: boolean };

/**
 * Messages cost money, and may reach somebody who did not request them. Each recipient gets one in 60 seconds and three
 * in a day, counted across all pages, since a victim or the operator bears all of them; but an e-mail for each of two
 * pages in the same minute. A network address has an hourly limit, higher for e-mail, since an office shares one
 * address; a page has a daily limit. What is of use to its requester alone is counted for each network address, or for
 * browsers that have proved to be of the recipient.
 */
const getLimits = (method: RequestMethod, smsCodesPerDay: number) =>
  method === 'sms' ? { perCaller: 10, perPage: smsCodesPerDay } : { perCaller: 30, perPage: 5_000 };
const secondsBetween = 60;
/** After this time the hourly limit of a network address allows more. */
export const limitResetSeconds = 3_600;
const perRecipient = 3;
/** Of messages of use to their requesters, from all network addresses. */
const perSharedRecipient = 30;

/** The key of an advisory lock: it serializes counting, so that two requests at once are not both the third. */
export const requestLockKey = 0x61736b73;

/** Counts across all processes. Limits of a recipient are silent: an error would reveal that somebody asked before. */
export async function countRequest(
  database: Database,
  key: Buffer,
  { pageId, method, recipient, caller, smsCodesPerDay, isForCaller = false, isCallerProven = false }: MessageRequest,
): Promise<Verdict> {
  const { perCaller, perPage } = getLimits(method, smsCodesPerDay);
  const hashedRecipient = keyedHash(key, method, recipient);
  const hashedCaller = keyedHash(key, `caller ${method}`, caller);
  return inTransaction(database, async em => {
    await query(em, 'select pg_advisory_xact_lock($1)', [requestLockKey]);
    const [counts] = await query<{ recent: boolean; today: number; total: number; hour: number; page: number }>(
      em,
      `select
         coalesce(bool_or(
           sent and recipient = $1 and (page_id = $3 or method = 'sms') and (caller = $2 or not $5)
             and created_at > clock_timestamp() - interval '${secondsBetween} seconds'
         ), false) as recent,
         count(*) filter (where sent and recipient = $1 and (caller = $2 or not $5))::int as today,
         count(*) filter (where sent and recipient = $1)::int as total,
         count(*) filter (where caller = $2 and created_at > clock_timestamp() - interval '1 hour')::int as hour,
         count(*) filter (where sent and page_id = $3 and method = $4)::int as page
       from subscription_request
       where created_at > clock_timestamp() - interval '1 day' and (recipient = $1 or caller = $2 or page_id = $3)`,
      [hashedRecipient, hashedCaller, pageId, method, isForCaller],
    );
    const { recent, today, total, hour, page } = counts!;
    if (hour >= perCaller) return { exceeded: 'caller' };
    if (page >= perPage && !isCallerProven) return { exceeded: 'page' };
    const isFull = total >= (isForCaller ? perSharedRecipient : perRecipient);
    const send = !recent && today < perRecipient && (isCallerProven || !isFull);
    const [row] = await query<{ id: number }>(
      em,
      `insert into subscription_request (page_id, method, recipient, caller, sent, created_at)
       values ($1, $2, $3, $4, $5, clock_timestamp()) returning id`,
      [pageId, method, hashedRecipient, hashedCaller, send],
    );
    return { id: row!.id, send };
  });
}

/** The message was not sent: it does not count for its recipient, who may ask again at once. */
export async function uncountRequest(database: Database, id: number): Promise<void> {
  await database.query('update subscription_request set sent = false where id = $1', [id]);
}
