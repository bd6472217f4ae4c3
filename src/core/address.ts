import { domainToASCII, domainToUnicode } from 'node:url';
import { toDnsName } from './dns-name.js';
import { normalizeUnicode } from './text/normalize-unicode.js';

/** In characters, as it is typed. What is longer is ignored. */
const maxInputLength = 1000;

/** E.164: a plus and at most 15 digits, country code included. Numbering plans are not consulted. */
const e164 = /^\+[1-9]\d{6,14}$/;

/** Drops the spaces, dashes and brackets that people write; null if the result is not E.164. */
export function parsePhoneNumber(value: string): string | null {
  if (value.length > maxInputLength) return null;
  const number = value.replace(/[\s\p{Dash_Punctuation}()[\]]/gu, '');
  // Form decoding turns a "+" that the client did not encode into a space.
  const international = value.startsWith(' ') && !number.startsWith('+') ? `+${number}` : number;
  return e164.test(international) ? international : null;
}

/** Dots anywhere but first, since some providers have assigned `a..b.@example.com`. Quoted local parts are refused. */
const localPart = /^(?!\.)[\p{Letter}\p{Mark}\p{Number}.!#$%&'*+/=?^_`{|}~-]+$/u;

/** Case folding turns these into ASCII letters, and so into the mailbox of somebody else. */
const foldsToAscii = /[\u0130\u212a]/;

/**
 * The address in its canonical form, or null if it is invalid: the same domain in another form would be another
 * subscriber, with a rate limit of its own. The case is retained: only comparisons ignore it.
 */
export function parseEmailAddress(value: string): string | null {
  if (value.length > maxInputLength) return null;
  const [localInput = '', domain = '', ...others] = value.trim().split('@');
  const local = normalizeUnicode(localInput, 'NFC');
  const name = toDnsName(domain);
  if (name === null || others.length > 0 || !localPart.test(local) || foldsToAscii.test(local)) return null;
  const address = `${local}@${toReadableDomain(domain, name)}`;
  // Mail servers count octets.
  return Buffer.byteLength(local) <= 64 && Buffer.byteLength(address) <= 254 ? address : null;
}

/** The Unicode form, if it maps back to the name in DNS; an ASCII domain stays as it was typed. */
function toReadableDomain(domain: string, name: string): string {
  const unicode = domainToUnicode(name);
  const display = domainToASCII(unicode) === name ? unicode : name;
  return /^\p{ASCII}*$/u.test(domain + display) ? domain : display;
}

/** Shown to a link holder: enough to recognize one's own address, too little for others. `a…@e…`, `+4…67` */
export function maskAddress(address: string): string {
  const [local, domain] = address.split('@');
  return domain === undefined ? `${address.slice(0, 2)}…${address.slice(-2)}` : `${[...local!][0]}…@${[...domain][0]}…`;
}
