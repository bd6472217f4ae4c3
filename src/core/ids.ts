import { randomBytes, randomInt } from 'node:crypto';

const alphanumeric = 'abcdefghijklmnopqrstuvwxyz0123456789';

const randomString = (alphabet: string, length: number) =>
  Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('');

/** 8 lower-case hexadecimal characters, valid as a host name. */
export const createPageId = () => randomBytes(4).toString('hex');
export const createTemplateId = () => randomString(`${alphanumeric}${alphanumeric.slice(0, 26).toUpperCase()}`, 6);
/** The part of a notice's link that never changes; the rest follows its subject. */
export const createLinkToken = () => randomString(alphanumeric, 16);
/** The content of the TXT record that proves a custom domain. */
export const createDomainToken = () => randomString(alphanumeric, 24);
/** Sent by SMS or mail, and typed. */
export const createDigitCode = (digits: number) => randomString('0123456789', digits);
/** 256 random bits. */
export const createCredential = () => randomBytes(32).toString('base64url');

/** Whether a text can be the id of a row. Digits only: Number would accept `1e0` and `0x1` too. */
export const isPossibleKey = (id: string): boolean => /^\d{1,10}$/.test(id) && Number(id) < 2 ** 31;
