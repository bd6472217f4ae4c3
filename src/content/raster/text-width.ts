/**
 * Estimates the width of a text as a multiple of its font size. The fonts of the reader are unknown: the badge sets
 * `textLength`, so browsers stretch or squeeze the text to this width. The better the estimate, the less they do so.
 */
export function estimateTextWidth(text: string): number {
  let width = 0;
  for (const character of text) width += widths.find(([pattern]) => pattern.test(character))?.[1] ?? defaultWidth;
  return width;
}

const defaultWidth = 0.6;

/** CJK scripts, emoji, and full-width punctuation. */
const fullWidth =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{Extended_Pictographic}\u3000-\u303f\uff00-\uff60]/u;

/** The first matching pattern decides. */
const widths: [RegExp, number][] = [
  [/\p{Mark}|\p{Default_Ignorable_Code_Point}/u, 0],
  [fullWidth, 1],
  [/[ijl|!:;.,'‘’`IJ()[\]ftr ]/, 0.4],
  [/[mwMW@%—…]/, 0.95],
  [/\p{Uppercase}/u, 0.7],
];
