/** The value in a table for a word of a source, which may be `constructor`. */
export const lookUp = <Value>(table: Readonly<Record<string, Value>>, word: string | null | undefined) =>
  word != null && Object.hasOwn(table, word) ? table[word] : undefined;
