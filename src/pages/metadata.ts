import { problems } from '../core/problems.js';
import { isStorable, type Validation } from '../core/validation.js';

/** What programs keep about a record, such as its id elsewhere: an object of JSON, stored and returned as it is. */
export type Metadata = Record<string, unknown>;

export const maxMetadataBytes = 8_192;

export const metadataDescription =
  'What programs keep about it, such as its id elsewhere: an object of JSON, returned as it was stored. Visitors do ' +
  'not see it. Null: none.';

export const metadataInput =
  'An object of JSON of up to 8,192 bytes, which replaces the one that is stored. Null clears it.';

/** Whether metadata are small enough to be stored. */
export const fitsMetadata = (given: unknown): boolean => Buffer.byteLength(JSON.stringify(given)) <= maxMetadataBytes;

/** Sets the metadata of a record; undefined leaves them. */
export function setMetadata(record: { metadata: Metadata | null }, given: unknown, validation: Validation): void {
  if (given === undefined) return;
  if (given !== null && (typeof given !== 'object' || Array.isArray(given)))
    validation.addError('metadata', problems.invalid('must be an object'));
  else if (!fitsMetadata(given))
    validation.addError(
      'metadata',
      problems.outOfRange(`must have at most ${maxMetadataBytes.toLocaleString('en')} bytes`),
    );
  else if (!hasStorableTexts(given))
    validation.addError('metadata', problems.invalid('must not contain NUL or half a surrogate pair'));
  else record.metadata = given as Metadata | null;
}

const hasStorableTexts = (value: unknown): boolean =>
  typeof value === 'string'
    ? isStorable(value)
    : typeof value !== 'object' ||
      value === null ||
      Object.entries(value).every(([name, member]) => isStorable(name) && hasStorableTexts(member));
