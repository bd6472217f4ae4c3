import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  getArgumentValues,
  getNamedType,
  getVariableValues,
  type GraphQLError,
  type GraphQLObjectType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  isCompositeType,
  isLeafType,
  isNonNullType,
  isObjectType,
  Kind,
  locatedError,
  type OperationDefinitionNode,
} from 'graphql';
import { toRefusal } from '../db/database-errors.js';
import { collectFields, collectSubfields } from '../records/collect-fields.js';
import { SerializedJson } from '../records/reader.js';
import { collectSelection } from '../records/selection.js';
import type { Context } from './context.js';

/**
 * The fast path from an operation to its response: where every root field, and every field of a payload, is a read,
 * PostgreSQL writes the JSON and it is passed on unparsed. Any other operation takes the standard execution of
 * graphql-js, with the same resolvers and the same statements.
 */
export interface PreparedOperation {
  schema: GraphQLSchema;
  operation: OperationDefinitionNode;
  fragments: Record<string, FragmentDefinitionNode>;
  root: GraphQLObjectType;
}

export function prepareOperation(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
): PreparedOperation {
  const fragments = Object.fromEntries(
    document.definitions.flatMap(node => (node.kind === Kind.FRAGMENT_DEFINITION ? [[node.name.value, node]] : [])),
  );
  return { schema, operation, fragments, root: schema.getRootType(operation.operation)! };
}

/** Works because Apollo caches parsed documents, so the same text has the same node. */
const preparedOperations = new WeakMap<OperationDefinitionNode, PreparedOperation>();

/** By the variables of a request, which are an object of their own: coercing 20,000 timestamps takes 80 ms. */
const coercions = new WeakMap<
  Variables,
  { operation: OperationDefinitionNode; coerced?: Variables; error?: GraphQLError }
>();

/**
 * Coerces the variables of a request, once. Each error of graphql-js prints the whole value, which can have a megabyte,
 * so that the first one is enough.
 */
export function coerceVariables(schema: GraphQLSchema, operation: OperationDefinitionNode, given: Variables = {}) {
  const known = coercions.get(given);
  if (known?.operation === operation) return known;
  const { coerced, errors } = getVariableValues(schema, operation.variableDefinitions ?? [], given, { maxErrors: 1 });
  const coercion = { operation, coerced, error: errors?.[0] };
  coercions.set(given, coercion);
  return coercion;
}

/** Prepares an operation and coerces its variables: undefined if they are invalid, which is refused before. */
export function prepareWithVariables(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  given: Record<string, unknown> | undefined,
): { prepared: PreparedOperation; variables: Record<string, unknown> | undefined } {
  const prepared = preparedOperations.get(operation) ?? prepareOperation(schema, document, operation);
  preparedOperations.set(operation, prepared);
  return { prepared, variables: coerceVariables(schema, operation, given).coerced };
}

interface OperationResult {
  /** The JSON of each root field, by its key in the response and in that order. */
  fields: Map<string, string>;
  /** The stored record in the response, if it has exactly one. */
  record?: SerializedJson['record'];
}

/** Data that is JSON already. */
export class RawJson {
  constructor(readonly json: string) {}
}

type Variables = Record<string, unknown>;
type CollectedFields = ReadonlyMap<string, readonly FieldNode[]>;

/** Whether the reader alone resolves all fields: no introspection, and no field with a resolver of its own. */
export const canUseFastPath = (prepared: PreparedOperation, variables: Variables): boolean =>
  getRootExtensions(prepared, variables).every(extensions => extensions?.read === true) &&
  !selectsResolvers(prepared, variables);

/** Whether a field below the root fields has a resolver that only the standard execution calls. */
export function selectsResolvers(prepared: PreparedOperation, variableValues: Variables): boolean {
  const info = { ...prepared, variableValues };
  return [...collectRootFields(prepared, variableValues).values()].some(nodes => {
    const field = prepared.root.getFields()[nodes[0]!.name.value];
    if (!field || !isCompositeType(getNamedType(field.type))) return false;
    return collectSelection(info, field.type, nodes).hasResolvers;
  });
}

/** Whether a root field waits for other servers, so that no transaction may be open around it. */
export const waitsForOthers = (prepared: PreparedOperation, variables: Variables): boolean =>
  getRootExtensions(prepared, variables).some(extensions => extensions?.waits === true);

/** Whether the response has a secret, so that it must not be stored. */
export const hasSecret = (prepared: PreparedOperation, variables: Variables): boolean =>
  getRootExtensions(prepared, variables).some(extensions => extensions?.isSecret === true);

