/** How alike two texts are, from 0 to 1, without case and punctuation: the Dice coefficient of their bigrams. */
export function computeSimilarity(one: string, other: string): number {
  const [some, others] = [collectBigrams(one), collectBigrams(other)];
  const shared = [...some].filter(bigram => others.has(bigram)).length;
  return (2 * shared) / Math.max(some.size + others.size, 1);
}

/** A word begins with a blank, so that beginnings count more than what is inside. */
function collectBigrams(text: string): Set<string> {
  const words = ` ${text
    .toLowerCase()
    .replace(/[^\p{Letter}\p{Number}]+/gu, ' ')
    .trim()}`;
  return new Set(Array.from({ length: words.length - 1 }, (_, index) => words.slice(index, index + 2)));
}
