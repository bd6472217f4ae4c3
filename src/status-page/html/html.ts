/** What is HTML already. Only this module and what cleans HTML may make one. */
export class Markup {
  constructor(readonly html: string) {}

  toString(): string {
    return this.html;
  }
}

export type Value = Markup | string | number | null | undefined | false | readonly Value[];

/**
 * The only way to write HTML here: every value is escaped but for `Markup`, lists are joined, and what is absent or false is nothing.
 * A value may stand in text or in an attribute between double quotes; in no other place (no script, no style, no name of an attribute).
 * Line ends of the template and the indentation behind them are left out.
 */
export function html(strings: TemplateStringsArray, ...values: readonly Value[]): Markup {
  const [first, ...rest] = compact(strings);
  return new Markup(rest.reduce((text, string, index) => text + textOf(values[index]) + string, first!));
}

export function textOf(value: Value): string {
  if (value === null || value === undefined || value === false) return '';
  if (value instanceof Markup) return value.html;
  return typeof value === 'object' ? value.map(textOf).join('') : escaped(String(value));
}

const references: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Control characters are no characters of HTML: they go, but for the blanks among them. */
function escaped(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is taken out.
  return text.replace(/[\0-\x08\x0b\x0e-\x1f\x7f]/g, '').replace(/[&<>"']/g, character => references[character]!);
}

const compacted = new WeakMap<TemplateStringsArray, readonly string[]>();

function compact(strings: TemplateStringsArray): readonly string[] {
  let known = compacted.get(strings);
  if (!known) {
    known = strings.map(string => string.replace(/\n\s*/g, ''));
    compacted.set(strings, known);
  }
  return known;
}
