/** Names and subjects may hold line breaks and control characters, which have a meaning in headers and in chats. */
export function toSingleLine(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\p{Control}\u2028\u2029\s]+/gu, ' ')
    .trim();
}
