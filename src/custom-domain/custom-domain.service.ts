import { isBlank } from '../core/validation.js';
import type { EntityManager } from '../db/connection.js';
import { query } from '../db/prepared-statements.js';
import type { Unit, Writer } from '../records/writer.js';
import { validationMessages } from '../core/errors.js';
import { createDomainToken } from '../core/ids.js';
import { CustomDomain } from './custom-domain.entity.js';
import type { DnsClient } from './dns-query.js';
import { course, firstCheck, reservedUntil } from './claim.schedule.js';
import { type Answers, findingOf, isProof, type Proof, proofOf, sentences, shown } from './dns-proof.js';
import { hostName } from './host-name.js';
import { Page } from '../pages/page.entity.js';

/** Claims a domain for a page, in place of the one it had. The same one again keeps what it has, its token too: that may stand in DNS already. */
export function setCustomDomain(write: Writer, baseHost: string, pageId: string, given: string): Promise<void> {
  return write.transaction(async unit => {
    const page = await unit.find<Page>([[Page, pageId]]);
    const domain = isBlank(given) ? null : hostName(given, baseHost);
    if (!domain)
      unit.validation.addError('domain', isBlank(given) ? validationMessages.blank : validationMessages.invalid);
    else if (await isTaken(unit.em, page.id, domain)) unit.validation.addError('domain', validationMessages.taken);
    unit.validation.throwIfInvalid();
    const claim = await unit.em.findOne(CustomDomain, { page: page.id });
    const made = { claimedAt: unit.now, nextCheckAt: firstCheck(unit.now) };
    const fresh = { ...made, domain: domain!, proofToken: createDomainToken() };
    if (!claim) unit.create(CustomDomain, { page, ...fresh });
    else if (claim.domain !== domain) {
      await release(unit, claim);
      const unknown = { checkedAt: null, finding: null, findingText: null, cnamesFound: [], textsFound: [] };
      Object.assign(claim, { ...fresh, ...unknown, createdAt: unit.now, verifiedAt: null, missingSince: null });
    } else if (!claim.verifiedAt) Object.assign(claim, made);
    await unit.save();
  });
}

export function deleteCustomDomain(write: Writer, pageId: string, versions?: number[] | null): Promise<void> {
  return write.transaction(async unit => {
    await unit.find<Page>([[Page, pageId]]);
    const claim = await unit.find<CustomDomain>([[Page, pageId], [CustomDomain]], versions);
    await release(unit, claim);
    unit.em.remove(claim);
    await unit.save();
  });
}

/** Asks DNS for the domain of a page, now. */
export async function checkCustomDomain(write: Writer, dns: DnsOptions, pageId: string): Promise<void> {
  const { domain, proofToken } = await write.transaction(unit =>
    unit.find<CustomDomain>([[Page, pageId], [CustomDomain]]),
  );
  await lookAtDomain(write, dns, { pageId, domain, proofToken });
}

/** How DNS is queried, and below which host the pages of this service are. */
export interface DnsOptions {
  queryDns: DnsClient;
  baseHost: string;
}

export interface AskedClaim {
  pageId: string;
  domain: string;
  proofToken: string;
}

/** No transaction is open while DNS is asked; what it says is kept only if the claim is still the one that it was asked for. */
export async function lookAtDomain(
  write: Writer,
  { queryDns, baseHost }: DnsOptions,
  asked: AskedClaim,
  stop?: AbortSignal,
): Promise<void> {
  const proof = proofOf({ ...asked, token: asked.proofToken }, baseHost);
  const answers = await queryDns(proof, stop);
  // What was broken off says nothing of DNS.
  if (stop?.aborted) return;
  await write.transaction(async unit => {
    await unit.find<Page>([[Page, asked.pageId]]);
    const claim = await unit.em.findOne(CustomDomain, { page: asked.pageId });
    // Every claim to another domain has another token.
    if (claim?.proofToken === asked.proofToken) await keep(unit, claim, proof, answers);
  });
}

async function keep(unit: Unit, claim: CustomDomain, proof: Proof, answers: Answers): Promise<void> {
  const judged = findingOf(proof, answers);
  const finding = isProof(judged) && (await isTakenForGood(unit, claim)) ? 'taken' : judged;
  const wasVerified = claim.verifiedAt !== null;
  Object.assign(claim, course(claim, finding, unit.now), {
    checkedAt: unit.now,
    finding,
    findingText: sentences(proof, answers, finding),
    cnamesFound: shown(answers.names),
    textsFound: shown(answers.texts),
  });
  // A look that changes nothing for the world is no write to the record: its version stays, and who has read it may still write.
  if (wasVerified === (claim.verifiedAt !== null)) await unit.em.flush();
  else await unit.save();
}

/** Only a domain that was verified is kept for its page. */
async function release(unit: Unit, { page, domain, verifiedAt }: CustomDomain): Promise<void> {
  if (!verifiedAt) return;
  await lockDomain(unit.em, domain);
  await query(
    unit.em,
    'insert into domain_reservation (domain, page_id, until) values ($1, $2, $3) on conflict (domain) do update set page_id = excluded.page_id, until = excluded.until',
    [domain, page.id, reservedUntil(unit.now)],
  );
}

async function isTakenForGood({ em }: Unit, { page, domain }: CustomDomain): Promise<boolean> {
  await lockDomain(em, domain);
  return isTaken(em, page.id, domain);
}

/** Only a verified claim is taken, and one that was until 30 days ago. */
async function isTaken(em: EntityManager, pageId: string, domain: string): Promise<boolean> {
  const others = `select 1 from custom_domain where domain = $1 and page_id <> $2 and verified_at is not null
    union all select 1 from domain_reservation where domain = $1 and page_id <> $2 and until > clock_timestamp()`;
  return (await query(em, others, [domain, pageId])).length > 0;
}

/**
 * Whoever verifies a domain or gives it up waits for others who do: the unique index would refuse two that are verified, but know nothing of a reservation that is not
 * committed yet. Taken after the lock of the page, and one a transaction, so that nobody waits in a circle. The first key is of our own choice.
 */
async function lockDomain(em: EntityManager, domain: string): Promise<void> {
  await query(em, 'select pg_advisory_xact_lock(1684106081, hashtext($1))', [domain]);
}
