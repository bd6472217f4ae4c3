export const fontFamily = 'Noto Sans';

/** The parts of the font that are loaded where a text needs them. */
const letters = {
  latin: /[\u0020-\u007e\u00a0-\u00ff\u2010-\u2027\u2030-\u205e]/,
  'latin-ext': /[\u0100-\u02ff\u1d00-\u1eff\u20a0-\u20cf]/,
  vietnamese: /[\u1ea0-\u1ef9]/,
  cyrillic: /[\u0400-\u045f\u0490\u0491\u2116]/,
  'cyrillic-ext': /[\u0460-\u048f\u0492-\u052f]/,
  greek: /[\u0370-\u03ff]/,
} as const;
export type FontSubset = keyof typeof letters;

export const selectFontSubsets = (text: string): FontSubset[] =>
  (Object.keys(letters) as FontSubset[]).filter(subset => letters[subset].test(text));

/** Whether the font has all letters of a text. Arabic, Chinese and Japanese would need fonts of many megabytes. */
export const canDraw = (text: string): boolean =>
  [...text].every(letter => Object.values(letters).some(range => range.test(letter)));
