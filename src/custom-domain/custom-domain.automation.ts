import type { Database } from '../db/connection.js';
import { query } from '../db/prepared-statements.js';
import { poll } from '../db/poll.js';
import { inTransaction } from '../db/transaction.js';
import { Writer } from '../records/writer.js';
import { Refusal } from '../core/errors.js';
import { type AskedClaim, type DnsOptions, lookAtDomain } from './custom-domain.service.js';
import { isClaimValidSql } from '../pages/public-url.js';

const dueSql = `d.next_check_at <= clock_timestamp() and ${isClaimValidSql({ verifiedAt: 'd.verified_at', claimedAt: 'd.claimed_at' })}`;
const atOnce = 20;

/**
 * Of any number of processes one asks for a domain: it moves the next look away before it asks, and steps over what others are about to take. Should it end meanwhile,
 * the domain is due again after that time, which is longer than DNS may take.
 */
const takeSql = `
  with due as materialized (select d.page_id from custom_domain d where ${dueSql} order by d.next_check_at limit ${atOnce} for update skip locked)
  update custom_domain d set next_check_at = clock_timestamp() + interval '2 minutes' from due where d.page_id = due.page_id
  returning d.page_id as "pageId", d.domain, d.proof_token as "proofToken"`;

/** Asks DNS for every domain whose time has come. Returns how many it asked for. */
export async function lookAtDueDomains(database: Database, dns: DnsOptions, stop?: AbortSignal): Promise<number> {
  // Mostly nothing is due, and a transaction would make the writers of an embedded database wait.
  if (!(await database.query(`select 1 from custom_domain d where ${dueSql} limit 1`)).length) return 0;
  const due = await inTransaction(database, em => query<AskedClaim>(em, takeSql));
  const looks = await Promise.allSettled(due.map(claim => lookAtDomain(new Writer(database), dns, claim, stop)));
  const failed = looks.find(look => look.status === 'rejected' && !isGone(look.reason));
  if (failed) throw (failed as PromiseRejectedResult).reason;
  return due.length;
}

/** The page was deleted while DNS was asked. */
const isGone = (error: unknown) => error instanceof Refusal && error.code === 'NOT_FOUND';

const everyMilliseconds = 5_000;

/** Looks again and again, until it is stopped. */
export const watchDomains = (database: Database, dns: DnsOptions): (() => Promise<void>) =>
  poll(
    stop => lookAtDueDomains(database, dns, stop),
    everyMilliseconds,
    'custom domains could not be checked',
    database.log,
  );
