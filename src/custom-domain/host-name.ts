import { domainToASCII } from 'node:url';

/** More than 253 characters are no name; this much is left for letters that shrink on the way to ASCII. */
const longest = 1000;

/** The ASCII that an address parser gives a meaning of its own (`user@`, `:80`, `/path`, `%41`), and that it would cut off silently. */
const foreignAscii = /[^a-z0-9.\u0080-\u{10ffff}-]/u;

const label = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/** The name as DNS knows it (lower case, ASCII), or null: no dot, an address instead of a name, a label that DNS would not take. */
export function dnsName(written: string): string | null {
  const name = written.toLowerCase();
  if (name.length > longest || foreignAscii.test(name)) return null;
  // Odd forms of an address (`0x7f.1`) come out as four numbers, and fall with the others below.
  const ascii = domainToASCII(name);
  const labels = ascii.split('.');
  const isName =
    ascii.length <= 253 && labels.length > 1 && labels.every(each => label.test(each)) && !/^\d+$/.test(labels.at(-1)!);
  return isName ? ascii : null;
}

/** The host name of a custom domain, or null: also when it is our own base host or under it, where the names of the pages live. */
export function hostName(domain: string, baseHost: string): string | null {
  const name = dnsName(withoutTrailingDot(domain.trim()));
  if (name === null) return null;
  const ours = domainToASCII(withoutTrailingDot(baseHost));
  return name === ours || name.endsWith(`.${ours}`) ? null : name;
}

function withoutTrailingDot(name: string): string {
  return name.endsWith('.') ? name.slice(0, -1) : name;
}
