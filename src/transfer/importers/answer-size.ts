import { CommandError } from '../../core/errors.js';
import type { ImportedPage } from './imported-page.js';

/** Elements of lists and members of objects, in all levels: 100,000 subscribers with all that products say of each. */
const maxValues = 3_000_000;
const maxDepth = 100;

const [comma, quote, backslash, bracket, brace, endOfList, endOfObject] = [...',"\\[{]}'].map(character =>
  character.charCodeAt(0),
);

/**
 * Refuses an answer that takes too much memory once it is parsed: 64 MB of `{},` are 2 GB of objects, and as many
 * brackets more levels than a thread can copy. For answers of somebody who may not take the memory of the service.
 */
export function checkAnswerSize(bytes: Buffer, name: string): void {
  countValues(bytes, name, maxValues);
}

/** The same for answers that are held in the memory together, which are as many as who gives them likes. */
export function createAnswersCheck(): (bytes: Buffer, name: string) => void {
  let left = maxValues;
  return (bytes, name) => {
    left -= countValues(bytes, left < maxValues ? `What was read until ${name}` : name, left);
  };
}

/** Returns how many values an answer has. Throws if there are more than are left, or too many levels. */
function countValues(bytes: Buffer, name: string, left: number): number {
  let values = 0;
  let depth = 0;
  let isInString = false;
  for (let index = 0; index < bytes.length; index++) {
    const byte = bytes[index]!;
    if (isInString) {
      if (byte === backslash) index++;
      else if (byte === quote) isInString = false;
    } else if (byte === quote) isInString = true;
    else if (byte === comma) values++;
    else if (byte === bracket || byte === brace) {
      values++;
      if (++depth > maxDepth) throw tooLarge(name, `${maxDepth} levels`);
    } else if (byte === endOfList || byte === endOfObject) depth--;
    if (values > left) throw tooLarge(name, `${maxValues.toLocaleString('en')} values`);
  }
  return values;
}

const maxTextBytes = 64 * 1024 * 1024;
/** Each has a reason. */
const maxLeftOut = 200_000;

/**
 * Refuses a page that has become much longer than its answers: records share what is in these once, such as an update
 * of notices with the same id, but texts are sent to the service as often as they are shared.
 */
export function checkPageSize(imported: ImportedPage): void {
  if (imported.leftOut.length > maxLeftOut)
    throw tooLarge('The source', `${maxLeftOut.toLocaleString('en')} records that are left out`);
  let values = 0;
  let bytes = 0;
  const count = (value: unknown): void => {
    if (++values > maxValues) throw tooLarge('The source', `${maxValues.toLocaleString('en')} values`);
    if (typeof value === 'string') bytes += Buffer.byteLength(value);
    else if (typeof value === 'object' && value !== null) for (const member of Object.values(value)) count(member);
    if (bytes > maxTextBytes) throw tooLarge('The source', '64 MB of texts');
  };
  count(imported);
}

const tooLarge = (name: string, limit: string): CommandError =>
  new CommandError(`${name} has more than ${limit}. Use allclear import.\n`);

/** Components, notices and updates, which the process compares with those of the page in a second. */
const maxRecords = 100_000;

/** Refuses what the process would compare for longer, in which nobody else is answered. */
export function checkRecordCount({ components, notices }: Pick<ImportedPage, 'components' | 'notices'>): void {
  const count = notices.reduce((sum, { updates }) => sum + 1 + updates.length, components.length);
  const limit = `${maxRecords.toLocaleString('en')} components, notices and updates`;
  if (count > maxRecords) throw tooLarge('The source', limit);
}
