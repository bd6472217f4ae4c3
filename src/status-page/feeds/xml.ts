import { escapeMarkup } from '../../core/escape-html.js';

/** A fragment of XML that needs no escaping. */
export class Xml {
  constructor(readonly text: string) {}
}

type Value = string | number | Xml | readonly Xml[] | null;

/** Template tag for XML: escapes values, in text or between double quotes, but for `Xml`. Null renders as nothing. */
export function xml(parts: TemplateStringsArray, ...values: Value[]): Xml {
  return new Xml(parts.reduce((text, part, index) => text + renderValue(values[index - 1] ?? null) + part));
}

function renderValue(value: Value): string {
  if (value === null) return '';
  if (value instanceof Xml) return value.text;
  if (typeof value === 'object') return value.map(({ text }) => text).join('');
  return escapeXml(String(value));
}

/** Characters that XML 1.0 forbids even as references: most control characters, surrogates, U+FFFE, U+FFFF. */
const forbiddenCharacters = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu;

/** Valid in HTML too. Escaping ">" also prevents "]]>", which ends a CDATA section. */
export const escapeXml = (text: string): string =>
  escapeMarkup(text.replace(forbiddenCharacters, '\u{FFFD}').replace(/\r\n?/g, '\n'));
