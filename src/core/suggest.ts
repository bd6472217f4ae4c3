import { distance } from 'fastest-levenshtein';

const normalize = (text: string) => text.toLowerCase().replace(/[^\p{Letter}\p{Number}]+/gu, ' ');

/**
 * The candidates of at most so many edits, those with a similar spelling first. The beginning of a candidate counts as
 * much as the whole.
 */
export function suggest(name: string, candidates: readonly string[], maxEdits = Number.POSITIVE_INFINITY): string[] {
  const text = normalize(name);
  const countEdits = (candidate: string) =>
    Math.min(distance(text, candidate), distance(text, candidate.slice(0, text.length)));
  return candidates
    .map(candidate => ({ candidate, edits: countEdits(normalize(candidate)) }))
    .filter(({ edits }) => edits <= maxEdits)
    .sort((one, other) => one.edits - other.edits)
    .map(({ candidate }) => candidate);
}

/** The first candidate of which a name is a misspelling. */
export const findIntendedName = (name: string, candidates: readonly string[]): string | undefined =>
  suggest(
    name,
    candidates.filter(candidate => isMisspelling(name, candidate)),
  )[0];

/** Whether a name has one typing error: HOME, which most environments have, is two edits away from HOST. */
function isMisspelling(name: string, meant: string): boolean {
  // Each further letter is an edit. Comparing a text of any length would take as long.
  if (Math.abs(name.length - meant.length) > 2) return false;
  const edits = distance(name, meant);
  const haveSameLetters = [...name].sort().join('') === [...meant].sort().join('');
  return edits <= (meant.length < 8 && !haveSameLetters ? 1 : 2);
}
