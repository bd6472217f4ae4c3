import { type DocumentNode, Kind, visit } from 'graphql';

/** Whether lists and objects are within each other deeper than a limit, beyond which it does not look. */
const isDeeper = (value: unknown, limit: number): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (limit === 0 || Object.values(value).some(member => isDeeper(member, limit - 1)));

/** The name of a variable that is nested deeper; undefined if none is. */
export const findDeepVariable = (variables: Record<string, unknown>, limit: number): string | undefined =>
  Object.keys(variables).find(name => isDeeper(variables[name], limit));

/**
 * The argument of the document with the deepest literal. `visit` does not call itself, so any depth can be measured.
 */
export function findDeepestLiteral(document: DocumentNode): { argument: string; depth: number } {
  const deepest = { argument: '', depth: 0 };
  let [argument, depth] = ['', 0];
  const enter = () => {
    depth += 1;
    if (depth > deepest.depth) Object.assign(deepest, { argument, depth });
  };
  const leave = () => {
    depth -= 1;
  };
  visit(document, {
    [Kind.ARGUMENT]: ({ name }) => {
      argument = name.value;
    },
    [Kind.VARIABLE_DEFINITION]: ({ variable }) => {
      argument = variable.name.value;
    },
    [Kind.LIST]: { enter, leave },
    [Kind.OBJECT]: { enter, leave },
  });
  return deepest;
}
