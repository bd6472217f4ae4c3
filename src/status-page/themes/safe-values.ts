import { Drop, toValue } from 'liquidjs';
import { escapeMarkup } from '../../core/escape-html.js';

/**
 * A value with its own printed form. For conditions, comparisons and filters it is its text, so that
 * `{% if title == page.name %}` holds whatever characters the name contains; a part of it is a plain, escaped text.
 */
export class SafeValue extends Drop {
  constructor(
    readonly text: string,
    /** The printed form. */
    readonly html: string,
  ) {
    super();
  }

  override valueOf(): string {
    return this.text;
  }

  override toString(): string {
    return this.text;
  }

  toJSON(): string | number {
    return this.text;
  }

  size(): number {
    return this.text.length;
  }
}

/** A decimal number, even if it has an integer value: 2.0. */
export class Decimal extends SafeValue {
  constructor(readonly number: number) {
    const text = formatDecimal(number);
    super(text, text);
  }

  override toJSON(): number {
    return this.number;
  }
}

/** As Ruby: 2.0, 0.5, and 1.0e-05 for what is below 0.0001, or has more than 16 digits before the point. */
function formatDecimal(number: number): string {
  const size = Math.abs(number);
  if (size !== 0 && Number.isFinite(size) && (size < 1e-4 || size >= 1e16)) {
    const [mantissa = '', power = ''] = number.toExponential().split('e');
    return `${mantissa.includes('.') ? mantissa : `${mantissa}.0`}e${power[0]}${power.slice(1).padStart(2, '0')}`;
  }
  return Number.isInteger(number) ? `${number}.0` : String(number);
}

/** HTML: printed without escaping. */
export class HtmlValue extends SafeValue {
  constructor(html: string) {
    // Without tags, it is compared as the text that it shows.
    super(html.includes('<') ? html : unescapeHtml(html), html);
  }
}

/** A text from the theme's locales with HTML arguments. */
export class TranslatedHtml extends HtmlValue {
  constructor(
    html: string,
    readonly raw: string,
  ) {
    super(html);
  }
}

/** A text from the theme's locales: printed escaped unless `raw` is applied. Its arguments stay escaped even then. */
export class TranslatedText extends SafeValue {
  constructor(
    text: string,
    html: string,
    readonly raw: string,
  ) {
    super(text, html);
  }
}

/** What `t` returns for a key without a text. */
export class MissingText extends SafeValue {}

/** Makes a value safe for the kind of file that it is printed into. */
export type Escape = (text: string) => string;

const entityCharacters: Record<string, string> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  '#34': '"',
  '#39': "'",
  nbsp: '\u00a0',
};

/** Drops what could end a CSS value, and the backslash, which would escape the character after the value. */
export const stripCssSyntax: Escape = text => text.replace(/[<>{};"'\\]/g, '');

/** For SVG: XML has fewer valid characters, and a `<style>` element decodes entities, so CSS syntax is dropped too. */
export const escapeSvg: Escape = text =>
  escapeMarkup(text.replace(/[{};\\\ufffe\uffff]|(?![\t\n\r])\p{Control}/gu, ''));

/** Leaves existing entities as they are. */
export const escapeHtmlOnce: Escape = text =>
  text.replace(/&(?!(?:[a-z][a-z0-9]*|#\d+|#x[0-9a-f]+);)|[<>"']/gi, escapeMarkup);

export const unescapeHtml = (html: string): string =>
  html.replace(/&(amp|lt|gt|quot|#34|#39|nbsp);/g, (_, name: string) => entityCharacters[name]!);

/** For the engine's own operators and filters: unlike `unwrap`, keeps its `empty` and `nil`. */
export const toPrimitive = (value: unknown): unknown =>
  value instanceof Decimal ? value.number : value instanceof SafeValue ? value.text : value;

/** For our own filters. */
export const unwrap = (value: unknown): unknown => toValue(value);
/** A map has no text. */
export function toText(value: unknown): string {
  const content = unwrap(value);
  return isMap(content) ? '' : String(content ?? '');
}

export const isMap = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Drop);

/** The printed form of any value. A list prints its members without a separator; a map prints nothing. */
export function printValue(value: unknown, escapeValue: Escape): string {
  if (value instanceof SafeValue) return value.html;
  const content = unwrap(value);
  if (Array.isArray(content)) return content.map(member => printValue(member, escapeValue)).join('');
  return typeof content === 'object' || content === undefined ? '' : escapeValue(String(content));
}
