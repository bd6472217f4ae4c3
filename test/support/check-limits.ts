import type { DocumentNode, GraphQLSchema, OperationDefinitionNode } from 'graphql';
import { checkLimits as checkShape, limits, refuseCost } from '../../src/graphql/limits.js';

/** Checks all limits of a caller with a token, that of the cost included, and returns the cost. */
export function checkLimits(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  variables: Record<string, unknown>,
) {
  const options = { schema, document, operation, variables };
  const cost = checkShape(options);
  if (cost.records > limits.cost) throw refuseCost(options, cost.records, limits.cost);
  return cost;
}
