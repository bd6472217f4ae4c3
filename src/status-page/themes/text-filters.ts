import { isFalsy, type Context } from 'liquidjs';
import { isMap, toText, unwrap } from './safe-values.js';

// biome-ignore lint/suspicious/noExplicitAny: a template may pass anything to a filter
type Filter = (this: any, value: any, ...rest: any[]) => unknown;

const asciiSpace = /[\t\n\v\f\r ]+/;

/** Ruby splits at a space as awk does: at each run of white space, without an empty part at the start. */
function split(value: unknown, separator: unknown): string[] {
  const text = toText(value);
  const at = toText(separator);
  const parts =
    at === ' ' ? text.split(asciiSpace).filter((part, index) => index > 0 || part) : at ? text.split(at) : [...text];
  while (parts.at(-1) === '') parts.pop();
  return parts;
}

/** A text that has no more words stays as it is, without an ellipsis. */
function truncateWords(value: unknown, count: unknown = 15, ellipsis: unknown = '...'): string {
  const text = toText(value);
  const maxWords = Math.max(Number.parseInt(toText(count), 10) || 0, 1);
  const words = text.split(asciiSpace).filter(Boolean);
  return words.length <= maxWords ? text : `${words.slice(0, maxWords).join(' ')}${toText(ellipsis)}`;
}

/** Decodes what is encoded, and leaves any other percent sign as it is. */
const urlDecode = (value: unknown): string =>
  toText(value)
    .replaceAll('+', ' ')
    .replace(/(?:%[0-9a-f]{2})+/gi, encoded => Buffer.from(encoded.replaceAll('%', ''), 'hex').toString());

const urlEncode = (value: unknown): string =>
  encodeURIComponent(toText(value).toWellFormed())
    .replace(/[!'()*]/g, character => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%20', '+');

const toList = (value: unknown): unknown[] => {
  const content = unwrap(value);
  return Array.isArray(content) ? content : content === undefined || content === null ? [] : [content];
};

const readProperty = (context: Context, item: unknown, property: unknown): unknown =>
  isMap(item) ? unwrap(context.getFromScope(item, toText(property))) : undefined;

/** Items without the property are left out. */
const compact: Filter = function (list, property) {
  const isPresent = (value: unknown) => value !== null && value !== undefined;
  if (property === undefined) return toList(list).filter(item => isPresent(unwrap(item)));
  return toList(list).filter(item => isPresent(readProperty(this.context, item, property)));
};

/** The first item of each value of the property, or each value once. */
const uniq: Filter = function (list, property) {
  const seen = new Set<unknown>();
  return toList(list).filter(item => {
    const key = property === undefined ? unwrap(item) : (readProperty(this.context, item, property) ?? null);
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
};

/** Without a value, or with nil, the items whose property is neither nil nor false. */
export const createWhere = (standard: Filter): Filter =>
  function (list, property, expected) {
    if (expected !== undefined && unwrap(expected) !== null)
      return standard.call(this, unwrap(list), unwrap(property), expected);
    return toList(list).filter(item => !isFalsy(readProperty(this.context, item, property), this.context));
  };

/** Filters of Liquid whose result in liquidjs differs. */
export const textFilters: Record<string, Filter> = {
  split,
  truncatewords: truncateWords,
  url_decode: urlDecode,
  url_encode: urlEncode,
  compact,
  uniq,
};
