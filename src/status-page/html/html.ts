import { escapeHtml } from '../../core/escape-html.js';

/** A string of safe HTML, which is not escaped again. Only this module and the HTML sanitizer may create one. */
export class Markup {
  constructor(readonly html: string) {}

  toString(): string {
    return this.html;
  }
}

export type TemplateValue = Markup | string | number | null | undefined | false | readonly TemplateValue[];

/**
 * A template tag that writes HTML. Escapes every value except `Markup`, joins lists, omits null, undefined and false.
 * Values are safe in text and in double-quoted attributes only: not in scripts, styles or attribute names.
 * Line breaks of the template and the indentation after them are removed, or are a space between words.
 */
export function html(strings: TemplateStringsArray, ...values: readonly TemplateValue[]): Markup {
  const [first, ...rest] = removeIndentation(strings);
  return new Markup(rest.reduce((text, string, index) => text + renderToString(values[index]) + string, first!));
}

export function renderToString(value: TemplateValue): string {
  if (value === null || value === undefined || value === false) return '';
  if (value instanceof Markup) return value.html;
  return typeof value === 'object' ? value.map(renderToString).join('') : escapeHtml(String(value));
}

const compactTemplates = new WeakMap<TemplateStringsArray, readonly string[]>();

/**
 * A line that begins with an attribute continues a tag. Text goes on where a line ends with text or an inline element,
 * and the next begins with one, with text, or with a value.
 */
const betweenWords = new RegExp(
  [
    String.raw`\n\s*(?=[\w:-]+=")`,
    String.raw`(?<=[^\s>]|</(?:a|b|code|em|strong|time)>)\n\s*(?=[^\s<]|<(?:a|b|code|em|strong|time)\b)`,
    String.raw`(?<=[^\s>"=])\n\s*$`,
  ].join('|'),
  'g',
);

function removeIndentation(strings: TemplateStringsArray): readonly string[] {
  let compact = compactTemplates.get(strings);
  if (!compact) {
    compact = strings.map(string => string.replace(betweenWords, ' ').replace(/\n\s*/g, ''));
    compactTemplates.set(strings, compact);
  }
  return compact;
}
