import { randomBytes, randomInt } from 'node:crypto';

const alphanumeric = 'abcdefghijklmnopqrstuvwxyz0123456789';

const pick = (alphabet: string, length: number) =>
  Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('');

/** 8 lower-case hexadecimal characters: it is a host name too. */
export const pageId = () => randomBytes(4).toString('hex');
export const templateId = () => pick(`${alphanumeric}${alphanumeric.slice(0, 26).toUpperCase()}`, 6);
/** The part of a notice's link that lives as long as the notice. */
export const linkToken = () => pick(alphanumeric, 16);
/** What the TXT record of a claimed domain says. */
export const domainToken = () => pick(alphanumeric, 24);
/** Six digits, for a phone. */
export const phoneCode = () => pick('0123456789', 6);
/** 256 random bits. */
export const credential = () => randomBytes(32).toString('base64url');
