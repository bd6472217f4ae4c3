import { type DocumentNode, getVariableValues, type GraphQLSchema, type OperationDefinitionNode } from 'graphql';
import { type PreparedOperation, prepareOperation } from './fast-path.js';

/** Works because Apollo caches parsed documents, so the same text has the same node. */
const preparedOperations = new WeakMap<OperationDefinitionNode, PreparedOperation>();

/** Prepares an operation, and coerces its variables; undefined if they are invalid, which the execution reports. */
export function readVariables(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  given: Record<string, unknown> | undefined,
): { prepared: PreparedOperation; variables: Record<string, unknown> | undefined } {
  const prepared = preparedOperations.get(operation) ?? prepareOperation(schema, document, operation);
  preparedOperations.set(operation, prepared);
  const { coerced } = getVariableValues(schema, operation.variableDefinitions ?? [], given ?? {}, { maxErrors: 1 });
  return { prepared, variables: coerced };
}
