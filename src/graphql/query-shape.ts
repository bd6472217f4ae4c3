import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  getNamedType,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  isAbstractType,
  isCompositeType,
  isInterfaceType,
  isIntrospectionType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  SchemaMetaFieldDef,
  type SelectionNode,
  type SelectionSetNode,
  TypeMetaFieldDef,
  visit,
} from 'graphql';

/** The size of an operation. Fragments count at each spread; the sums are doubles, so explosions become Infinity. */
export interface QueryShape {
  depth: number;
  aliases: number;
  longestAlias: number;
  rootFields: number;
  /**
   * Fields to compile into statements: each counts once per type of record that can have it. Introspection does not
   * count.
   */
  fields: number;
  /** The field of an interface below which the most fields are; null without one. */
  widest: { path: string; fields: number } | null;
  hasIntrospection: boolean;
}

const empty: QueryShape = {
  depth: 0,
  aliases: 0,
  longestAlias: 0,
  rootFields: 0,
  fields: 0,
  widest: null,
  hasIntrospection: false,
};

/** Measures an operation with every branch of @include and @skip. Expects a validated document. */
export function measureShape(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
): QueryShape {
  const root = schema.getRootType(operation.operation)!;
  return new ShapeVisitor(schema, document).selections(operation.selectionSet, root, [root]);
}

type Widest = QueryShape['widest'];
const wider = (one: Widest, other: Widest): Widest => ((other?.fields ?? 0) > (one?.fields ?? 0) ? other : one);

class ShapeVisitor {
  private readonly fragments = new Map<string, FragmentDefinitionNode>();
  /**
   * By name and types. Each fragment is measured once for the types that it is spread on, which are few, so the work is
   * linear in the document however often it is spread.
   */
  private readonly measured = new Map<string, QueryShape>();

  constructor(
    private readonly schema: GraphQLSchema,
    document: DocumentNode,
  ) {
    for (const node of document.definitions)
      if (node.kind === Kind.FRAGMENT_DEFINITION) this.fragments.set(node.name.value, node);
  }

  /** `concreteTypes` are those of the records that the selections can apply to. */
  selections(
    { selections }: SelectionSetNode,
    type: GraphQLNamedType,
    concreteTypes: readonly GraphQLObjectType[],
  ): QueryShape {
    const sum = { ...empty };
    for (const node of selections) {
      const shape = this.selection(node, type, concreteTypes);
      sum.depth = Math.max(sum.depth, shape.depth);
      sum.longestAlias = Math.max(sum.longestAlias, shape.longestAlias);
      sum.aliases += shape.aliases;
      sum.rootFields += shape.rootFields;
      sum.fields += shape.fields;
      sum.widest = wider(sum.widest, shape.widest);
      sum.hasIntrospection ||= shape.hasIntrospection;
    }
    return sum;
  }

  private selection(
    node: SelectionNode,
    type: GraphQLNamedType,
    concreteTypes: readonly GraphQLObjectType[],
  ): QueryShape {
    if (node.kind === Kind.FIELD) return this.field(node, type, concreteTypes.length);
    if (node.kind === Kind.INLINE_FRAGMENT) {
      const condition = node.typeCondition && this.schema.getType(node.typeCondition.name.value)!;
      if (!condition) return this.selections(node.selectionSet, type, concreteTypes);
      return this.selections(node.selectionSet, condition, this.narrow(concreteTypes, condition));
    }
    const { selectionSet, typeCondition, name } = this.fragments.get(node.name.value)!;
    const condition = this.schema.getType(typeCondition.name.value)!;
    const narrowed = this.narrow(concreteTypes, condition);
    const key = `${name.value} ${narrowed.join(' ')}`;
    const shape = this.measured.get(key) ?? this.selections(selectionSet, condition, narrowed);
    this.measured.set(key, shape);
    return shape;
  }

