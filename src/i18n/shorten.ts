const defaultMark = '…';
/** In characters. */
const firstLength = 500;

/**
 * The text, or as much of its beginning as fits, cut at the end of a word. A text without blanks (Japanese, Chinese) is
 * cut between two graphemes. Empty where nothing fits.
 */
export function shorten(text: string, fits: (text: string) => boolean, mark = defaultMark): string {
  if (fits(text)) return text;
  // A long text takes long to segment, and most of it fits nowhere.
  let length = firstLength;
  while (length < text.length && fits(text.slice(0, length).toWellFormed() + mark)) length *= 2;
  const segments = new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(text.slice(0, length));
  const graphemes = Array.from(segments, ({ index }) => index);
  // Binary search: where a text does not fit, no longer one does.
  let fitting = 0;
  let tooLong = graphemes.length;
  while (tooLong - fitting > 1) {
    const middle = (fitting + tooLong) >> 1;
    if (fits(text.slice(0, graphemes[middle]) + mark)) fitting = middle;
    else tooLong = middle;
  }
  const cut = text.slice(0, graphemes[fitting] ?? 0);
  const wholeWords = /\s/.test(text.slice(cut.length, cut.length + 1)) ? cut : cut.replace(/(?<!\s)\s+\S*$/, '');
  // A "word" of half the text is a URL, or the language writes without blanks.
  const shortened = (wholeWords.length > cut.length / 2 ? wholeWords : cut).replace(/(?<![\s,;:–-])[\s,;:–-]+$/u, '');
  return shortened ? shortened + mark : '';
}
