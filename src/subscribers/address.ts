import { dnsName } from '../pages/host-name.js';

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

/** The address as it was written, or null when no mail could go there. Its case is kept: only comparisons ignore it. */
export function emailAddress(value: string): string | null {
  const address = value.trim();
  const [local = '', domain = '', ...others] = address.split('@');
  // Mail servers count octets.
  const fits = Buffer.byteLength(local) <= 64 && Buffer.byteLength(address) <= 254;
  return fits && others.length === 0 && localPart.test(local) && dnsName(domain) !== null ? address : null;
}

/** As it is shown to whoever holds a link: enough to know one's own by, too little for others. `a…@e…`, `+4…67` */
export function masked(address: string): string {
  const [local, domain] = address.split('@');
  return domain === undefined ? `${address.slice(0, 2)}…${address.slice(-2)}` : `${[...local!][0]}…@${[...domain][0]}…`;
}
