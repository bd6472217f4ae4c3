import { plainText } from '../markdown/plain-text.js';

/** "short text taken from the first update; it ends with a newline". Not shortened: how short it is, is for the writer to say. */
export function synopsisOf(content: string | null): string {
  return content === null ? '' : `${plainText(content)}\n`;
}

/** Letters that carry no accent that could be taken off, and are written with two in ASCII. */
const asciiOf: Record<string, string> = { ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', đ: 'd', ð: 'd', ł: 'l', þ: 'th', ı: 'i' };

const longestSlug = 100;

/** The readable part of a notice's link; '' for a subject without a single letter or digit of ASCII. */
export function slugOf(subject: string): string {
  return subject
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{Mark}/gu, '')
    .replace(/[ßæœøđðłþı]/g, letter => asciiOf[letter] ?? '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-/, '')
    .slice(0, longestSlug)
    .replace(/-$/, '');
}

export const tokenLength = 16;

/** The part of a path that stays. */
export const tokenOf = (path: string): string => path.slice(0, tokenLength);

/** "permanent link": the token lives as long as the notice, the slug follows the subject. */
export function pathOf(token: string, subject: string): string {
  const slug = slugOf(subject);
  return slug ? `${token}-${slug}` : token;
}
