/**
 * How wide a text is about, in parts of the height of its letters. The badge is drawn where nobody knows the fonts: its text is told to be as wide as
 * this, so it need not be exact, but a browser has to stretch or squeeze it the less the better it is.
 */
export function textWidth(text: string): number {
  let width = 0;
  for (const character of text) width += widths.find(([pattern]) => pattern.test(character))?.[1] ?? usual;
  return width;
}

const usual = 0.6;

const widths: [RegExp, number][] = [
  [/\p{Mark}|\p{Default_Ignorable_Code_Point}/u, 0],
  [
    /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Extended_Pictographic}\u3000-\u303f\uff00-\uff60]/u,
    1,
  ],
  [/[ijl|!:;.,'‘’`IJ()[\]ftr ]/, 0.4],
  [/[mwMW@%—…]/, 0.95],
  [/\p{Uppercase}/u, 0.7],
];
