const ellipsis = '…';

/**
 * The text, or as much of its beginning as fits, up to the end of a word. A text without blanks (Japanese, Chinese) is cut between two characters as people
 * count them. '' where nothing fits.
 */
export function shortened(text: string, fits: (text: string) => boolean, mark = ellipsis): string {
  if (fits(text)) return text;
  const characters = [...new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(text)].map(({ index }) => index);
  // Longer never fits where shorter does not, so the longest is found by halves.
  let [fitting, beyond] = [0, characters.length];
  while (beyond - fitting > 1) {
    const middle = (fitting + beyond) >> 1;
    if (fits(text.slice(0, characters[middle]) + mark)) fitting = middle;
    else beyond = middle;
  }
  const cut = text.slice(0, characters[fitting] ?? 0);
  const words = /\s/.test(text.slice(cut.length, cut.length + 1)) ? cut : cut.replace(/\s+\S*$/, '');
  // A word of half the text is none: it is an address, or a language that writes without blanks.
  const kept = (words.length > cut.length / 2 ? words : cut).replace(/[\s,;:–-]+$/u, '');
  return kept ? kept + mark : '';
}
