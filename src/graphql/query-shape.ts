import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  getNamedType,
  type GraphQLNamedType,
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
  /** Fields to compile into statements: a field of an interface counts once per type. Introspection does not count. */
  fields: number;
  hasIntrospection: boolean;
}

/** Measures an operation with every branch of @include and @skip. Expects a validated document. */
export function measureShape(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
): QueryShape {
  return new ShapeVisitor(schema, document).selections(
    operation.selectionSet,
    schema.getRootType(operation.operation)!,
  );
}

class ShapeVisitor {
  private readonly fragments = new Map<string, FragmentDefinitionNode>();
  /** Each fragment is measured once, so the work is linear in the document however often it is spread. */
  private readonly measured = new Map<string, QueryShape>();

  constructor(
    private readonly schema: GraphQLSchema,
    document: DocumentNode,
  ) {
    for (const node of document.definitions)
      if (node.kind === Kind.FRAGMENT_DEFINITION) this.fragments.set(node.name.value, node);
  }

  selections({ selections }: SelectionSetNode, type: GraphQLNamedType): QueryShape {
    const sum: QueryShape = {
      depth: 0,
      aliases: 0,
      longestAlias: 0,
      rootFields: 0,
      fields: 0,
      hasIntrospection: false,
    };
    for (const node of selections) {
      const shape = this.selection(node, type);
      sum.depth = Math.max(sum.depth, shape.depth);
      sum.longestAlias = Math.max(sum.longestAlias, shape.longestAlias);
      sum.aliases += shape.aliases;
      sum.rootFields += shape.rootFields;
      sum.fields += shape.fields;
      sum.hasIntrospection ||= shape.hasIntrospection;
    }
    return sum;
  }

  private selection(node: SelectionNode, type: GraphQLNamedType): QueryShape {
    if (node.kind === Kind.FIELD) return this.field(node, type);
    if (node.kind === Kind.INLINE_FRAGMENT)
      return this.selections(node.selectionSet, this.findType(node.typeCondition?.name.value) ?? type);
    const { selectionSet, typeCondition, name } = this.fragments.get(node.name.value)!;
    const shape =
      this.measured.get(name.value) ?? this.selections(selectionSet, this.findType(typeCondition.name.value)!);
    this.measured.set(name.value, shape);
    return shape;
  }

  private field(node: FieldNode, parent: GraphQLNamedType): QueryShape {
    const longestAlias = node.alias?.value.length ?? 0;
    const aliases = node.alias ? 1 : 0;
    const type = fieldType(node, parent);
    const named = type && getNamedType(type);
    if (!node.selectionSet || !isCompositeType(named))
      return { depth: 1, aliases, longestAlias, rootFields: 1, fields: 1, hasIntrospection: false };
    const below = this.selections(node.selectionSet, named);
    const isIntrospection = isIntrospectionType(named);
    const typeCount = isAbstractType(named) ? this.schema.getPossibleTypes(named).length : 1;
    return {
      // Introspection has a budget of its own, and the query of graphql-js is deep.
      depth: isIntrospection ? 1 : 1 + below.depth,
      aliases: aliases + below.aliases,
      longestAlias: Math.max(longestAlias, below.longestAlias),
      rootFields: 1,
      fields: isIntrospection ? 0 : 1 + typeCount * below.fields,
      hasIntrospection: isIntrospection || below.hasIntrospection,
    };
  }

  private findType(name: string | undefined): GraphQLNamedType | undefined {
    return name === undefined ? undefined : this.schema.getType(name);
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

/**
 * The argument of the document with the deepest literal. `visit` does not call itself, so any depth can be measured.
 */
export function findDeepestLiteral(document: DocumentNode): { argument: string; depth: number } {
  const deepest = { argument: '', depth: 0 };
  let [argument, depth] = ['', 0];
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
