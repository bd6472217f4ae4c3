import type { ApolloServerPlugin } from '@apollo/server';
import {
  type DocumentNode,
  getVariableValues,
  GraphQLError,
  type GraphQLSchema,
  type OperationDefinitionNode,
} from 'graphql';
import { LRUCache } from 'lru-cache';
import type { Caller } from '../auth/access.js';
import { type CostOptions, estimateIntrospection, estimateRecords } from './query-cost.js';
import { measureShape, type QueryShape } from './query-shape.js';

/**
 * The limits of one request. The token limit also bounds validation: the rule for overlapping fields takes quadratic
 * time, 200 ms at 4,000 tokens.
 */
export const limits = {
  tokens: 2_000,
  depth: 15,
  aliases: 100,
  /** PostgreSQL truncates identifiers at 63 bytes, and response keys are identifiers of the statement. */
  nameLength: 60,
  rootFields: 20,
  /** Fields to compile into statements; a field of an interface counts once per type. */
  fields: 1_000,
  /** Records that the response can hold: the sizes of nested lists multiply. */
  cost: 100_000,
  /** The same for anonymous callers, who cannot be held responsible. */
  anonymousCost: 25_000,
  /** Objects of introspection, whose lists are shorter than the estimate. */
  introspection: 500_000,
} as const;

/** Checks the limits after validation, which guarantees that fragments exist and have no cycles. */
export const limitsPlugin: ApolloServerPlugin<{ caller: Caller }> = {
  requestDidStart: async () => ({
    didResolveOperation: async ({ schema, document, operation, request, contextValue }) => {
      const maximumCost = contextValue.caller.kind === 'anonymous' ? limits.anonymousCost : limits.cost;
      if (operation) checkLimits(schema, document, operation, request.variables ?? {}, maximumCost);
    },
  }),
};

/** The shape of each operation. Works because Apollo caches parsed documents, so the same text has the same node. */
const shapes = new WeakMap<OperationDefinitionNode, QueryShape>();

export function checkLimits(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  variables: Record<string, unknown>,
  maximumCost: number = limits.cost,
): void {
  const shape = shapes.get(operation) ?? measureShape(schema, document, operation);
  shapes.set(operation, shape);
  if (shape.longestAlias > limits.nameLength) throw refusal(`An alias is longer than ${limits.nameLength} characters.`);
  if (shape.depth > limits.depth) throw refusal(`The query is deeper than ${limits.depth} levels.`);
  if (shape.aliases > limits.aliases) throw refusal(`The query has more than ${limits.aliases} aliases.`);
  if (shape.rootFields > limits.rootFields)
    throw refusal(`The query has more than ${limits.rootFields} fields at its root.`);
  if (shape.fields > limits.fields)
    throw refusal(`The query selects more than ${limits.fields} fields; a field of an interface counts once per type.`);
  // The execution refuses invalid variables before it resolves any field.
  const { coerced } = getVariableValues(schema, operation.variableDefinitions ?? [], variables, { maxErrors: 1 });
  if (!coerced) return;
  const cost = estimateCost({ schema, document, operation, variables }, coerced, shape);
  if (cost.introspection > limits.introspection) throw refusal('The query selects too much introspection at once.');
  if (cost.records > maximumCost)
    throw refusal(
      `The response could hold more than ${maximumCost} records. Lower \`first\` or \`perPage\`: list sizes multiply.`,
    );
}

interface Cost {
  records: number;
  introspection: number;
}

/** The costs of each operation, by the values of the variables that can change them. */
const costs = new WeakMap<OperationDefinitionNode, LRUCache<string, Cost>>();

/** The library coerces `variables` itself, so it gets them as they were sent. */
function estimateCost(
  options: CostOptions,
  coercedVariables: Record<string, unknown>,
  { hasIntrospection }: QueryShape,
): Cost {
  const { operation } = options;
  const cached = costs.get(operation) ?? new LRUCache<string, Cost>({ max: 50 });
  costs.set(operation, cached);
  // Null matters too: the execution refuses a field whose required argument is null, so the field costs nothing.
  const key = JSON.stringify(
    Object.entries(coercedVariables).map(([name, value]) => [name, isSizeOrFlag(value) ? value : value === null]),
  );
  const cost = cached.get(key) ?? {
    introspection: hasIntrospection ? estimateIntrospection(options) : 0,
    records: estimateRecords(options),
  };
  cached.set(key, cost);
  return cost;
}

const isSizeOrFlag = (value: unknown) => typeof value === 'number' || typeof value === 'boolean';

const refusal = (message: string) =>
  new GraphQLError(message, { extensions: { code: 'BAD_REQUEST', http: { status: 400 } } });
