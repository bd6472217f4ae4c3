import { Drop, toValue } from 'liquidjs';

/**
 * A value that knows how it is printed. To tests, comparisons and filters it is the text it stands for: `{% if title == page.name %}` holds
 * whatever signs are in the name, and a text cut in two is two texts, printed escaped like any other.
 */
export class Printable extends Drop {
  constructor(
    readonly text: string,
    /** As it is printed. */
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

/** A number that is no whole one, though it may look so: 2.0. */
export class Decimal extends Printable {
  constructor(readonly number: number) {
    const text = Number.isInteger(number) ? `${number}.0` : String(number);
    super(text, text);
  }

  override toJSON(): number {
    return this.number;
  }
}

/** Is HTML already. */
export class Markup extends Printable {
  constructor(html: string) {
    // Without a tag it says the same as a text, and is compared as that.
    super(html.includes('<') ? html : unescaped(html), html);
  }
}

/** A text of the theme's own with markup filled into it. */
export class OwnMarkup extends Markup {
  constructor(
    html: string,
    readonly freed: string,
  ) {
    super(html);
  }
}

/** A text of the theme's own: printed escaped, until `raw` frees it. What was filled into it stays escaped. */
export class OwnText extends Printable {
  constructor(
    text: string,
    html: string,
    readonly freed: string,
  ) {
    super(text, html);
  }
}

/** How a value gets into a file: into HTML and pictures escaped, into a style sheet without the signs that end what it stands in. */
export type Cleaning = (text: string) => string;

const references: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const signs: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#34': '"', '#39': "'", nbsp: '\u00a0' };

export const escaped: Cleaning = text => text.replace(/[&<>"']/g, sign => references[sign]!);

/** A backslash goes too: it would take the sign behind the value with it. */
export const withoutSigns: Cleaning = text => text.replace(/[<>{};"'\\]/g, '');

/** Into a picture: XML knows the same references as HTML and fewer signs, and in its style sheets a reference is the sign again. */
export const inPicture: Cleaning = text => escaped(text.replace(/[{};\\\ufffe\uffff]|(?![\t\n\r])\p{Control}/gu, ''));

/** Leaves what is a reference already. */
export const escapedOnce: Cleaning = text =>
  text.replace(/&(?!(?:[a-z][a-z0-9]*|#\d+|#x[0-9a-f]+);)|[<>"']/gi, sign => references[sign]!);

export const unescaped = (html: string): string =>
  html.replace(/&(amp|lt|gt|quot|#34|#39|nbsp);/g, (_, name: string) => signs[name]!);

/** For the engine's own comparisons and filters, which know what `empty` and `nil` are. */
export const plain = (value: unknown): unknown =>
  value instanceof Decimal ? value.number : value instanceof Printable ? value.text : value;

/** For ours. */
export const bare = (value: unknown): unknown => toValue(value);
export const textOf = (value: unknown): string => String(bare(value) ?? '');

export const isMap = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Drop);

/** What a value looks like in the file. A list is its members, one behind the other; a map says nothing of its own. */
export function printed(value: unknown, clean: Cleaning): string {
  if (value instanceof Printable) return value.html;
  const found = bare(value);
  if (Array.isArray(found)) return found.map(member => printed(member, clean)).join('');
  return typeof found === 'object' || found === undefined ? '' : clean(String(found));
}
