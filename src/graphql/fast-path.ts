import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  getArgumentValues,
  getNamedType,
  GraphQLError,
  type GraphQLObjectType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  isLeafType,
  isNonNullType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
} from 'graphql';
import { collectFields, collectSubfields } from 'graphql/execution/collectFields.js';
import { Written } from '../records/reader.js';
import type { Context } from './context.js';

/**
 * The short way from an operation to its answer. The rule, in one sentence: where everything asked at the root, and of a payload, is a read,
 * PostgreSQL's text is the answer and is passed on as it is; all else goes the ordinary way, over the same resolvers, statements and names.
 */
export interface Operation {
  schema: GraphQLSchema;
  operation: OperationDefinitionNode;
  fragments: Record<string, FragmentDefinitionNode>;
  root: GraphQLObjectType;
}

export function operationOf(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
): Operation {
  const fragments = Object.fromEntries(
    document.definitions.flatMap(one => (one.kind === Kind.FRAGMENT_DEFINITION ? [[one.name.value, one]] : [])),
  );
  return { schema, operation, fragments, root: schema.getRootType(operation.operation)! };
}

export interface Answer {
  /** The JSON of each field, by its key in the answer and in that order. */
  fields: Map<string, string>;
  /** The single stored record that the answer shows, where it shows one. */
  record?: Written['record'];
}

type Variables = Record<string, unknown>;
type Fields = ReadonlyMap<string, readonly FieldNode[]>;

/** Whether every field at the root is answered by the reader alone. Introspection is not. */
export function isAllReads({ schema, operation, fragments, root }: Operation, variables: Variables): boolean {
  const asked = collectFields(schema, fragments, variables, root, operation.selectionSet);
  return [...asked.values()].every(nodes => root.getFields()[nodes[0]!.name.value]?.extensions.read === true);
}

/** Runs the operation. What is refused is thrown; the caller knows what to make of it. */
export async function answer(prepared: Operation, variables: Variables, context: Context): Promise<Answer> {
  const walk = new Walk(prepared, variables, context);
  const asked = collectFields(
    prepared.schema,
    prepared.fragments,
    variables,
    prepared.root,
    prepared.operation.selectionSet,
  );
  return { fields: await walk.fields(prepared.root, asked, undefined), record: walk.record };
}

class Walk {
  record: Written['record'];

  constructor(
    private readonly prepared: Operation,
    private readonly variables: Variables,
    private readonly context: Context,
  ) {}

  /** One after the other: the fields of a mutation must run so, and those of a query wait for the same database. */
  async fields(type: GraphQLObjectType, asked: Fields, source: unknown): Promise<Map<string, string>> {
    const written = new Map<string, string>();
    for (const [key, nodes] of asked) written.set(key, await this.field(type, key, nodes, source));
    return written;
  }

  private async field(
    type: GraphQLObjectType,
    key: string,
    nodes: readonly FieldNode[],
    source: unknown,
  ): Promise<string> {
    const name = nodes[0]!.name.value;
    if (name === '__typename') return JSON.stringify(type.name);
    const field = type.getFields()[name]!;
    // type-graphql's own wrapper resolves: authorization and coercion stay.
    const value = await field.resolve!(
      source,
      getArgumentValues(field, nodes[0]!, this.variables),
      this.context,
      this.info(type, key, nodes),
    );
    if (value instanceof Written) {
      this.record ??= value.record;
      return value.body;
    }
    const named = getNamedType(field.type);
    if (value === null || value === undefined) {
      if (isNonNullType(field.type)) throw new GraphQLError(`Cannot return null for ${type.name}.${name}.`);
      return 'null';
    }
    if (isObjectType(named))
      return object(
        await this.fields(
          named,
          collectSubfields(this.prepared.schema, this.prepared.fragments, this.variables, named, nodes),
          value,
        ),
      );
    if (isLeafType(named)) return JSON.stringify(named.serialize(value));
    throw new Error(`${type.name}.${name} has no short way`);
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

/** A JSON object of fields that are written already. */
export const object = (fields: Map<string, string>): string =>
  `{${[...fields].map(([key, value]) => `"${key}":${value}`).join(',')}}`;