  private field(node: FieldNode, parent: GraphQLNamedType, typeCount: number): QueryShape {
    const key = (node.alias ?? node.name).value;
    const longestAlias = node.alias?.value.length ?? 0;
    const aliases = node.alias ? 1 : 0;
    const type = fieldType(node, parent);
    const named = type && getNamedType(type);
    if (!node.selectionSet || !isCompositeType(named))
      return { ...empty, depth: 1, aliases, longestAlias, rootFields: 1, fields: typeCount };
    const below = this.selections(node.selectionSet, named, this.listTypes(named));
    const isIntrospection = isIntrospectionType(named);
    const fields = typeCount * (1 + below.fields);
    const ofField = isAbstractType(named) ? { path: key, fields } : null;
    const widest = below.widest && { path: `${key}.${below.widest.path}`, fields: typeCount * below.widest.fields };
    return {
      // Introspection has a budget of its own, and the query of graphql-js is deep.
      depth: isIntrospection ? 1 : 1 + below.depth,
      aliases: aliases + below.aliases,
      longestAlias: Math.max(longestAlias, below.longestAlias),
      rootFields: 1,
      fields: isIntrospection ? 0 : fields,
      widest: wider(widest, ofField),
      hasIntrospection: isIntrospection || below.hasIntrospection,
    };
  }

  private listTypes(type: GraphQLNamedType): readonly GraphQLObjectType[] {
    if (isAbstractType(type)) return this.schema.getPossibleTypes(type);
    return isObjectType(type) ? [type] : [];
  }

  private narrow(types: readonly GraphQLObjectType[], condition: GraphQLNamedType): readonly GraphQLObjectType[] {
    const ofCondition = this.listTypes(condition);
    return types.filter(type => ofCondition.includes(type));
  }
}

function fieldType(node: FieldNode, parent: GraphQLNamedType): GraphQLOutputType | undefined {
  const name = node.name.value;
  if (name === '__schema') return SchemaMetaFieldDef.type;
  if (name === '__type') return TypeMetaFieldDef.type;
  return isObjectType(parent) || isInterfaceType(parent) ? parent.getFields()[name]?.type : undefined;
}

/** Whether lists and objects are within each other deeper than a limit, beyond which it does not look. */
const isDeeper = (value: unknown, limit: number): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (limit === 0 || Object.values(value).some(member => isDeeper(member, limit - 1)));

/** The name of a variable that is nested deeper; undefined if none is. */
export const findDeepVariable = (variables: Record<string, unknown>, limit: number): string | undefined =>
  Object.keys(variables).find(name => isDeeper(variables[name], limit));

/** The name of a variable with a name in it that is longer; undefined if none has. */
export const findLongName = (variables: Record<string, unknown>, limit: number): string | undefined =>
  Object.keys(variables).find(name => hasLongName(variables[name], limit));

const hasLongName = (value: unknown, limit: number): boolean =>
  typeof value === 'object' &&
  value !== null &&
  ((!Array.isArray(value) && Object.keys(value).some(({ length }) => length > limit)) ||
    Object.values(value).some(member => hasLongName(member, limit)));

/** How often a document uses each of its variables. */
export function countVariableUses(document: DocumentNode): ReadonlyMap<string, number> {
  const uses = new Map<string, number>();
  visit(document, {
    [Kind.VARIABLE_DEFINITION]: () => false,
    [Kind.VARIABLE]: ({ name }) => void uses.set(name.value, (uses.get(name.value) ?? 0) + 1),
  });
  return uses;
}

/** Of all texts in a value, which is not too deep. */
export const countCharacters = (value: unknown): number =>
  typeof value === 'string'
    ? value.length
    : typeof value === 'object' && value !== null
      ? Object.values(value).reduce((sum: number, member) => sum + countCharacters(member), 0)
      : 0;

/** The argument with the deepest literal of a document. `visit` is not recursive, so any depth can be measured. */
export function findDeepestLiteral(document: DocumentNode): { argument: string; depth: number } {
  const deepest = { argument: '', depth: 0 };
  let argument = '';
  let depth = 0;
  const enter = () => {
    depth += 1;
    if (depth > deepest.depth) Object.assign(deepest, { argument, depth });
  };
  const leave = () => {
    depth -= 1;
  };
  visit(document, {
    [Kind.ARGUMENT]: ({ name }) => {
      argument = name.value;
    },
    [Kind.VARIABLE_DEFINITION]: ({ variable }) => {
      argument = variable.name.value;
    },
    [Kind.LIST]: { enter, leave },
    [Kind.OBJECT]: { enter, leave },
  });
  return deepest;
}
