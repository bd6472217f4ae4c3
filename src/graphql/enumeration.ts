import { registerEnumType } from 'type-graphql';

/** An enum of the graph from the words of a rule: PARTIALLY_DEGRADED is the name of partially-degraded, CREATED_AT that of createdAt; the word is what is kept and what /v1 writes. */
export function enumeration<Word extends string>(name: string, words: readonly Word[], description: string): Record<string, Word> {
  const values = Object.fromEntries(words.map(word => [word.replace(/[A-Z]/g, '_$&').replaceAll('-', '_').toUpperCase(), word]));
  registerEnumType(values, { name, description });
  return values;
}
