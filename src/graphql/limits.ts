import type { ApolloServerPlugin } from '@apollo/server';
import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  getNamedType,
  getVariableValues,
  GraphQLError,
  GraphQLIncludeDirective,
  GraphQLInt,
  type GraphQLNamedType,
  type GraphQLOutputType,
  type GraphQLSchema,
  GraphQLSkipDirective,
  getDirectiveValues,
  isAbstractType,
  isCompositeType,
  isInterfaceType,
  isIntrospectionType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  SchemaMetaFieldDef,
  type SelectionNode,
  type SelectionSetNode,
  TypeMetaFieldDef,
  valueFromAST,
} from 'graphql';
import type { Caller } from '../auth/access.js';

/**
 * How much one request may ask. Fragments count wherever they are spread. The token limit also keeps validation short: what the rule of overlapping
 * fields takes grows with the square of a document, and at 4,000 tokens reached 200 ms.
 */
export const limits = {
  tokens: 2_000,
  depth: 15,
  aliases: 100,
  /** PostgreSQL cuts identifiers at 63 bytes, and the names of an answer are identifiers of its statement. */
  nameLength: 60,
  rootFields: 20,
  /** Fields to be written into statements; each counts once for every kind of an interface that it is asked of. */
  fields: 1_000,
  /** Objects that the answer may hold: the sizes of lists multiplied. */
  cost: 100_000,
  /** The same without a token: nobody answers for what it costs. */
  anonymousCost: 25_000,
  /** The same of introspection, whose lists are not as long as they are made out here. */
  introspection: 500_000,
} as const;

type Measure = Exclude<keyof typeof limits, 'tokens' | 'nameLength' | 'anonymousCost'>;
/** What a selection asks for. Sums and products of doubles: what explodes becomes Infinity, and is too much. */
type Weight = Record<Measure, number>;

const costSentence = (cost: number) =>
  `The answer could hold more than ${cost} records: the sizes of lists multiply. Ask for shorter ones with \`first\` or \`perPage\`.`;

const sentences: Record<Exclude<Measure, 'cost'>, string> = {
  depth: `The query is deeper than ${limits.depth} levels.`,
  aliases: `The query has more than ${limits.aliases} aliases.`,
  rootFields: `The query has more than ${limits.rootFields} fields at its root.`,
  fields: `The query asks for more than ${limits.fields} fields; one asked of several kinds of record counts for each.`,
  introspection: 'The query asks for too much introspection at once.',
};

const refusal = (sentence: string) =>
  new GraphQLError(sentence, { extensions: { code: 'BAD_REQUEST', http: { status: 400 } } });

/** Stands before the short way, and after validation: fragments are known, and none leads back to itself. */
export const limitPlugin: ApolloServerPlugin<{ caller: Caller }> = {
  requestDidStart: async () => ({
    didResolveOperation: async ({ schema, document, operation, request, contextValue }) => {
      const cost = contextValue.caller.kind === 'anonymous' ? limits.anonymousCost : limits.cost;
      if (operation) checkLimits(schema, document, operation, request.variables ?? {}, cost);
    },
  }),
};

/** By operation: what it weighs with all that variables could switch on, and with the longest lists. Apollo keeps the documents it has parsed. */
const heaviest = new WeakMap<OperationDefinitionNode, Weight>();

export function checkLimits(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  given: Record<string, unknown>,
  cost: number = limits.cost,
): void {
  const known = heaviest.get(operation) ?? new Scales(schema, document).weigh(operation);
  heaviest.set(operation, known);
  for (const measure of [...Object.keys(sentences), 'cost'] as Measure[]) {
    if (known[measure] <= (measure === 'cost' ? cost : limits[measure])) continue;
    if (measure === 'cost' && costWith(schema, document, operation, given) <= cost) continue;
    throw refusal(measure === 'cost' ? costSentence(cost) : sentences[measure]);
  }
}

/** What it costs with the variables of this request. Those that are wrong are for the execution to refuse, before any field. */
function costWith(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  given: Record<string, unknown>,
): number {
  const { coerced } = getVariableValues(schema, operation.variableDefinitions ?? [], given, { maxErrors: 1 });
  return coerced ? new Scales(schema, document, coerced).weigh(operation).cost : 0;
}

class Scales {
  private readonly fragments = new Map<string, FragmentDefinitionNode>();
  /** Each fragment is weighed once, however often it is spread: the work is linear in the document. */
  private readonly weighed = new Map<string, Weight>();

  constructor(
    private readonly schema: GraphQLSchema,
    document: DocumentNode,
    /** Undefined: any there could be. */
    private readonly variables?: Record<string, unknown>,
  ) {
    for (const one of document.definitions)
      if (one.kind === Kind.FRAGMENT_DEFINITION) this.fragments.set(one.name.value, one);
  }

