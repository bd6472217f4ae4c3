import { isBlank } from '../../core/validation.js';
import type { OwnHosts } from '../../core/config.js';
import type { EntityManager } from '../../db/database.js';
import { query } from '../../db/prepared-statements.js';
import type { Unit } from '../../records/unit.js';
import type { Writer } from '../../records/writer.js';
import { problems } from '../../core/problems.js';
import { createDomainToken } from '../../core/ids.js';
import { CustomDomain } from './custom-domain.entity.js';
import type { DnsClient } from './dns-query.js';
import { advanceClaim, firstCheckAt, reservedUntil } from './claim.schedule.js';
import {
  type DnsRecords,
  toFinding,
  isProof,
  type Proof,
  createProof,
  describeFinding,
  toPrintable,
} from './dns-proof.js';
import { parseCustomDomain } from './host-name.js';
import { Page } from '../page.entity.js';

const notHostName = (baseHost: string) =>
  problems.invalid(`must be a host name that contains a dot and is not under ${baseHost}`);

const ofTheConsole = problems.invalid('must not be the host of the console');

/** Claims a domain for a page instead of its present one. The same domain keeps its token: it may be in DNS already. */
export function setCustomDomain(
  write: Writer,
  { baseHost, consoleHost }: OwnHosts,
  pageId: string,
  hostName: string,
  versions?: number[],
): Promise<void> {
  return write.transaction(async unit => {
    const page = await unit.find<Page>([[Page, pageId]]);
    const domain = isBlank(hostName) ? null : parseCustomDomain(hostName, baseHost);
    if (!domain) unit.validation.addError('domain', isBlank(hostName) ? problems.blank : notHostName(baseHost));
    else if (domain === consoleHost) unit.validation.addError('domain', ofTheConsole);
    else if (await isTaken(unit.em, page.id, domain))
      unit.validation.addError('domain', problems.taken('another page'));
    unit.validation.throwIfInvalid();
    const stored = await unit.em.findOne(CustomDomain, { page: page.id });
    const claim = versions ? await unit.find<CustomDomain>([[Page, pageId], [CustomDomain]], versions) : stored;
    const timing = { claimedAt: unit.now, nextCheckAt: firstCheckAt(unit.now) };
    const newClaim = { ...timing, domain: domain!, proofToken: createDomainToken() };
    if (!claim) unit.create(CustomDomain, { page, ...newClaim });
    else if (claim.domain !== domain) {
      await release(unit, claim);
      const unchecked = { checkedAt: null, finding: null, findingText: null, cnamesFound: [], textsFound: [] };
      Object.assign(claim, { ...newClaim, ...unchecked, createdAt: unit.now, verifiedAt: null, missingSince: null });
    } else if (!claim.verifiedAt) Object.assign(claim, timing);
    await unit.save();
  });
}

export function deleteCustomDomain(write: Writer, pageId: string, versions?: number[] | null): Promise<void> {
  return write.transaction(async unit => {
    const claim = await unit.find<CustomDomain>([[Page, pageId], [CustomDomain]], versions);
    await release(unit, claim);
    unit.em.remove(claim);
    await unit.save();
  });
}

export async function checkCustomDomain(write: Writer, dns: DnsOptions, pageId: string): Promise<void> {
  const { domain, proofToken } = await write.readOnly(unit =>
    unit.find<CustomDomain>([[Page, pageId], [CustomDomain]]),
  );
  await checkClaim(write, dns, { pageId, domain, proofToken });
}

/** How DNS is queried, and below which host the pages of this service are. */
export interface DnsOptions {
  queryDns: DnsClient;
  baseHost: string;
}

export interface PendingClaim {
  pageId: string;
  domain: string;
  proofToken: string;
}

/** Queries DNS outside of any transaction; the result is saved only if the claim is still the same. */
export async function checkClaim(
  write: Writer,
  { queryDns, baseHost }: DnsOptions,
  pending: PendingClaim,
  stop?: AbortSignal,
): Promise<void> {
  const proof = createProof({ ...pending, token: pending.proofToken }, baseHost);
  const records = await queryDns(proof, stop);
  // An aborted query says nothing about DNS.
  if (stop?.aborted) return;
  await write.transaction(async unit => {
    await unit.find<Page>([[Page, pending.pageId]]);
    const claim = await unit.em.findOne(CustomDomain, { page: pending.pageId });
    // A claim to another domain has another token.
    if (claim?.proofToken === pending.proofToken) await saveFinding(unit, claim, proof, records);
  });
}

async function saveFinding(unit: Unit, claim: CustomDomain, proof: Proof, records: DnsRecords): Promise<void> {
  const dnsFinding = toFinding(proof, records);
  const finding = isProof(dnsFinding) && (await isTakenLocked(unit, claim)) ? 'taken' : dnsFinding;
  const wasVerified = claim.verifiedAt !== null;
  Object.assign(claim, advanceClaim(claim, finding, unit.now), {
    checkedAt: unit.now,
    finding,
    findingText: describeFinding(proof, records, finding),
    cnamesFound: toPrintable(records.cnames),
    textsFound: toPrintable(records.texts),
  });
  // A check without a visible effect keeps the version, so that a client that has read the record may still write it.
  if (wasVerified === (claim.verifiedAt !== null)) await unit.em.flush();
  else await unit.save();
}

/** Reserves a verified domain for its page. */
async function release(unit: Unit, { page, domain, verifiedAt }: CustomDomain): Promise<void> {
  if (!verifiedAt) return;
  await lockDomain(unit.em, domain);
  await query(
    unit.em,
    `insert into domain_reservation (domain, page_id, until) values ($1, $2, $3)
     on conflict (domain) do update set page_id = excluded.page_id, until = excluded.until`,
    [domain, page.id, reservedUntil(unit.now)],
  );
}

async function isTakenLocked({ em }: Unit, { page, domain }: CustomDomain): Promise<boolean> {
  await lockDomain(em, domain);
  return isTaken(em, page.id, domain);
}

/** Whether another page has verified the domain, or had until 30 days ago. */
async function isTaken(em: EntityManager, pageId: string, domain: string): Promise<boolean> {
  const sql = `select 1 from custom_domain where domain = $1 and page_id <> $2 and verified_at is not null
    union all select 1 from domain_reservation where domain = $1 and page_id <> $2 and until > clock_timestamp()`;
  return (await query(em, sql, [domain, pageId])).length > 0;
}

/**
 * Serializes the verification and the release of a domain: the unique index would refuse a second verified claim, but
 * does not see an uncommitted reservation. Taken after the lock of the page, and once in a transaction, so that no
 * deadlock is possible. The first key is an arbitrary constant.
 */
async function lockDomain(em: EntityManager, domain: string): Promise<void> {
  await query(em, 'select pg_advisory_xact_lock(1684106081, hashtext($1))', [domain]);
}
