/** The start of an HTML tag, but not of an autolink such as `<https://example.com>`. */
const htmlTagStart = /<(?=[a-z/!?])(?!(?:https?:\/\/|mailto:)[^\s<>]*>)/gi;
const controlCharacters = /(?![\n\t])[\p{Cc}\u2028\u2029]/gu;

/** Escapes plain text for one line of Markdown. */
export function escapeMarkdown(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .replace(/[\\`*_{}[\]<>()#+!|~&]|^-/g, '\\$&')
    .replace(/^(\d+)\./, '$1\\.');
}

/** Markdown of an operator as a block quotation, so that its headings do not become headings of the document. */
export function quoteMarkdown(markdown: string): string {
  const lines = markdown.toWellFormed().replace(/\r\n?/g, '\n').replace(controlCharacters, '').trim().split('\n');
  return lines.map(line => `> ${line.replace(htmlTagStart, '\\<')}`.trimEnd()).join('\n');
}
