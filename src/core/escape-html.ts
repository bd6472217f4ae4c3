const references: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Replaces the characters that have a meaning in HTML and XML, in text and in quoted attributes, by references. */
export const escapeMarkup = (text: string): string => text.replace(/[&<>"']/g, character => references[character]!);

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are removed.
const controlCharacters = /[\0-\x08\x0b-\x1f\x7f-\x9f]/g;

/** Escapes text and quoted attributes of HTML, which allows no control characters: they are removed. */
export const escapeHtml = (text: string): string =>
  escapeMarkup(text.toWellFormed().replace(/\r\n?/g, '\n').replace(controlCharacters, ''));
