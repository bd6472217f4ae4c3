import { randomUUID } from 'node:crypto';
import { type ApolloServerPlugin, HeaderMap } from '@apollo/server';
import { GraphQLError, type OperationDefinitionNode } from 'graphql';
import { LRUCache } from 'lru-cache';
import type { Caller } from '../auth/access.js';
import { Refusal } from '../core/errors.js';
import { refusalHeaders, refusalStatus } from '../http/status-codes.js';
import type { ThrottledCost } from '../http/rate-limit.js';
import {
  type CostOptions,
  countObjects,
  countRecords,
  estimateFilters,
  estimateIntrospection,
  estimatePrice,
  estimateRecords,
  estimateWork,
  findCostliestLists,
  memoryWeight,
  type RecordCounts,
} from './query-cost.js';
import type { Context } from './context.js';
import { coerceVariables } from './fast-path.js';
import { filterCosts } from './filters.js';
import { measureShape, type QueryShape } from './query-shape.js';
import { findValueProblem } from './request-body.js';

/** The limits of one request. That of tokens bounds validation, which takes quadratic time: 200 ms at 4,000 tokens. */
export const limits = {
  tokens: 2_000,
  depth: 15,
  /** Lists and objects within each other in a value: what walks through values calls itself. As in bodies of /v1. */
  nesting: 64,
  /** Of the members of an object: graphql-js compares an unknown one with all others. `metadata` has 8,192 bytes. */
  memberLength: 8_192,
  /** Of texts in variables, each as often as the document uses it. A theme of 10 MB is 14 million, and used once. */
  usedCharacters: 32_000_000,
  aliases: 100,
  /** PostgreSQL truncates identifiers at 63 bytes, and response keys are identifiers of the statement. */
  nameLength: 60,
  rootFields: 20,
  /** Fields to compile into statements; each counts once per type of record that can have it. */
  fields: 1_000,
  /** Records that the response can hold: the sizes of nested lists multiply. */
  cost: 100_000,
  /** The same for anonymous callers, who cannot be held responsible. */
  anonymousCost: 25_000,
  /** Objects of introspection, whose lists are shorter than the estimate. */
  introspection: 700_000,
} as const;

/** The header of a request for `extensions.cost`. */
const costHeader = 'x-graphql-cost';

interface LimitedContext {
  caller: Caller;
  throttleCost?: (cost: number) => Promise<ThrottledCost | null>;
  fromMemory: { objects: number };
  fastPath: Context;
}

/** Checks the limits after validation, which guarantees that fragments exist and have no cycles. */
export const limitsPlugin: ApolloServerPlugin<LimitedContext> = {
  requestDidStart: async () => {
    let cost: Cost | undefined;
    let throttled: ThrottledCost | null | undefined;
    return {
      didResolveOperation: async ({ schema, document, operation, request, contextValue }) => {
        if (!operation) return;
        const options = { schema, document, operation, variables: request.variables ?? {} };
        const limit = getCostLimit(contextValue);
        cost = checkLimits(options);
        let counts: RecordCounts | undefined;
        // Most pages are smaller than the lists that a frontend asks for.
        if (cost.records > limit && contextValue.caller.kind === 'anonymous') {
          counts = await countRecords(options, contextValue.fastPath);
          cost = estimateAll({ ...options, counts }, cost.introspection);
        }
        if (cost.records > limit) throw refuseCost({ ...options, counts }, cost.records, limit);
        throttled = await contextValue.throttleCost?.(cost.price).catch(refuseRequest);
      },
      willSendResponse: async ({ request, response: { body }, contextValue }) => {
        if (!cost || body.kind !== 'single') return;
        const isRequested = request.http?.headers.has(costHeader);
        if (!isRequested && !throttled) return;
        const { records: requested, work } = cost;
        const fromMemory = (1 - memoryWeight) * contextValue.fromMemory.objects;
        const returned = countObjects(body.singleResult.data) - 1 - fromMemory;
        const actual = Math.ceil(Math.min(requested, Math.max(0, work + returned)));
        const remaining = (await throttled?.settle(actual)) ?? null;
        const limit = getCostLimit(contextValue);
        if (isRequested)
          body.singleResult.extensions = {
            ...body.singleResult.extensions,
            cost: { requested, actual, remaining, limit },
          };
      },
    };
  },
};

const getCostLimit = ({ caller }: LimitedContext) => (caller.kind === 'anonymous' ? limits.anonymousCost : limits.cost);

/** What is known of an operation, by its node. Works because Apollo caches parsed documents: a text has one node. */
interface KnownOperation {
  /** The limits of its cost. */
  id: string;
  shape: QueryShape;
}
const operations = new WeakMap<OperationDefinitionNode, KnownOperation>();

