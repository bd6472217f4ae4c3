import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  getArgumentValues,
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
  Kind,
  type OperationDefinitionNode,
  parse,
  type SelectionSetNode,
  TypeInfo,
  ValidationContext,
} from 'graphql';
import { type ComplexityEstimator, type ComplexityEstimatorArgs, createComplexityRule } from 'graphql-query-complexity';
import { getTypicalSize } from './connection-field.js';
import type { Context } from './context.js';
import { executeQuery, prepareOperation, RawJson } from './fast-path.js';
import { estimateFilter } from './filters.js';

/** The library follows a fragment at each spread; this bounds the time that doubling fragments can take, to 20 ms. */
const maxNodes = 10_000;

/** What comes from the memory of this process takes a tenth of what a record of the database does. */
export const memoryWeight = 0.1;

/** What a field of an operation costs with all below it, and the size that its list counts as, if it is one. */
interface FieldCost {
  cost: number;
  size: number | null;
  /** Whether it is a list of records of its own type, such as the children of a component. */
  isTree?: boolean;
}

/** The most records of a connection, by its type. */
export type RecordCounts = ReadonlyMap<string, number>;

interface EstimateOptions {
  counts?: RecordCounts;
  filters?: typeof estimateFilter;
  weighsMemory?: boolean;
}

/**
 * Estimates the number of records in a response, and the work of filters as a number of records. The size of a list is
 * an argument of the field that returns the connection: of `notices`, not of the `nodes` below.
 */
function estimateField(
  { type: parent, field, args, childComplexity }: ComplexityEstimatorArgs,
  { counts, filters = estimateFilter, weighsMemory = false }: EstimateOptions = {},
): FieldCost {
  const named = getNamedType(field.type);
  const { cost: own, isFromMemory } = field.extensions;
  const weight = weighsMemory && isFromMemory ? memoryWeight : 1;
  // What it computes from memory is not a record of the response either.
  if (typeof own === 'number') return { cost: (isFromMemory ? memoryWeight : 1) * own + childComplexity, size: null };
  if (!isCompositeType(named) || isIntrospectionType(named)) return { cost: 0, size: null };
  if (isConnection(named)) {
    const slice = sliceSize([args.first, args.last], getTypicalSize(field.extensions));
    const size = Math.min(slice, counts?.get(named.name) ?? slice);
    const isTree = named.name === `${parent.name}Connection`;
    return { cost: 1 + filters(field.args, args) + size * childComplexity, size, isTree };
  }
  if (!isList(field.type) || isConnection(parent)) return { cost: 1 + childComplexity, size: null };
  const size = Array.isArray(args.nodeIds) ? args.nodeIds.length : getTypicalSize(field.extensions);
  return { cost: size * (weight + childComplexity), size };
}

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
  counts?: RecordCounts;
}

/** Infinity for an operation of too many nodes. */
export const estimateRecords = (options: CostOptions): number =>
  estimate(options, field => estimateField(field, { counts: options.counts }).cost);

/** The part of `estimateRecords` that is the work of filters. */
export const estimateFilters = (options: CostOptions): number =>
  estimateRecords(options) -
  estimate(options, field => estimateField(field, { counts: options.counts, filters: () => 0 }).cost);

/** The same as `estimateRecords`, with less for what comes from memory. */
export const estimatePrice = (options: CostOptions): number =>
  estimate(options, field => estimateField(field, { counts: options.counts, weighsMemory: true }).cost);

/** The part of `estimateRecords` that does not depend on what is returned: of filters, and of fields that compute. */
export const estimateWork = (options: CostOptions): number =>
  estimateFilters(options) +
  estimate(options, ({ field, childComplexity }) => {
    const { cost, isFromMemory } = field.extensions;
    return typeof cost === 'number' && !isFromMemory ? cost : childComplexity;
  });

/** The number of objects in data. */
export function countObjects(data: unknown): number {
  if (data instanceof RawJson) return countObjectsOfJson(data.json);
  if (typeof data !== 'object' || data === null) return 0;
  const below = Object.values(data).reduce<number>((sum, value) => sum + countObjects(value), 0);
  return Array.isArray(data) ? below : 1 + below;
}

