import { createHostRules } from '../http/host-header.js';

/**
 * Whether DNS says that a page may have a domain. Both records name the page, so nobody proves the domain of another by accident:
 *   CNAME  <domain> to <page id>.<base host>, at once or by way of other names
 *   TXT    at _all-clear.<domain>, with the page and the token of this very claim; for a domain that cannot have a CNAME (the top of a zone) or hides it (a proxy)
 */
export const txtLabel = '_all-clear';
export const txtPrefix = 'all-clear=';

export interface Proof {
  domain: string;
  /** Where the CNAME is to lead. */
  target: string;
  txtName: string;
  txtValue: string;
  baseHost: string;
}

export const proofOf = (claim: { domain: string; pageId: string; token: string }, baseHost: string): Proof => ({
  domain: claim.domain,
  target: `${claim.pageId}.${baseHost}`,
  txtName: `${txtLabel}.${claim.domain}`,
  txtValue: `${txtPrefix}${claim.pageId}.${claim.token}`,
  baseHost,
});

/** What DNS said; names in lower case, without the dot at their end. */
export interface Answers {
  /** The names that CNAME records lead to from the domain, in their order, as far as they were followed. */
  names: string[];
  /** That they lead in a circle, or on for too long. */
  endless: boolean;
  texts: string[];
  /** Why the next name, or the texts, are not known; null when DNS answered, be it that there are none. */
  failures: { cname: string | null; txt: string | null };
}

/** The closed list of what a look at DNS can find. */
export const findings = {
  cname: 'The CNAME record leads to the name of the page: proven.',
  txt: 'The TXT record holds the value of the page: proven.',
  nothing: 'Neither record is there.',
  elsewhere: 'The CNAME record leads somewhere else.',
  'other-page': 'The CNAME record leads to another page of this service.',
  endless: 'The CNAME records lead in a circle, or on for too long.',
  'wrong-text': 'There are TXT records, and none holds the value of the page.',
  unanswered: 'DNS did not answer, or not in time; this decides nothing.',
  taken: 'The records prove it, but another page has the domain, or gave it up less than 30 days ago.',
} as const;
export type Finding = keyof typeof findings;

export const isProof = (finding: Finding): boolean => finding === 'cname' || finding === 'txt';

export function findingOf(proof: Proof, { names, endless, texts, failures }: Answers): Finding {
  if (names.includes(proof.target)) return 'cname';
  if (texts.some(text => text.trim() === proof.txtValue)) return 'txt';
  // What is not known might be the proof.
  if (failures.cname || failures.txt) return 'unanswered';
  if (names.some(createHostRules(proof).isPageHost)) return 'other-page';
  if (endless) return 'endless';
  if (names.length) return 'elsewhere';
  return texts.length ? 'wrong-text' : 'nothing';
}

/** What was looked for and what was found, for people. */
export function sentences(proof: Proof, { names, endless, texts, failures }: Answers, finding: Finding): string {
  const { domain, target, txtName, txtValue } = proof;
  const [shownNames, shownTexts] = [shown(names), shown(texts)];
  const led = names.length && `it leads to ${shownNames.join(', then ')}${endless ? ', and does not end' : ''}`;
  const cname = [led, failures.cname && silence(failures.cname)].filter(Boolean).join(', and then ') || 'there is none';
  const txt = failures.txt
    ? silence(failures.txt)
    : texts.length
      ? `there is ${shownTexts.map(text => `"${text}"`).join(', ')}`
      : 'there is none';
  const looked = `Looked for a CNAME record from ${domain} to ${target}: ${cname}. Looked for a TXT record "${txtValue}" at ${txtName}: ${txt}.`;
  return finding === 'taken' ? `${looked} Another page has the domain, or gave it up less than 30 days ago.` : looked;
}

const silence = (code: string) => `DNS did not answer (${code})`;

/** DNS may hold any bytes, and many; whoever runs the domain chooses them. */
export const shown = (values: string[]): string[] =>
  values.slice(0, 10).map(value => value.slice(0, 255).replace(/[^\x20-\x7e]/g, '?'));