/** The extensions of each root field; undefined for those of introspection. */
function getRootExtensions(prepared: PreparedOperation, variables: Variables) {
  const fields = prepared.root.getFields();
  return [...collectRootFields(prepared, variables).values()].map(nodes => fields[nodes[0]!.name.value]?.extensions);
}

/** Runs an operation of the fast path. The first error is thrown. */
export async function executeOperation(
  prepared: PreparedOperation,
  variables: Variables,
  context: Context,
): Promise<OperationResult> {
  const execution = new Execution(prepared, variables, context);
  const collected = collectRootFields(prepared, variables);
  return { fields: await execution.fields(prepared.root, collected, undefined), record: execution.record };
}

interface QueryResult {
  fields: Map<string, string>;
  errors: GraphQLError[];
}

/**
 * Runs a query of the fast path. As in the standard execution, an error has the path of its field, which becomes null:
 * the root fields are nullable. When the database is unavailable for one, the fields after it are refused unread, so
 * that a query waits for one timeout and not for twenty. `source` is the root that the resolvers get: the event of a
 * subscription.
 */
export async function executeQuery(
  prepared: PreparedOperation,
  variables: Variables,
  context: Context,
  source?: unknown,
): Promise<QueryResult> {
  const { root } = prepared;
  const execution = new Execution(prepared, variables, context);
  const fields = new Map<string, string>();
  const errors: GraphQLError[] = [];
  let outage: { error: unknown } | undefined;
  for (const [key, nodes] of collectRootFields(prepared, variables)) {
    try {
      if (outage) throw outage.error;
      fields.set(key, await execution.field(root, key, nodes, source));
    } catch (error) {
      if (toRefusal(error)?.code === 'UNAVAILABLE') outage = { error };
      errors.push(locatedError(error, nodes, [key]));
      fields.set(key, 'null');
    }
  }
  return { fields, errors };
}

export const collectRootFields = ({ schema, operation, fragments, root }: PreparedOperation, variables: Variables) =>
  collectFields(schema, fragments, variables, root, operation.selectionSet);

class Execution {
  record: SerializedJson['record'];

  constructor(
    private readonly prepared: PreparedOperation,
    private readonly variables: Variables,
    private readonly context: Context,
  ) {}

  /** Resolves fields serially: a mutation requires it, and the fields of a query share one database connection. */
  async fields(type: GraphQLObjectType, collected: CollectedFields, source: unknown): Promise<Map<string, string>> {
    const result = new Map<string, string>();
    for (const [key, nodes] of collected) result.set(key, await this.field(type, key, nodes, source));
    return result;
  }

  async field(type: GraphQLObjectType, key: string, nodes: readonly FieldNode[], source: unknown): Promise<string> {
    const name = nodes[0]!.name.value;
    if (name === '__typename') return JSON.stringify(type.name);
    const field = type.getFields()[name]!;
    // The resolver is type-graphql's wrapper, which checks access and converts arguments.
    const value = await field.resolve!(
      source,
      getArgumentValues(field, nodes[0]!, this.variables),
      this.context,
      this.info(type, key, nodes),
    );
    if (value instanceof SerializedJson) {
      this.record ??= value.record;
      return value.body;
    }
    const named = getNamedType(field.type);
    if (value === null || value === undefined) {
      if (isNonNullType(field.type)) throw new Error(`Cannot return null for ${type.name}.${name}`);
      return 'null';
    }
    if (isObjectType(named)) {
      const collected = collectSubfields(this.prepared.schema, this.prepared.fragments, this.variables, named, nodes);
      if (!Array.isArray(value)) return toJsonObject(await this.fields(named, collected, value));
      const items: string[] = [];
      for (const item of value) items.push(toJsonObject(await this.fields(named, collected, item)));
      return `[${items.join(',')}]`;
    }
    if (isLeafType(named)) return JSON.stringify(named.serialize(value));
    throw new Error(`${type.name}.${name} cannot be resolved on the fast path`);
  }

  private info(parentType: GraphQLObjectType, key: string, fieldNodes: readonly FieldNode[]): GraphQLResolveInfo {
    const { schema, fragments, operation } = this.prepared;
    const fieldName = fieldNodes[0]!.name.value;
    const path = { prev: undefined, key, typename: parentType.name };
    return {
      schema,
      fragments,
      operation,
      variableValues: this.variables,
      fieldName,
      fieldNodes,
      returnType: parentType.getFields()[fieldName]!.type,
      parentType,
      path,
      rootValue: undefined,
    };
  }
}

/** Writes a JSON object whose values are JSON already. */
export const toJsonObject = (fields: Map<string, string>): string =>
  `{${Array.from(fields, ([key, value]) => `"${key}":${value}`).join(',')}}`;
