import { settingsTable } from './settings-table.js';

/**
 * Returns a sentence for each variable of the environment that is no setting and whose name is nearly that of one. A
 * setting that is not given cannot be required instead: the environment has variables of other programs.
 */
export function findMisspelledSettings(environment: Record<string, string | undefined>): string[] {
  const known = Object.values(settingsTable).map(({ variable }) => variable as string);
  return Object.keys(environment).flatMap(name => {
    if (known.includes(name)) return [];
    const meant = known.find(variable => isNear(name.toUpperCase(), variable));
    return meant ? [`The variable ${name} is not a setting and has no effect. Did you mean ${meant}?`] : [];
  });
}

/** One mistake in a short name, such as HOSTS; HOME, which most environments have, is two away from HOST. */
const isNear = (name: string, variable: string): boolean =>
  editDistance(name, variable) <= (variable.length < 8 ? 1 : 2);

/**
 * Optimal string alignment: the insertions, deletions, substitutions and swaps of neighbours that turn one into the
 * other.
 */
function editDistance(one: string, other: string): number {
  const rows: number[][] = [Array.from({ length: other.length + 1 }, (_, column) => column)];
  for (let row = 1; row <= one.length; row++) {
    rows[row] = [row];
    for (let column = 1; column <= other.length; column++) {
      const substitution = one[row - 1] === other[column - 1] ? 0 : 1;
      const isSwap = row > 1 && column > 1 && one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      rows[row]![column] = Math.min(
        rows[row - 1]![column]! + 1,
        rows[row]![column - 1]! + 1,
        rows[row - 1]![column - 1]! + substitution,
        isSwap ? rows[row - 2]![column - 2]! + 1 : Infinity,
      );
    }
  }
  return rows[one.length]![other.length]!;
}
