import { readFileSync } from 'node:fs';
import { CommandError } from '../core/errors.js';

const minLength = 12;

/** Not the passphrase itself, which others could see among the running programs. */
export const secretsOption = '--secrets <passphrase-file>';

/** Reads the passphrase, without the line break that editors add. */
export function readPassphrase(path: string): string {
  let text: string;
  try {
    text = readFileSync(path, 'utf8').replace(/\r?\n$/, '');
  } catch {
    throw new CommandError(`The file ${path} with the passphrase cannot be read.\n`);
  }
  if (text.length < minLength)
    throw new CommandError(`The passphrase in ${path} must have at least ${minLength} characters.\n`);
  return text;
}
