/** Names and subjects may hold line breaks and control characters, which have a meaning in headers and in chats. */
export function toSingleLine(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\p{Control}\u2028\u2029\s]+/gu, ' ')
    .trim();
}

/** A text with a line break, a tab or another control character as a single line; any other as it is. */
export const joinLines = (text: string): string =>
  /[\p{Control}\u2028\u2029]/u.test(text) ? toSingleLine(text) : text;
