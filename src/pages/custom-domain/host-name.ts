import { domainToASCII } from 'node:url';
import { toDnsName } from '../../core/dns-name.js';

/** The host name of a custom domain; null if it is invalid, or our base host or below it, where the pages live. */
export function parseCustomDomain(domain: string, baseHost: string): string | null {
  const name = toDnsName(withoutTrailingDot(domain.trim()));
  if (name === null) return null;
  const base = domainToASCII(withoutTrailingDot(baseHost));
  return name === base || name.endsWith(`.${base}`) ? null : name;
}

function withoutTrailingDot(name: string): string {
  return name.endsWith('.') ? name.slice(0, -1) : name;
}
