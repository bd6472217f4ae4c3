import { domainToASCII } from 'node:url';

/** A name in DNS has 253 characters at most; Unicode may need more before it is converted to ASCII. */
const maxInputLength = 1000;

/** The ASCII to which a URL parser gives a meaning (`user@`, `:80`, `/path`, `%41`), and drops silently. */
const urlSyntax = /[^a-z0-9.\u0080-\u{10ffff}-]/u;

const label = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/** The name as DNS knows it (lower case, ASCII); null for a name without a dot, an IP address or an invalid label. */
export function toDnsName(input: string): string | null {
  const name = input.toLowerCase();
  if (name.length > maxInputLength || urlSyntax.test(name)) return null;
  // Unusual forms of an IP address (`0x7f.1`) become four numbers here, and are refused below with the usual form.
  const ascii = domainToASCII(name);
  const labels = ascii.split('.');
  const isName =
    ascii.length <= 253 && labels.length > 1 && labels.every(each => label.test(each)) && !/^\d+$/.test(labels.at(-1)!);
  return isName ? ascii : null;
}
