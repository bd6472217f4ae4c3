import { serviceOrigin } from '../../db/audit.js';
import type { Database } from '../../db/database.js';
import { query } from '../../db/prepared-statements.js';
import type { BackgroundTask } from '../../db/poll.js';
import { inTransaction } from '../../db/transaction.js';
import { Writer } from '../../records/writer.js';
import { Refusal } from '../../core/errors.js';
import { type PendingClaim, type DnsOptions, checkClaim } from './custom-domain.service.js';
import { isClaimValidSql } from '../public-url.js';

const isValidSql = isClaimValidSql({ verifiedAt: 'd.verified_at', claimedAt: 'd.claimed_at' });
const isDueSql = `d.next_check_at <= clock_timestamp() and ${isValidSql}`;
const batchSize = 20;

/**
 * Takes a lease: each domain is checked by one process, which postpones the next check before it queries DNS. If the
 * process dies, the domain is due again after 2 minutes, which is longer than the queries may take.
 */
const leaseDueSql = `
  with due as materialized (
    select d.page_id from custom_domain d where ${isDueSql}
    order by d.next_check_at limit ${batchSize} for update skip locked
  )
  update custom_domain d set next_check_at = clock_timestamp() + interval '2 minutes'
  from due where d.page_id = due.page_id
  returning d.page_id as "pageId", d.domain, d.proof_token as "proofToken"`;

/** Checks every domain that is due, and returns how many. */
export async function checkDueDomains(database: Database, dns: DnsOptions, stop?: AbortSignal): Promise<number> {
  // Usually nothing is due, and a transaction would block the writers of an embedded database.
  if (!(await database.query(`select 1 from custom_domain d where ${isDueSql} limit 1`)).length) return 0;
  const due = await inTransaction(database, em => query<PendingClaim>(em, leaseDueSql));
  const write = new Writer(database, { origin: serviceOrigin('automation', 'checkCustomDomain') });
  const checks = await Promise.allSettled(due.map(claim => checkClaim(write, dns, claim, stop)));
  const failed = checks.find(check => check.status === 'rejected' && !isGone(check.reason));
  if (failed) throw (failed as PromiseRejectedResult).reason;
  return due.length;
}

/** The page was deleted during the check. */
const isGone = (error: unknown) => error instanceof Refusal && error.code === 'NOT_FOUND';

export const createDomainTask = (database: Database, dns: DnsOptions): BackgroundTask => ({
  name: 'the check of custom domains',
  intervalMs: 5_000,
  roundSeconds: 150,
  failureMessage: 'custom domains could not be checked',
  run: stop => checkDueDomains(database, dns, stop),
});
