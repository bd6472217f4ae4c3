import { badRequest, Refusal } from './errors.js';

/** Elements of lists and members of objects, at all levels, of what a request may contain. */
export const maxJsonValues = 20_000;

interface ParseOptions {
  maxValues?: number;
  reviver?(name: string, value: unknown): unknown;
  /** The refusal of what is no JSON. */
  invalid?: string;
}

/**
 * Parses JSON that somebody has sent. JSON.parse takes a second for 14 MB of brackets, and what reads the values takes
 * longer, in which nobody is answered: so their number is bounded first.
 */
export function parseJson(text: string, options: ParseOptions = {}): unknown {
  const { maxValues = maxJsonValues, reviver, invalid = 'The body is not valid JSON.' } = options;
  if (hasMoreValues(text, maxValues))
    throw new Refusal('PAYLOAD_TOO_LARGE', `The JSON has more than ${maxValues.toLocaleString('en')} values.`);
  try {
    return JSON.parse(text, reviver);
  } catch {
    throw badRequest(invalid);
  }
}

const [comma, bracket, brace, quote, backslash] = [...',[{"\\'].map(character => character.charCodeAt(0));

/** Counts what begins a value, outside of texts. */
function hasMoreValues(text: string, limit: number): boolean {
  // Each has a character of its own.
  if (text.length <= limit) return false;
  let count = 0;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === quote) index = findTextEnd(text, index + 1);
    else if ((code === comma || code === bracket || code === brace) && ++count > limit) return true;
  }
  return false;
}

/** The quotation mark that ends a text. */
function findTextEnd(text: string, start: number): number {
  let index = start;
  for (; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === quote) break;
    if (code === backslash) index += 1;
  }
  return index;
}
