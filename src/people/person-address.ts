import { parseEmailAddress } from '../core/address.js';

/** The address of the first owner where OPERATOR_EMAIL names no other. Mail to it goes nowhere. */
export const unnamedOwner = 'owner@localhost';

const atLocalhost = /@localhost$/i;

/**
 * The address of a person in its canonical form; null if it is invalid. Unlike that of a subscriber it may be at
 * `localhost`, as that of the first owner is, who must be invited again like everybody.
 */
export function parsePersonAddress(value: string): string | null {
  const address = value.trim();
  if (!atLocalhost.test(address)) return parseEmailAddress(address);
  return parseEmailAddress(`${address}.invalid`)?.slice(0, -'.invalid'.length) ?? null;
}
