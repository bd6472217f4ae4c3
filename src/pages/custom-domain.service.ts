import { isBlank } from '../checks.js';
import { publicAddress } from '../config.js';
import { query } from '../db/prepared.js';
import type { Writer } from '../db/write.js';
import { text } from '../errors.js';
import { CustomDomain } from './custom-domain.entity.js';
import { hostName } from './host-name.js';
import { Page } from './page.entity.js';

/** Claims a domain for a page, in place of the one it had. */
export function setCustomDomain(write: Writer, pageId: string, given: string): Promise<void> {
  return write.transaction(async unit => {
    const page = await unit.find<Page>([[Page, pageId]]);
    const domain = isBlank(given) ? null : hostName(given, publicAddress().baseHost);
    if (!domain) unit.checks.refuse('domain', isBlank(given) ? text.blank : text.invalid);
    else if (await taken(unit.em, page.id, domain)) unit.checks.refuse('domain', text.taken);
    unit.checks.pass();
    const claim = await unit.em.findOne(CustomDomain, { page: page.id });
    if (!claim) unit.create(CustomDomain, { page, domain: domain!, claimedAt: unit.now });
    else if (claim.domain !== domain) Object.assign(claim, { domain, claimedAt: unit.now, verifiedAt: null, createdAt: unit.now });
    else if (!claim.verifiedAt) claim.claimedAt = unit.now;
    await unit.save();
  });
}

export function deleteCustomDomain(write: Writer, pageId: string, versions?: number[] | null): Promise<void> {
  return write.transaction(async unit => {
    await unit.find<Page>([[Page, pageId]]);
    unit.em.remove(await unit.find<CustomDomain>([[Page, pageId], [CustomDomain]], versions));
    await unit.save();
  });
}

/** Only a verified claim is taken. */
async function taken(em: Parameters<typeof query>[0], pageId: string, domain: string): Promise<boolean> {
  return (await query(em, 'select 1 from custom_domain where domain = $1 and page_id <> $2 and verified_at is not null', [domain, pageId])).length > 0;
}
