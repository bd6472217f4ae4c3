import { createHostRules } from '../../http/host-header.js';

/**
 * Whether DNS proves that a page may have a domain. Both records name the page, so nobody proves the domain of another
 * page by accident:
 *   CNAME  <domain> to <page id>.<base host>, directly or through other names
 *   TXT    at _all-clear.<domain>, with the page and the token of this claim; for a domain that cannot have a CNAME
 *          (a zone apex) or hides it (a proxy)
 */
export const txtLabel = '_all-clear';
export const txtPrefix = 'all-clear=';

export interface Proof {
  domain: string;
  /** Where the CNAME must lead. */
  target: string;
  txtName: string;
  txtValue: string;
  baseHost: string;
}

export const createProof = (claim: { domain: string; pageId: string; token: string }, baseHost: string): Proof => ({
  domain: claim.domain,
  target: `${claim.pageId}.${baseHost}`,
  txtName: `${txtLabel}.${claim.domain}`,
  txtValue: `${txtPrefix}${claim.pageId}.${claim.token}`,
  baseHost,
});

/** What DNS returned; names in lower case, without the final dot. */
export interface DnsRecords {
  /** The CNAME chain from the domain, in order, as far as it was followed. */
  cnames: string[];
  /** The chain is a loop, or too long. */
  isEndless: boolean;
  texts: string[];
  /** Why the next name, or the texts, are unknown; null if DNS answered, even with no record. */
  failures: { cname: string | null; txt: string | null };
  /** Of the domain where it has no CNAME, and of the target. */
  addresses: { domain: string[]; target: string[] };
}

export const findings = {
  cname: 'The CNAME record leads to the name of the page: the domain is proven.',
  txt: 'The TXT record holds the value of the page: the domain is proven.',
  nothing: 'Neither record exists.',
  flattened:
    'The domain has the addresses of the name of the page in place of a CNAME record, which some providers answer: ' +
    'add the TXT record.',
  elsewhere: 'The CNAME record leads somewhere else.',
  'other-page': 'The CNAME record leads to another page of this service.',
  endless: 'The CNAME records form a loop, or too long a chain.',
  'wrong-text': 'There are TXT records, but none holds the value of the page.',
  unanswered: 'DNS did not answer, or not in time; this decides nothing.',
  taken: 'The records prove the domain, but another page has it, or gave it up less than 30 days ago.',
} as const;
export type Finding = keyof typeof findings;

export const isProof = (finding: Finding): boolean => finding === 'cname' || finding === 'txt';

export function toFinding(proof: Proof, records: DnsRecords): Finding {
  const { cnames, isEndless, texts, failures } = records;
  if (cnames.includes(proof.target)) return 'cname';
  if (texts.some(text => text.trim() === proof.txtValue)) return 'txt';
  // The record that could not be read might be the proof.
  if (failures.cname || failures.txt) return 'unanswered';
  if (cnames.some(createHostRules(proof).isPageHost)) return 'other-page';
  if (isEndless) return 'endless';
  if (cnames.length) return 'elsewhere';
  if (texts.length) return 'wrong-text';
  return isFlattened(records) ? 'flattened' : 'nothing';
}

/** Addresses alone prove nothing: anybody's domain may have them. */
const isFlattened = ({ addresses: { domain, target } }: DnsRecords): boolean =>
  domain.length > 0 && domain.every(address => target.includes(address));

/** Says in English which records were looked up, and what they hold. */
export function describeFinding(proof: Proof, records: DnsRecords, finding: Finding): string {
  const { cnames, isEndless, texts, failures } = records;
  const { domain, target, txtName, txtValue } = proof;
  const chain =
    cnames.length && `it leads to ${toPrintable(cnames).join(', then ')}${isEndless ? ', and does not end' : ''}`;
  const failure = failures.cname && describeFailure(failures.cname);
  const cname = [chain, failure].filter(Boolean).join(', and then ') || 'there is none';
  const values = toPrintable(texts).map(text => `"${text}"`);
  const txt = failures.txt
    ? describeFailure(failures.txt)
    : texts.length
      ? `there is ${values.join(', ')}`
      : 'there is none';
  const lookup =
    `Looked for a CNAME record from ${domain} to ${target}: ${cname}. ` +
    `Looked for a TXT record "${txtValue}" at ${txtName}: ${txt}.`;
  return [lookup, finding === 'taken' ? takenSentence : describeAddresses(proof, records)].filter(Boolean).join(' ');
}

const takenSentence = 'Another page has the domain, or gave it up less than 30 days ago.';

/** A domain with addresses but without a CNAME: its provider flattens it, or a proxy hides it. */
function describeAddresses({ target }: Proof, records: DnsRecords): string {
  const addresses = toPrintable(records.addresses.domain).join(', ');
  if (!addresses) return '';
  return isFlattened(records)
    ? `The domain has the addresses of ${target} (${addresses}) in place of a CNAME record: add the TXT record.`
    : `The domain has the addresses ${addresses}: if a proxy or a provider hides the CNAME, add the TXT record.`;
}

const describeFailure = (code: string) => `DNS did not answer (${code})`;

/** DNS may return any bytes, and many; the owner of the domain chooses them. */
export const toPrintable = (values: string[]): string[] =>
  values.slice(0, 10).map(value => value.slice(0, 255).replace(/[^\x20-\x7e]/g, '?'));
