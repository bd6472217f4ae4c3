import { domainToASCII, domainToUnicode } from 'node:url';
import { dnsName } from '../custom-domain/host-name.js';

/** E.164: a plus, the country code, at most 15 digits in all. Numbering plans are not consulted. */
const phoneForm = /^\+[1-9]\d{6,14}$/;

/** "mobile number with international country code", without the spaces, dashes and brackets people write; null when it is none. */
export function phoneNumber(value: string): string | null {
  const number = value.replace(/[\s\p{Dash_Punctuation}()[\]]/gu, '');
  // A form makes a blank of the "+" that a client forgot to encode.
  const international = value.startsWith(' ') && !number.startsWith('+') ? `+${number}` : number;
  return phoneForm.test(international) ? international : null;
}

/** Dots anywhere: providers in the field have handed out addresses like `a..b.@example.com`. Quoted local parts are not taken. */
const localPart = /^[\p{Letter}\p{Mark}\p{Number}.!#$%&'*+/=?^_`{|}~-]+$/u;

/** Without case a database takes them for the letters of ASCII that they are not: the mailbox of another. */
const foldsToAnother = /[\u0130\u212a]/;

/**
 * The address in its one writing, or null when no mail could go there: the same domain in other letters would be another subscriber, with caps of its own. Its case is
 * kept: only comparisons ignore it.
 */
export function emailAddress(value: string): string | null {
  const [written = '', domain = '', ...others] = value.trim().split('@');
  const local = written.normalize('NFC');
  const name = dnsName(domain);
  if (name === null || others.length > 0 || !localPart.test(local) || foldsToAnother.test(local)) return null;
  const address = `${local}@${readable(domain, name)}`;
  // Mail servers count octets.
  return Buffer.byteLength(local) <= 64 && Buffer.byteLength(address) <= 254 ? address : null;
}

/** With the letters of its language, where they lead back to the name in DNS; a domain that needs none is left as it was typed. */
function readable(domain: string, name: string): string {
  const unicode = domainToUnicode(name);
  const letters = domainToASCII(unicode) === name ? unicode : name;
  return /^\p{ASCII}*$/u.test(domain + letters) ? domain : letters;
}

/** As it is shown to whoever holds a link: enough to know one's own by, too little for others. `a…@e…`, `+4…67` */
export function masked(address: string): string {
  const [local, domain] = address.split('@');
  return domain === undefined ? `${address.slice(0, 2)}…${address.slice(-2)}` : `${[...local!][0]}…@${[...domain][0]}…`;
}
