import {
  type FragmentDefinitionNode,
  type GraphQLInterfaceType,
  type GraphQLLeafType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  getNamedType,
  getNullableType,
  isEnumType,
  isInterfaceType,
  isLeafType,
  isListType,
  isNonNullType,
  Kind,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql';
import { isKeptAsInteger } from '../../records/integer-column.js';
import type { Operation } from '../../graphql/fast-path.js';
import { records } from './examples.js';
import { described, nullable, type Schema, type Schemas } from './schemas.js';

type Composite = GraphQLObjectType | GraphQLInterfaceType;

/** The answer of an operation: its selection, read with the types of the graph. */
export function answerSchema(operation: Operation, schemas: Schemas): Schema {
  const shapes = new Shapes(operation, schemas);
  const whole = shapes.of(operation.root, operation.operation.selectionSet);
  const { body } = whole.properties as Record<string, Schema>;
  return body ?? whole;
}

class Shapes {
  constructor(
    private readonly operation: Operation,
    private readonly schemas: Schemas,
  ) {}

  /** A fragment is a schema of its own, which the fields beside it add to. */
  of(type: Composite, { selections }: SelectionSetNode): Schema {
    const fragments = selections.filter(one => one.kind === Kind.FRAGMENT_SPREAD);
    const others = selections.filter(one => one.kind !== Kind.FRAGMENT_SPREAD);
    const parts = fragments.map(({ name }) => this.fragment(this.operation.fragments[name.value]!));
    if (others.length) parts.push(fragments.length ? this.record(type, others, '') : this.byKind(type, others));
    return parts.length === 1 ? parts[0]! : { allOf: parts };
  }

  private fragment({ name, typeCondition, selectionSet }: FragmentDefinitionNode): Schema {
    const type = this.operation.schema.getType(typeCondition.name.value) as Composite;
    return this.schemas.named(name.value.replace(/V1$/, ''), () => this.byKind(type, selectionSet.selections));
  }

  /** Of an interface each kind is a schema, where they differ; what only the others have says that it is not this one. */
  private byKind(type: Composite, selections: readonly SelectionNode[]): Schema {
    if (!isInterfaceType(type) || !selections.some(({ kind }) => kind === Kind.INLINE_FRAGMENT))
      return this.record(type, selections);
    const kinds = this.operation.schema.getPossibleTypes(type);
    const keysOf = (kind: GraphQLObjectType) => this.fields(kind, selections).map(({ key }) => key);
    const allKeys = new Set(kinds.flatMap(keysOf));
    const oneOf = kinds.map(kind =>
      this.schemas.named(kind.name, () => {
        const foreign = [...allKeys].filter(key => !keysOf(kind).includes(key));
        return {
          ...this.record(kind, selections),
          ...(foreign.length && { not: { anyOf: foreign.map(key => ({ required: [key] })) } }),
        };
      }),
    );
    return { ...described(type.description), oneOf };
  }

  private record(type: Composite, selections: readonly SelectionNode[], description = type.description): Schema {
    const fields = this.fields(type, selections);
    // What the root says, it says of the graph.
    const says = type === this.operation.root ? '' : description;
    const required = fields.filter(({ conditional }) => !conditional).map(({ key }) => key);
    return {
      type: 'object',
      ...described(says),
      ...(required.length && { required }),
      properties: Object.fromEntries(fields.map(({ key, schema }) => [key, schema])),
      ...(records[type.name] && { examples: [records[type.name]] }),
    };
  }

  /** In the order of the answer. */
  private fields(
    type: Composite,
    selections: readonly SelectionNode[],
  ): { key: string; conditional: boolean; schema: Schema }[] {
    return selections.flatMap(one => {
      if (one.kind === Kind.FRAGMENT_SPREAD)
        throw new Error(`The fragment ${one.name.value} stands where the description of /v1 cannot see it`);
      if (one.kind === Kind.INLINE_FRAGMENT)
        return one.typeCondition!.name.value === type.name ? this.fields(type, one.selectionSet.selections) : [];
      const field = type.getFields()[one.name.value]!;
      const conditional = one.directives!.some(({ name }) => name.value === 'include');
      return [{ key: (one.alias ?? one.name).value, conditional, schema: this.field(type, field, one.selectionSet) }];
    });
  }

  private field(
    owner: Composite,
    { name, type, description }: { name: string; type: GraphQLOutputType; description?: string | null },
    below?: SelectionSetNode,
  ): Schema {
    const named = getNamedType(type);
    // Of what leads to records only the first sentence holds here: the rest is advice on asking the graph.
    const says = described(below ? description?.split(/(?<=\.) /)[0] : description, named);
    return { ...this.value(owner, name, type, below), ...says };
  }

  private value(owner: Composite, name: string, type: GraphQLOutputType, below?: SelectionSetNode): Schema {
    const schema = this.present(owner, name, getNullableType(type) as GraphQLOutputType, below);
    return isNonNullType(type) || this.isPayload(owner) ? schema : nullable(schema);
  }

  /** Of a mutation and of what it answers with: null is there for what was refused, of which /v1 tells by a status. */
  private isPayload(type: Composite): boolean {
    const { operation, root } = this.operation;
    return (
      operation.operation === 'mutation' &&
      (type === root || Object.values(root.getFields()).some(field => getNamedType(field.type) === type))
    );
  }

  private present(owner: Composite, name: string, type: GraphQLOutputType, below?: SelectionSetNode): Schema {
    if (isListType(type)) return { type: 'array', items: this.value(owner, name, type.ofType, below) };
    const named = getNamedType(type);
    if (!isLeafType(named))
      return isFlat(below!)
        ? this.schemas.named(named.name, () => this.of(named as Composite, below!))
        : this.of(named as Composite, below!);
    if (named.name === 'ID')
      return { type: isKeptAsInteger(this.schemas.database, namesOf(owner), name) ? 'integer' : 'string' };
    return wordOfKind(owner, named) ?? this.schemas.leaf(named);
  }
}

/** Values alone, as a pagination is. */
const isFlat = ({ selections }: SelectionSetNode) =>
  selections.every(one => one.kind === Kind.FIELD && !one.selectionSet);

const namesOf = (type: Composite) => [type.name, ...type.getInterfaces().map(({ name }) => name)];

/** The word by which the kind of a record is known: of a PlannedNotice, which is a Notice, `planned` among the words of its type. */
function wordOfKind(kind: Composite, type: GraphQLLeafType): Schema | undefined {
  const words = isEnumType(type) ? type.getValues().map(({ value }) => value as string) : [];
  const word = words.find(one =>
    kind.getInterfaces().some(({ name }) => kind.name === `${one[0]!.toUpperCase()}${one.slice(1)}${name}`),
  );
  return word ? { type: 'string', const: word } : undefined;
}
