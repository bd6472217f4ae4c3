/** More combining marks in a row than any language has: the limit of the Stream-Safe Text Format (UAX #15). */
const tooManyMarks = /\p{Mark}{31}/u;

/**
 * Normalization sorts the marks of a letter in quadratic time: 100,000 marks, a tenth of what anybody may send, take
 * seconds. A text with such a sequence stays as it is.
 */
export const normalizeUnicode = (text: string, form: 'NFC' | 'NFKC' | 'NFKD'): string =>
  tooManyMarks.test(text) ? text : text.normalize(form);
