/** Text that is XML already. */
export class Xml {
  constructor(readonly text: string) {}
}

type Value = string | number | Xml | readonly Xml[] | null;

/** XML with values in it, in text or between double quotes; all but what is XML already is escaped. Null prints nothing. */
export function xml(parts: TemplateStringsArray, ...values: Value[]): Xml {
  return new Xml(parts.reduce((text, part, index) => text + printed(values[index - 1] ?? null) + part));
}

function printed(value: Value): string {
  if (value === null) return '';
  if (value instanceof Xml) return value.text;
  if (typeof value === 'object') return value.map(({ text }) => text).join('');
  return escapeXml(String(value));
}

/** What no document of XML 1.0 may hold, not even by its number: most control characters, halves of surrogate pairs, U+FFFE and U+FFFF. */
const unwritable = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu;

const references: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** HTML takes it too. The end of a CDATA section cannot come about: its ">" is escaped. */
export function escapeXml(text: string): string {
  return text
    .replace(unwritable, '\u{FFFD}')
    .replace(/\r\n?/g, '\n')
    .replace(/[&<>"']/g, character => references[character]!);
}
