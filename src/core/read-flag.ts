const toSet = (words: string): ReadonlySet<string> => new Set(words.split(' '));
const yes = toSet('1 true t yes y on x ja oui si sí sì sim tak да 是 はい');
const no = toSet('0 false f no n off none never nein non nao não nee nie нет 否 いいえ');
const blank = new Set(['', '-', '\\n', 'null', 'nil', 'n/a', '(null)']);

/**
 * A yes or no of another product, as a boolean, a number, a word, or an object with one of them in `value` or `string`.
 * Null: it says nothing; undefined: it is something else, such as a time.
 */
export function readFlag(flag: unknown): boolean | null | undefined {
  const value = unwrap(flag);
  if (value === null || value === undefined || (Array.isArray(value) && !value.length)) return null;
  if (!['string', 'number', 'boolean', 'bigint'].includes(typeof value)) return undefined;
  const word = String(value).trim().toLowerCase();
  if (blank.has(word) || /^0000-00-00/.test(word)) return null;
  return yes.has(word) ? true : no.has(word) ? false : undefined;
}

/** The value of an object that has one in `value` or `string`; anything else as it is. */
export function unwrap(flag: unknown): unknown {
  if (typeof flag !== 'object' || flag === null) return flag;
  return 'value' in flag ? flag.value : 'string' in flag ? flag.string : flag;
}
