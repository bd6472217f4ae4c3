/** What would be HTML to whoever renders it; an address between the signs is none. */
const html = /<(?=[a-z/!?])(?!(?:https?:\/\/|mailto:)[^\s<>]*>)/gi;
const unprintable = /(?![\n\t])[\p{Cc}\u2028\u2029]/gu;

/** A text on one line of Markdown, in which it is only text. */
export function markdownText(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .replace(/[\\`*_{}[\]<>()#+!|~&]|^-|(?<=^\d+)\./g, '\\$&');
}

/** Markdown that somebody wrote, held together as a quotation: nothing in it can look like a part of what is around it. */
export function quoted(markdown: string): string {
  const lines = markdown.toWellFormed().replace(/\r\n?/g, '\n').replace(unprintable, '').trim().split('\n');
  return lines.map(line => `> ${line.replace(html, '\\<')}`.trimEnd()).join('\n');
}
