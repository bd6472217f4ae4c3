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
import type { PreparedOperation } from '../../graphql/fast-path.js';
import { hasOptionalPaging } from '../operation.js';
import { exampleRecords } from './examples.js';
import { createExample } from './response-examples.js';
import { descriptionFields, nullable, type Schema, type Schemas } from './schemas.js';

type Composite = GraphQLObjectType | GraphQLInterfaceType;

interface ResponseField {
  key: string;
  name: string;
  isConditional: boolean;
  schema: Schema;
}

/** Describes the response of an operation: its selection, with the types of the GraphQL schema. */
export function describeResponse(operation: PreparedOperation, schemas: Schemas): Schema {
  const builder = new SelectionSchemas(operation, schemas);
  const schema = builder.of(operation.root, operation.operation.selectionSet);
  const { body } = schema.properties as Record<string, Schema>;
  return body ?? schema;
}

class SelectionSchemas {
  constructor(
    private readonly operation: PreparedOperation,
    private readonly schemas: Schemas,
  ) {}

  /** A fragment is a named schema; the fields beside it are added with allOf. */
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

  /** An interface whose types differ is oneOf a schema for each type; `not` excludes the keys of the other types. */
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
    return { ...descriptionFields(type.description), oneOf };
  }

  private record(type: Composite, selections: readonly SelectionNode[], description = type.description): Schema {
    const fields = this.fields(type, selections);
    // The description of the root type is about GraphQL.
    const text = type === this.operation.root ? '' : description;
    const required = fields.filter(({ isConditional }) => !isConditional);
    return {
      type: 'object',
      ...descriptionFields(text),
      ...(required.length && { required: required.map(({ key }) => key) }),
      properties: Object.fromEntries(fields.map(({ key, schema }) => [key, schema])),
      ...this.examples(type, required),
    };
  }

  /** A field without a value in examples.ts has the default of its column, or a value that fits its schema. */
  private examples(type: Composite, fields: ResponseField[]): Schema {
    if (!fields.length || !(exampleRecords[type.name] || this.schemas.isEntity(namesOf(type)))) return {};
    const derived = fields.map(({ key, name, schema }) => [
      key,
      this.schemas.columnDefault(namesOf(type), name) ?? createExample(schema, this.schemas.all),
    ]);
    return { examples: [{ ...Object.fromEntries(derived), ...exampleRecords[type.name] }] };
  }

  /** The fields in the order of the response. */
  private fields(type: Composite, selections: readonly SelectionNode[]): ResponseField[] {
    return selections.flatMap(node => {
      if (node.kind === Kind.FRAGMENT_SPREAD)
        throw new Error(`The OpenAPI document cannot describe the fragment ${node.name.value} at this place`);
      if (node.kind === Kind.INLINE_FRAGMENT)
        return node.typeCondition!.name.value === type.name ? this.fields(type, node.selectionSet.selections) : [];
      const field = type.getFields()[node.name.value]!;
      const isConditional =
        this.isOptional(field.name) || node.directives!.some(({ name }) => name.value === 'include');
      const schema = this.field(type, field, node.selectionSet);
      return [{ key: (node.alias ?? node.name).value, name: field.name, isConditional, schema }];
    });
  }

  /** A list with optional paging has `pagination` only on request, or where it is truncated. */
  private isOptional(name: string): boolean {
    return name === 'pagination' && hasOptionalPaging(this.operation.operation);
  }

  private field(
    owner: Composite,
    { name, type, description }: { name: string; type: GraphQLOutputType; description?: string | null },
    below?: SelectionSetNode,
  ): Schema {
    const named = getNamedType(type);
    // Where a field leads to records, only the first sentence applies to /v1; the rest is about GraphQL arguments.
    const text = descriptionFields(below ? description?.split(/(?<=\.) /)[0] : description, named);
    return { ...this.value(owner, name, type, below), ...text };
  }

  private value(owner: Composite, name: string, type: GraphQLOutputType, below?: SelectionSetNode): Schema {
    const schema = this.present(owner, name, getNullableType(type) as GraphQLOutputType, below);
    return isNonNullType(type) || this.isRefusable(owner) ? schema : nullable(schema);
  }

  /** At the root and in the payload of a mutation null means refused, for which /v1 has a status. */
  private isRefusable(type: Composite): boolean {
    const { operation, root } = this.operation;
    const isPayload = Object.values(root.getFields()).some(field => getNamedType(field.type) === type);
    return type === root || (operation.operation === 'mutation' && isPayload);
  }

  private present(owner: Composite, name: string, type: GraphQLOutputType, below?: SelectionSetNode): Schema {
    if (isListType(type)) return { type: 'array', items: this.value(owner, name, type.ofType, below) };
    const named = getNamedType(type);
    if (!isLeafType(named))
      return isFlat(below!)
        ? this.schemas.named(named.name, () => this.of(named as Composite, below!))
        : this.of(named as Composite, below!);
    if (named.name === 'ID') return { type: this.schemas.idType(namesOf(owner), name) };
    return kindValue(owner, named) ?? this.schemas.leaf(named);
  }
}

/** Whether a selection has only leaf values, as `pagination` does. */
const isFlat = ({ selections }: SelectionSetNode) =>
  selections.every(node => node.kind === Kind.FIELD && !node.selectionSet);

const namesOf = (type: Composite) => [type.name, ...type.getInterfaces().map(({ name }) => name)];

/** The enum value that names the type of a record: `planned` for a PlannedNotice, which implements Notice. */
function kindValue(kind: Composite, type: GraphQLLeafType): Schema | undefined {
  const values = isEnumType(type) ? type.getValues().map(({ value }) => value as string) : [];
  const kindName = values.find(value =>
    kind.getInterfaces().some(({ name }) => kind.name === `${value[0]!.toUpperCase()}${value.slice(1)}${name}`),
  );
  return kindName ? { type: 'string', const: kindName } : undefined;
}
