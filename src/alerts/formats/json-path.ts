import { compile, JSONPathError, type JSONPathQuery, type JSONValue, jsonpath } from 'json-p3';

const { FilterSelector } = jsonpath.selectors;
const { FilterQuery, FunctionExtension, InfixExpression, LogicalExpression, PrefixExpression } = jsonpath.expressions;

export type QueryPath = (document: unknown) => unknown[];

/**
 * A JSONPath (RFC 9535) that takes time linear in the size of the document, or what is wrong with it. The others could
 * take exponential time: each segment with `..` or several selectors may find each node again, and so may filters with
 * queries that are not singular. Regular expressions of filters backtrack.
 */
export function compilePath(path: string): { query: QueryPath } | { problem: string } {
  try {
    const compiled = compile(path);
    const problem = findProblem(compiled);
    return problem ? { problem } : { query: document => compiled.query(document as JSONValue).values() };
  } catch (error) {
    if (!(error instanceof JSONPathError)) throw error;
    return { problem: `must be a JSONPath such as \`$.alert.title\`: ${error.message}` };
  }
}

function findProblem({ segments }: JSONPathQuery): string | null {
  for (const segment of segments) {
    const [selector, ...others] = segment.selectors;
    if (segment.toString().startsWith('..')) return 'must name each level in place of `..`';
    if (others.length) return 'must not have several selectors in one pair of brackets';
    const problem = selector instanceof FilterSelector ? findFilterProblem(selector.expression) : null;
    if (problem) return problem;
  }
  return null;
}

function findFilterProblem(expression: unknown): string | null {
  if (expression instanceof LogicalExpression) return findFilterProblem(expression.expression);
  if (expression instanceof PrefixExpression) return findFilterProblem(expression.right);
  if (expression instanceof InfixExpression)
    return findFilterProblem(expression.left) ?? findFilterProblem(expression.right);
  if (expression instanceof FunctionExtension) return 'must not call functions in a filter';
  if (!(expression instanceof FilterQuery)) return null;
  return expression instanceof jsonpath.expressions.RelativeQuery && expression.path.singularQuery()
    ? null
    : 'must compare only single values of the element in a filter, such as `@.name`';
}
