import { registerEnumType } from 'type-graphql';

const nameOf = (word: string): string => word.replace(/[A-Z]/g, '_$&').replaceAll('-', '_').toUpperCase();

/**
 * An enum of the graph from the words of a rule and what they mean: PARTIALLY_DEGRADED is the name of partially-degraded, CREATED_AT that of createdAt;
 * the word is what is kept and what /v1 writes.
 */
export function enumeration<Word extends string>(
  name: string,
  meanings: Record<Word, string>,
  description: string,
): Record<string, Word> {
  const words = Object.keys(meanings) as Word[];
  const values = Object.fromEntries(words.map(word => [nameOf(word), word]));
  registerEnumType(values, {
    name,
    description,
    valuesConfig: Object.fromEntries(words.map(word => [nameOf(word), { description: meanings[word] }])),
  });
  return values;
}
