import type { Database } from '../../db/database.js';
import type { TransactionalMail } from '../../subscribers/confirmation-sender.js';

type OperatorMailKind =
  | 'alert_draft'
  | 'unpublished_draft'
  | 'suspension'
  | 'channel_failure'
  | 'webhook_suspension'
  | 'month_report';

/** Throws if the mail could not be sent. */
export type SendMail = (mail: TransactionalMail) => Promise<void>;

/** What a mail says, and to whom. */
interface OperatorMailContent {
  /** The addresses of the people who may have it now, in lower case. */
  people: readonly string[];
  /** Of who is none of the people of the installation, such as OPERATOR_EMAIL. Null: nobody. */
  other?: string | null;
  compose(to: string): TransactionalMail;
}

/** The owners of a page, and the operator, who may be one of them. */
export function toOwnersAndOperator(
  owners: readonly string[],
  operator: string,
): Pick<OperatorMailContent, 'people' | 'other'> {
  const address = operator.toLowerCase();
  return { people: owners, other: owners.includes(address) ? null : address };
}

/** A kind of mails to those who run a page: about a record, one to each recipient. */
export interface OperatorMails {
  kind: OperatorMailKind;
  /** Queues the mails about what has happened since the last time, in the statement that marks it as reported. */
  plan(now: Date): Promise<unknown>;
  /** Null: the mail has become pointless. */
  describe(pageId: string, recordKey: string): Promise<OperatorMailContent | null>;
}

/**
 * SQL: queues a mail to each person whose address `recipientsSql` returns as `email`, about each row of `from`, which
 * has a `page_id` and a `record_key`. $1: the time.
 */
export const queueMailsSql = (kind: OperatorMailKind, from: string, recipientsSql: string): string => `
  insert into operator_mail (kind, page_id, record_key, person_id, due_at)
  select distinct '${kind}', ${from}.page_id, ${from}.record_key, person.id, $1::timestamptz
  from ${from} cross join lateral (${recipientsSql}) recipient join person on lower(person.email) = recipient.email
  on conflict do nothing`;

/** Seconds until the next attempt, after the first, the second, ..., until a mail is given up. */
const retryDelays = [60, 300, 1_800, 7_200, 18_000, 36_000, 86_400];
/** For which a process has a mail for itself. That of a process that crashed is sent again by another one. */
const leaseSeconds = 120;
const mailsAtOnce = 20;

interface TakenMail {
  id: string;
  pageId: string;
  recordKey: string;
  /** Null: who is none of the people of the installation. */
  to: string | null;
  attempts: number;
}

/** Pages take turns, each with the mail that has been due for longest: thousands of one page do not delay others. */
const takeSql = `
  with placed as (
    select id, row_number() over (partition by page_id order by due_at, id) as turn
    from operator_mail where kind = $1 and due_at <= $2
  ), due as (
    select m.id from operator_mail m join placed on placed.id = m.id where m.due_at <= $2
    order by placed.turn, m.due_at, m.id limit ${mailsAtOnce} for update of m skip locked
  ), taken as (
    update operator_mail m set attempts = attempts + 1, due_at = $3 from due where m.id = due.id returning m.*
  )
  select t.id, t.page_id as "pageId", t.record_key as "recordKey", t.attempts, lower(p.email) as "to"
  from taken t left join person p on p.id = t.person_id order by t.id`;

async function readClock({ query }: Pick<Database, 'query'>): Promise<Date> {
  const [row] = await query<{ ms: number }>('select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms');
  return new Date(row!.ms);
}

/**
 * Plans the mails of a kind and sends those that are due, by the clock of the database: a process with a wrong clock
 * neither reports a month early nor sends what another process is sending. Returns how many were sent.
 */
export async function sendOperatorMails(
  database: Pick<Database, 'query'>,
  mails: OperatorMails,
  send: SendMail,
  given?: Date,
): Promise<number> {
  const now = given ?? (await readClock(database));
  const startedAt = performance.now();
  /** From the present: a round of many mails takes longer than a lease, and than others can wait to be planned. */
  const inSeconds = (seconds: number) => new Date(now.getTime() + performance.now() - startedAt + seconds * 1_000);
  const failures: unknown[] = [];
  let count = 0;
  for (;;) {
    await mails.plan(inSeconds(0));
    const taken = await database.query<TakenMail>(takeSql, [mails.kind, inSeconds(0), inSeconds(leaseSeconds)]);
    if (!taken.length) break;
    const byRecord = Map.groupBy(taken, ({ pageId, recordKey }) => `${pageId} ${recordKey}`);
    const results = await Promise.all(
      [...byRecord.values()].map(group => sendGroup(database, mails, send, inSeconds, group)),
    );
    for (const result of results.flat())
      if (result.status === 'rejected') failures.push(result.reason);
      else if (result.value) count += 1;
  }
  if (failures.length) throw failures[0];
  return count;
}

/** Sends the mails about one record, which is read once. */
async function sendGroup(
  { query }: Pick<Database, 'query'>,
  { describe }: OperatorMails,
  send: SendMail,
  inSeconds: (seconds: number) => Date,
  mails: readonly TakenMail[],
): Promise<PromiseSettledResult<boolean>[]> {
  const [{ pageId, recordKey }] = mails as [TakenMail];
  const described = describe(pageId, recordKey);
  const sendOne = async ({ id, to, attempts }: TakenMail): Promise<boolean> => {
    try {
      const content = await described;
      const address = to === null ? content?.other : content?.people.find(one => one === to);
      if (content && address) await send(content.compose(address));
      await query('delete from operator_mail where id = $1', [id]);
      return Boolean(address);
    } catch (error) {
      const delay = retryDelays[attempts - 1];
      if (delay === undefined) await query('delete from operator_mail where id = $1', [id]);
      else await query('update operator_mail set due_at = $2 where id = $1', [id, inSeconds(delay)]);
      throw error;
    }
  };
  return Promise.allSettled(mails.map(sendOne));
}