function countObjectsOfJson(json: string): number {
  let count = 0;
  let isInText = false;
  for (let index = 0; index < json.length; index++) {
    const character = json[index];
    if (isInText && character === '\\') index += 1;
    else if (character === '"') isInText = !isInText;
    else if (character === '{' && !isInText) count += 1;
  }
  return count;
}

/** A list in a response: its path, and the size that it counts as. */
interface CountedList extends Pick<FieldCost, 'isTree'> {
  path: string;
  size: number;
}

/** Finds the lists, one below the other, that make up most of the cost of an operation. */
export function findCostliestLists(options: CostOptions): CountedList[] {
  const costs = new Map<FieldNode, FieldCost>();
  estimate(options, field => {
    const estimated = estimateField(field, { counts: options.counts });
    costs.set(field.node, estimated);
    return estimated.cost;
  });
  const path: string[] = [];
  const lists: CountedList[] = [];
  let below: SelectionSetNode | undefined = options.operation.selectionSet;
  while (below) {
    const nodes = listFields(below, options.document);
    const costliest = nodes.toSorted((one, other) => (costs.get(other)?.cost ?? 0) - (costs.get(one)?.cost ?? 0))[0];
    const listCost = costliest && costs.get(costliest);
    if (!listCost?.cost) break;
    path.push(costliest!.alias?.value ?? costliest!.name.value);
    if (listCost.size !== null) lists.push({ ...listCost, path: path.join('.'), size: listCost.size });
    below = costliest!.selectionSet;
  }
  return lists;
}

/** The fields of a selection set, those of fragments included. */
function listFields({ selections }: SelectionSetNode, document: DocumentNode): FieldNode[] {
  return selections.flatMap(node => {
    if (node.kind === Kind.FIELD) return [node];
    if (node.kind === Kind.INLINE_FRAGMENT) return listFields(node.selectionSet, document);
    const fragment = document.definitions.find(
      (one): one is FragmentDefinitionNode =>
        one.kind === Kind.FRAGMENT_DEFINITION && one.name.value === node.name.value,
    );
    return listFields(fragment!.selectionSet, document);
  });
}

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
    maxQueryNodes: maxNodes,
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
function sliceSize(sizes: unknown[], defaultSize: number): number {
  const size = sizes.find(value => typeof value === 'number') ?? defaultSize;
  return Math.min(Math.max(size as number, 1), 100);
}

const isList = (type: GraphQLOutputType): boolean => isListType(isNonNullType(type) ? type.ofType : type);

/** A connection, such as NoticeConnection: its `nodes` and `edges` are as long as the slice. */
const isConnection = (type: GraphQLNamedType): boolean => isObjectType(type) && type.name.endsWith('Connection');

/** What the caller may read of a page: no list below it has more of them. */
const countedLists: Record<string, string> = { components: 'ComponentConnection', notices: 'NoticeConnection' };
const countDocument = parse(
  `query ($page: ID!) { page(id: $page) { ${Object.keys(countedLists)
    .map(name => `${name} { totalCount }`)
    .join(' ')} } }`,
);

/**
 * Counts the records of the pages that an operation reads; undefined where a root field is not of one page. Without a
 * token nothing leads from one page to another.
 */
export async function countRecords(options: CostOptions, context: Context): Promise<RecordCounts | undefined> {
  const { schema, document, operation, variables } = options;
  const fields = schema.getRootType(operation.operation)!.getFields();
  const pageIds = listFields(operation.selectionSet, document).map(node => {
    const field = fields[node.name.value];
    const { pageId, id } = field ? getArgumentValues(field, node, variables) : {};
    return pageId ?? (field?.name === 'page' ? id : undefined);
  });
  // Counting is not charged: a query that names several pages is estimated by the sizes of its lists alone.
  if (new Set(pageIds).size !== 1 || typeof pageIds[0] !== 'string') return undefined;
  const [query] = countDocument.definitions as [OperationDefinitionNode];
  const prepared = prepareOperation(schema, countDocument, query);
  const counts = new Map(Object.values(countedLists).map(type => [type, 0]));
  const { fields: json } = await executeQuery(prepared, { page: pageIds[0] }, context);
  const lists = JSON.parse(json.get('page')!) as Record<string, { totalCount: number }> | null;
  for (const [name, type] of Object.entries(countedLists)) counts.set(type, lists?.[name]?.totalCount ?? 100);
  return counts;
}
