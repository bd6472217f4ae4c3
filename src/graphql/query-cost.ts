import {
  type DocumentNode,
  getNamedType,
  GraphQLError,
  type GraphQLNamedType,
  type GraphQLOutputType,
  type GraphQLSchema,
  isCompositeType,
  isIntrospectionType,
  isListType,
  isNonNullType,
  isObjectType,
  type OperationDefinitionNode,
  TypeInfo,
  ValidationContext,
} from 'graphql';
import { type ComplexityEstimator, createComplexityRule } from 'graphql-query-complexity';

/** The library follows a fragment at each spread; this bounds the time that doubling fragments can take, to 20 ms. */
const maximumNodes = 10_000;

/**
 * Estimates the number of records in a response. The size of a list is an argument of the field that returns the list
 * object: of `notices`, not of the `nodes` below.
 */
const recordEstimator: ComplexityEstimator = ({ type: parent, field, args, childComplexity }) => {
  const named = getNamedType(field.type);
  if (!isCompositeType(named) || isIntrospectionType(named)) return 0;
  if (typeof field.extensions.cost === 'number') return field.extensions.cost + childComplexity;
  if (isListObject(named)) return 1 + listSize([args.first, args.perPage], 25) * childComplexity;
  if (!isList(field.type) || isListObject(parent)) return 1 + childComplexity;
  return listSize([args.first], 100) * (1 + childComplexity);
};

/** Estimates the number of objects in the introspection part of a response. Its lists have no arguments. */
const introspectionEstimator =
  (typeCount: number): ComplexityEstimator =>
  ({ field, childComplexity }) => {
    const named = getNamedType(field.type);
    if (!isCompositeType(named)) return 0;
    if (!isIntrospectionType(named)) return childComplexity;
    if (!isList(field.type)) return 1 + childComplexity;
    return (field.name === 'types' ? typeCount : 10) * (1 + childComplexity);
  };

export interface CostOptions {
  schema: GraphQLSchema;
  document: DocumentNode;
  operation: OperationDefinitionNode;
  /** As they were sent, but known to be valid. */
  variables: Record<string, unknown>;
}

/** Infinity for an operation of too many nodes. */
export const estimateRecords = (options: CostOptions): number => estimate(options, recordEstimator);

/** Infinity for an operation of too many nodes. */
export const estimateIntrospection = (options: CostOptions): number =>
  estimate(options, introspectionEstimator(Object.keys(options.schema.getTypeMap()).length));

function estimate({ schema, document, operation, variables }: CostOptions, estimator: ComplexityEstimator): number {
  // Errors are ignored: the execution reports them, and does not resolve the fields they are about.
  const context = new ValidationContext(schema, document, new TypeInfo(schema), () => {});
  const complexity = createComplexityRule({
    maximumComplexity: Number.POSITIVE_INFINITY,
    estimators: [estimator],
    variables,
    maxQueryNodes: maximumNodes,
  })(context);
  try {
    complexity.onOperationDefinitionEnter(operation);
    return complexity.complexity;
  } catch (error) {
    if (error instanceof GraphQLError) return Number.POSITIVE_INFINITY;
    throw error;
  }
}

/** From 1 to 100: the reader refuses other sizes. */
function listSize(sizes: unknown[], defaultSize: number): number {
  const size = sizes.find(value => typeof value === 'number') ?? defaultSize;
  return Math.min(Math.max(size as number, 1), 100);
}

const isList = (type: GraphQLOutputType): boolean => isListType(isNonNullType(type) ? type.ofType : type);

/** A slice of a list, such as NoticeList: its `nodes` and `edges` are as long as the slice. */
const isListObject = (type: GraphQLNamedType): boolean =>
  isObjectType(type) && type.name.endsWith('List') && 'nodes' in type.getFields();
