import { normalizeUnicode } from '../core/text/normalize-unicode.js';
import { shorten } from '../i18n/shorten.js';
import { toPlainText } from '../content/markdown/plain-text.js';

export const maxContentLength = 65_535;

/** "short text taken from the first update; it ends with a newline". Not truncated: the operator decides the length. */
export function createSynopsis(content: string | null): string {
  return content === null ? '' : `${toPlainText(content)}\n`;
}

const maxDerivedSubject = 100;

/** The subject of a notice without one: the first line of its comment, without markup, cut at the end of a word. */
export function createSubject(comment: string): string {
  const [line = ''] = toPlainText(comment).split('\n', 1);
  // Twice the maximum, since a character has up to two code units. `shorten` would segment a line of 65,535 characters.
  const beginning = line.slice(0, 2 * maxDerivedSubject + 1);
  return shorten(beginning, part => [...part].length <= maxDerivedSubject, '').trim();
}

/** Letters that Unicode normalization does not decompose into an ASCII letter and marks. */
const asciiReplacements: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ł: 'l',
  þ: 'th',
  ı: 'i',
};

const maxSlugLength = 100;
/** A subject has 255 characters, of up to two code units. */
const maxSlugInput = 510;

/** The readable part of a notice's link. Empty if the subject has no ASCII letter or digit. */
export function toSlug(subject: string): string {
  return normalizeUnicode(subject.slice(0, maxSlugInput), 'NFKD')
    .toLowerCase()
    .replace(/\p{Mark}/gu, '')
    .replace(/[ßæœøđðłþı]/g, letter => asciiReplacements[letter] ?? '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-/, '')
    .slice(0, maxSlugLength)
    .replace(/-$/, '');
}

export const tokenLength = 16;

/** The part of a path that never changes. */
export const extractToken = (path: string): string => path.slice(0, tokenLength);

/** "permanent link": the token never changes, the slug follows the subject. */
export function createNoticePath(token: string, subject: string): string {
  const slug = toSlug(subject);
  return slug ? `${token}-${slug}` : token;
}
