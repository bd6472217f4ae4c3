import { problems } from '../core/problems.js';
import { validateText } from '../core/validation.js';
import { toDnsName } from '../core/dns-name.js';
import type { Unit } from '../records/unit.js';
import type { Writer } from '../records/writer.js';
import { maxPasswordLength, type PagePasswords } from './page-password.js';
import type { SetPageVisibilityInput } from './page-visibility.inputs.js';
import { Page } from './page.entity.js';

const minPasswordLength = 8;
export const maxDomains = 50;

/**
 * Sets who sees a page. Another visibility or password moves the access version, which ends the access of all visitors;
 * a domain that is removed ends that of its addresses.
 */
export async function setPageVisibility(
  write: Writer,
  passwords: Pick<PagePasswords, 'hash'>,
  id: string,
  versions: number[] | null | undefined,
  input: SetPageVisibilityInput,
): Promise<string> {
  // Before the transaction, which would hold the lock of the page meanwhile.
  const passwordHash = input.password ? await passwords.hash(input.password) : null;
  return write.transaction(async unit => {
    const page = await unit.find<Page>([[Page, id]], versions);
    if (input.visibility !== page.visibility) {
      page.visibility = input.visibility;
      page.accessVersion += 1;
    }
    setPassword(unit, page, input, passwordHash);
    setDomains(unit, page, input);
    unit.validation.throwIfInvalid();
    await unit.save();
    return page.id;
  });
}

function setPassword(
  { validation }: Unit,
  page: Page,
  { password }: SetPageVisibilityInput,
  passwordHash: string | null,
): void {
  if (page.visibility !== 'password') {
    if (password) validation.addError('password', { ...problems.notApplicable('is for PASSWORD'), hidesValue: true });
    page.passwordHash = null;
    return;
  }
  if (!password) {
    if (!page.passwordHash) validation.addError('password', problems.blank);
    return;
  }
  validateText(validation, 'password', password, maxPasswordLength);
  if ([...password].length < minPasswordLength)
    validation.addError('password', problems.unusable(`must have at least ${minPasswordLength} characters`));
  page.passwordHash = passwordHash;
  page.accessVersion += 1;
}

function setDomains({ validation }: Unit, page: Page, { emailDomains: given }: SetPageVisibilityInput): void {
  if (page.visibility !== 'email_domain') {
    if (given?.length) validation.addError('emailDomains', problems.notApplicable('is for EMAIL_DOMAIN'));
    page.emailDomains = [];
    page.emailDomainVersions = [];
    return;
  }
  const listed = given ?? page.emailDomains;
  if (listed.length > maxDomains) {
    validation.addError('emailDomains', problems.tooMany(maxDomains));
    return;
  }
  const domains = [...new Set(listed.map(domain => toDnsName(domain.trim()) ?? domain))];
  if (!domains.length) validation.addError('emailDomains', problems.blank);
  for (const [index, domain] of domains.entries())
    if (toDnsName(domain) === null)
      validation.addError('emailDomains', { ...problems.invalid('must be domains, such as example.com'), index });
  const added = new Map(page.emailDomains.map((domain, index) => [domain, page.emailDomainVersions[index] ?? 0]));
  page.emailDomainVersions = domains.map(domain => added.get(domain) ?? page.version);
  page.emailDomains = domains;
}
