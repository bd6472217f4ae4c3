export const fontFamily = 'Noto Sans';

/** The parts of the font that are loaded: those of the languages with Latin, Cyrillic and Greek letters. */
export const fontSubsets = ['latin', 'latin-ext', 'cyrillic', 'cyrillic-ext', 'greek', 'vietnamese'] as const;

/** Whether the font has all letters of a text. Arabic, Chinese and Japanese would need fonts of many megabytes. */
export const canDraw = (text: string): boolean =>
  /^[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{Nd}\p{P}\p{Zs}\p{Sc}+=<>|~^`°©®™]*$/u.test(text);
