import { readFileSync } from 'node:fs';
import { badRequest, CommandError } from '../../core/errors.js';

const minLength = 12;

/** Not the passphrase itself, which others could see among the running programs. */
export const secretsOption = '--secrets <passphrase-file>';

const isTooShort = (passphrase: string) => passphrase.length < minLength;

/** Of a request. */
export function requireLongPassphrase(passphrase: string): void {
  if (isTooShort(passphrase)) throw badRequest(`The passphrase must have at least ${minLength} characters.`);
}

/** Reads the passphrase, without the line break that editors add. */
export function readPassphrase(path: string): string {
  let text: string;
  try {
    text = readFileSync(path, 'utf8').replace(/\r?\n$/, '');
  } catch {
    throw new CommandError(`The file ${path} with the passphrase cannot be read.\n`);
  }
  if (isTooShort(text))
    throw new CommandError(`The passphrase in ${path} must have at least ${minLength} characters.\n`);
  return text;
}