/** Estimates the cost of an operation. Throws where another limit is exceeded. */
export function checkLimits(options: CostOptions): Cost {
  const { schema, document, operation, variables } = options;
  const problem = findValueProblem(document, variables, limits);
  if (problem !== null) throw refusal(problem);
  const known = operations.get(operation) ?? { id: randomUUID(), shape: measureShape(schema, document, operation) };
  operations.set(operation, known);
  const { shape } = known;
  if (shape.longestAlias > limits.nameLength) throw refusal(`An alias is longer than ${limits.nameLength} characters.`);
  if (shape.depth > limits.depth) throw refusal(`The query is deeper than ${limits.depth} levels.`);
  if (shape.aliases > limits.aliases) throw refusal(`The query has more than ${limits.aliases} aliases.`);
  if (shape.rootFields > limits.rootFields)
    throw refusal(`The query has more than ${limits.rootFields} fields at its root.`);
  if (shape.fields > limits.fields) throw refuseFields(shape);
  // A plugin refuses invalid variables before any field is resolved.
  const { coerced } = coerceVariables(schema, operation, variables);
  if (!coerced) return { records: 0, price: 0, work: 0, introspection: 0 };
  const cost = estimateCost(options, coerced, known);
  if (cost.introspection > limits.introspection)
    throw refusal(
      `The introspection could return ${formatCount(cost.introspection)} objects; the limit is ` +
        `${formatCount(limits.introspection)}.`,
    );
  return cost;
}

function refuseFields({ fields, widest }: QueryShape): GraphQLError {
  const ofWidest = widest
    ? `, of which \`${widest.path}\` counts ${formatCount(widest.fields)}: each field counts once for each type of ` +
      'record that can have it. Select fields of one type in a fragment on it (`... on Page`)'
    : '';
  return refusal(
    `The query selects ${formatCount(fields)} fields${ofWidest}. The limit is ${formatCount(limits.fields)}.`,
    { fields: Number.isFinite(fields) ? fields : null, limit: limits.fields, list: widest?.path ?? null },
  );
}

/** Infinity stands for a query whose fields are too many to count; fragments that double come near to it. */
const formatCount = (count: number) => (count < 1e12 ? count.toLocaleString('en') : 'too many');

export function refuseCost(options: CostOptions, cost: number, limit: number): GraphQLError {
  const lists = findCostliestLists(options);
  const ofFilters = estimateFilters(options);
  const largest = lists.toSorted((one, other) => other.size - one.size)[0];
  const sizes = lists.map(({ path, size }) => `\`${path}\` counts ${size}`).join(', ');
  const { condition, perAssociation } = filterCosts;
  const advice = lists.some(({ isTree }) => isTree)
    ? 'Read a tree as one flat list: `components` of the page with their `parentId`, or the `descendants` of one.'
    : 'Lower `first` or `last`.';
  return refusal(
    (ofFilters > 0
      ? `The query costs as much as ${formatCount(cost)} records; the limit is ${formatCount(limit)}. ` +
        `Filters make up ${formatCount(ofFilters)}: each condition counts ${condition}, through an association ` +
        `${formatCount(condition * perAssociation)}. Use fewer conditions or root fields. `
      : `The response could hold ${formatCount(cost)} records; the limit is ${formatCount(limit)}. `) +
      (largest ? `The sizes of lists multiply: ${sizes}. ${advice}` : 'Ask for less at once.'),
    { cost: Number.isFinite(cost) ? cost : null, limit, list: largest?.path ?? null },
  );
}

interface Cost {
  /** What the limit applies to. */
  records: number;
  /** What is counted for the rate limit before the request runs. */
  price: number;
  /** The part that does not depend on what is returned. */
  work: number;
  introspection: number;
}

/** In characters. Anybody may send variables of 1 MB, so costs by longer keys are computed each time. */
const maxKeyLength = 2_000;
/** The costs of operations, by the values of the variables that can change them, in 8 MB of all operations together. */
const costs = new LRUCache<string, Cost>({
  maxSize: 8 * 1024 * 1024,
  sizeCalculation: (_, key) => 2 * key.length + 500,
});

/** The library coerces `variables` itself, so it gets them as they were sent. */
function estimateCost(
  options: CostOptions,
  coercedVariables: Record<string, unknown>,
  { id, shape }: KnownOperation,
): Cost {
  // Null matters too: the execution refuses a field whose required argument is null, so the field costs nothing.
  const key = `${id} ${JSON.stringify(describeForCost(coercedVariables))}`;
  const isCached = key.length <= maxKeyLength;
  const cost =
    (isCached && costs.get(key)) || estimateAll(options, shape.hasIntrospection ? estimateIntrospection(options) : 0);
  if (isCached) costs.set(key, cost);
  return cost;
}

const estimateAll = (options: CostOptions, introspection: number): Cost => ({
  records: estimateRecords(options),
  price: estimatePrice(options),
  work: estimateWork(options),
  introspection,
});

/**
 * The part of a variable that can change the cost: a size, a flag, and which conditions a filter has. Values of scalars
 * that are objects cannot: bytes have an entry for each byte.
 */
function describeForCost(value: unknown): unknown {
  if (ArrayBuffer.isView(value) || value instanceof Date) return true;
  if (typeof value === 'number' || typeof value === 'boolean') return value;
  if (typeof value !== 'object' || value === null) return value === null;
  if (Array.isArray(value))
    return value.some(one => typeof one === 'object') ? value.map(describeForCost) : value.length;
  return Object.entries(value).map(([name, one]) => [name, describeForCost(one)]);
}

/** Responds to the whole request with a refusal, as the endpoint does. */
function refuseRequest(error: unknown): never {
  if (!(error instanceof Refusal)) throw error;
  const headers = new HeaderMap(Object.entries(refusalHeaders(error)));
  const {
    code,
    message,
    details: { retryAfter },
  } = error;
  throw new GraphQLError(message, { extensions: { code, retryAfter, http: { status: refusalStatus[code], headers } } });
}

const refusal = (message: string, details: object = {}) =>
  new GraphQLError(message, { extensions: { code: 'BAD_REQUEST', ...details, http: { status: 400 } } });