  weigh(operation: OperationDefinitionNode): Weight {
    return this.selections(operation.selectionSet, this.schema.getRootType(operation.operation)!);
  }

  private selections({ selections }: SelectionSetNode, type: GraphQLNamedType): Weight {
    const sum: Weight = { depth: 0, aliases: 0, rootFields: 0, fields: 0, cost: 0, introspection: 0 };
    for (const one of selections) {
      const weight = this.selection(one, type);
      sum.depth = Math.max(sum.depth, weight.depth);
      sum.aliases += weight.aliases;
      sum.rootFields += weight.rootFields;
      sum.fields += weight.fields;
      sum.introspection += weight.introspection;
      if (!this.leftOut(one)) sum.cost += weight.cost;
    }
    return sum;
  }

  private selection(node: SelectionNode, type: GraphQLNamedType): Weight {
    if (node.kind === Kind.FIELD) return this.field(node, type);
    if (node.kind === Kind.INLINE_FRAGMENT)
      return this.selections(node.selectionSet, this.typeNamed(node.typeCondition?.name.value) ?? type);
    const { selectionSet, typeCondition, name } = this.fragments.get(node.name.value)!;
    const weight =
      this.weighed.get(name.value) ?? this.selections(selectionSet, this.typeNamed(typeCondition.name.value)!);
    this.weighed.set(name.value, weight);
    return weight;
  }

  private field(node: FieldNode, parent: GraphQLNamedType): Weight {
    if ((node.alias?.value.length ?? 0) > limits.nameLength)
      throw refusal(`An alias is longer than ${limits.nameLength} characters.`);
    const own = { depth: 1, aliases: node.alias ? 1 : 0, rootFields: 1, fields: 1, cost: 0, introspection: 0 };
    const type = fieldType(node, parent);
    const named = type && getNamedType(type);
    if (!type || !node.selectionSet || !isCompositeType(named)) return own;
    const below = this.selections(node.selectionSet, named);
    const introspects = isIntrospectionType(named);
    const kinds = isAbstractType(named) ? this.schema.getPossibleTypes(named).length : 1;
    const objects = introspects ? below.introspection : below.cost;
    const all = this.objects(node, type, named, parent, objects);
    return {
      depth: own.depth + below.depth,
      aliases: own.aliases + below.aliases,
      rootFields: 1,
      fields: introspects ? 0 : own.fields + kinds * below.fields,
      cost: introspects ? 0 : all,
      introspection: introspects ? all : below.introspection,
    };
  }

  /** The size of a list stands at the field that has its arguments: at `notices`, not at the `nodes` below. */
  private objects(
    node: FieldNode,
    type: GraphQLOutputType,
    named: GraphQLNamedType,
    parent: GraphQLNamedType,
    below: number,
  ): number {
    if (isListObject(named)) return 1 + this.size(node, ['first', 'perPage'], 25) * below;
    const isList = isListType(isNonNullType(type) ? type.ofType : type);
    if (!isList || isListObject(parent)) return 1 + below;
    if (isIntrospectionType(named))
      return (node.name.value === 'types' ? Object.keys(this.schema.getTypeMap()).length : 10) * (1 + below);
    return this.size(node, ['first'], 100) * (1 + below);
  }

  /** 1 to 100; what is asked beyond is refused where it is read. */
  private size(node: FieldNode, names: string[], fallback: number): number {
    for (const name of names) {
      const value = node.arguments?.find(one => one.name.value === name)?.value;
      if (value?.kind === Kind.VARIABLE && !this.variables) return 100;
      const size: unknown = value && valueFromAST(value, GraphQLInt, this.variables);
      if (typeof size === 'number') return Math.min(Math.max(size, 1), 100);
    }
    return fallback;
  }

  private leftOut(node: SelectionNode): boolean {
    if (!this.variables || !node.directives?.length) return false;
    const skipped = getDirectiveValues(GraphQLSkipDirective, node, this.variables)?.if === true;
    return skipped || getDirectiveValues(GraphQLIncludeDirective, node, this.variables)?.if === false;
  }

  private typeNamed(name: string | undefined): GraphQLNamedType | undefined {
    return name === undefined ? undefined : this.schema.getType(name);
  }
}

/** A cut of a list, such as NoticeList: its own `nodes` and `edges` are as long as it is. */
const isListObject = (type: GraphQLNamedType): boolean =>
  isObjectType(type) && type.name.endsWith('List') && 'nodes' in type.getFields();

function fieldType(node: FieldNode, parent: GraphQLNamedType): GraphQLOutputType | undefined {
  const name = node.name.value;
  if (name === '__schema') return SchemaMetaFieldDef.type;
  if (name === '__type') return TypeMetaFieldDef.type;
  return isObjectType(parent) || isInterfaceType(parent) ? parent.getFields()[name]?.type : undefined;
}
