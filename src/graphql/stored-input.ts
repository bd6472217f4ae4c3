import {
  coerceInputValue,
  type GraphQLEnumType,
  type GraphQLFieldConfig,
  type GraphQLInputField,
  type GraphQLInputType,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  GraphQLString,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql';
import { type ClassType, Extensions, Field } from 'type-graphql';
import { Json } from '../core/scalars.js';
import type { RecordClass } from '../records/record-path.js';
import { TypicalSize } from './connection-field.js';
import { createFieldResolver, ResolvedFrom } from './entity-field-decorators.js';

/** How many elements a stored list typically has. */
const typicalListSize = 3;

interface StoredInput {
  input: () => ClassType;
  isList?: boolean;
  /** The records whose ids an input has: `component` of `componentId` and `componentIds`. */
  records?: Record<string, () => RecordClass>;
  /**
   * Whether the input can be incomplete, as that of a draft: no field is required, and `cleared` names those that are
   * null on purpose.
   */
  isDraft?: boolean;
}

/**
 * Declares a property that stores an input as JSON. Its output type is that of the input, field by field, so that what
 * a client writes is what it reads. `AlertRuleInput` is read as `AlertRule`, and in a draft as `AlertRuleDraft`.
 */
export const StoredInputField =
  (input: () => ClassType, options: Omit<StoredInput, 'input'> & { description: string; nullable?: boolean }) =>
  (target: object, name: string): void => {
    const { description, nullable = false, ...others } = options;
    Field(() => (others.isList ? [Json] : Json), { description, nullable })(target, name);
    if (others.isList) TypicalSize(typicalListSize)(target, name);
    ResolvedFrom(name)(target, name);
    Extensions({ storedInput: { input, ...others } satisfies StoredInput })(target, name);
  };

/** Gives these fields the output types of their inputs. */
export function typeStoredInputs(built: GraphQLSchema): void {
  const outputs = new Map<string, GraphQLObjectType>();
  for (const type of Object.values(built.getTypeMap())) {
    if (!isObjectType(type) && !isInterfaceType(type)) continue;
    for (const field of Object.values(type.getFields())) {
      const stored = field.extensions.storedInput as StoredInput | undefined;
      if (!stored) continue;
      const input = built.getType(stored.input().name) as GraphQLInputType;
      const output = new OutputTypes(built, stored, outputs).convert(input);
      field.type = replaceNamedType(field.type, getNamedType(output) as GraphQLObjectType);
    }
  }
}

function replaceNamedType(type: GraphQLOutputType, named: GraphQLObjectType): GraphQLOutputType {
  if (isNonNullType(type)) return new GraphQLNonNull(replaceNamedType(type.ofType, named) as GraphQLObjectType);
  if (isListType(type)) return new GraphQLList(replaceNamedType(type.ofType, named));
  return named;
}

type Source = Record<string, unknown>;
type FieldConfig = GraphQLFieldConfig<Source, unknown>;

/** The output types of one stored input. Scalars and enums are the same in both. */
class OutputTypes {
  constructor(
    private readonly built: GraphQLSchema,
    private readonly stored: StoredInput,
    private readonly outputs: Map<string, GraphQLObjectType>,
  ) {}

  convert(type: GraphQLInputType): GraphQLOutputType {
    if (isNonNullType(type)) return new GraphQLNonNull(this.convert(type.ofType) as GraphQLObjectType);
    if (isListType(type)) return new GraphQLList(this.convert(type.ofType));
    if (!isInputObjectType(type)) return type;
    const name = type.name.replace(/Input$/, this.stored.isDraft ? 'Draft' : '');
    const output =
      this.outputs.get(name) ??
      new GraphQLObjectType({
        name,
        description: type.description,
        fields: () => ({
          ...Object.assign({}, ...Object.values(type.getFields()).map(field => this.toFields(field))),
          ...(this.stored.isDraft && !type.isOneOf && { cleared }),
        }),
      });
    this.outputs.set(name, output);
    return output;
  }

  /** The field of an input and, beside ids, the records. */
  private toFields({ name, type, description }: GraphQLInputField): Record<string, FieldConfig> {
    const { isDraft, records = {} } = this.stored;
    const output = this.convert(isDraft ? getNullableType(type) : type);
    const isList = isListType(getNullableType(type));
    const extensions = isList ? { typicalSize: typicalListSize } : {};
    const fields: Record<string, FieldConfig> = {
      [name]: {
        type: output,
        description: isNonNullType(output) ? description : sayNull(description ?? ''),
        extensions,
        resolve: source => parseEnum(output, source[name] ?? null),
      },
    };
    const [, singular, plural] = /^(.+)Id(s?)$/.exec(name) ?? [];
    const record = singular && records[singular];
    if (!record) return fields;
    const recordType = this.built.getType(record().name) as GraphQLObjectType;
    fields[`${singular}${plural}`] = {
      type: isList ? new GraphQLList(new GraphQLNonNull(recordType)) : recordType,
      description: isList
        ? 'The components with these ids, without deleted ones. Null: no ids are given. Costs one more statement.'
        : 'The record with this id. Null: no id is given, or the record is deleted. Costs one more statement.',
      extensions,
      resolve: createFieldResolver({ reference: { record, from: name } }),
    };
    return fields;
  }
}

const sayNull = (description: string): string =>
  /\bnull\b/i.test(description) ? description : `${description} Null: it is not given.`;

/** JSON has the names of enum values. */
function parseEnum(type: GraphQLOutputType, value: unknown): unknown {
  const named = getNamedType(type);
  if (value === null || !isEnumType(named)) return value;
  return Array.isArray(value) ? value.map(one => parseEnumValue(named, one)) : parseEnumValue(named, value);
}

const parseEnumValue = (type: GraphQLEnumType, value: unknown): unknown => type.getValue(String(value))?.value ?? null;

const cleared: FieldConfig = {
  type: new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(GraphQLString))),
  description:
    'The names of the fields that the draft sets to null. A field that is null and not named here is not part of it.',
  resolve: source => Object.keys(source).filter(name => source[name] === null),
};

/** Returns an input as JSON in the form in which clients send it: the opposite of `parseInputJson`. */
function toInputJson(type: GraphQLInputType, value: unknown): unknown {
  if (value === null || value === undefined) return value;
  if (isNonNullType(type)) return toInputJson(type.ofType, value);
  if (isListType(type)) return (value as unknown[]).map(item => toInputJson(type.ofType, item));
  if (isLeafType(type)) return type.serialize(value);
  if (!isInputObjectType(type)) throw new TypeError(`${type} is not an input type.`);
  const values = value as Record<string, unknown>;
  return Object.fromEntries(
    Object.values(type.getFields())
      .filter(({ name }) => values[name] !== undefined)
      .map(({ name, type: field }) => [name, toInputJson(field, values[name])]),
  );
}

/** Returns the values of an input that is stored as JSON. Throws if it does not fit the type. */
const parseInputJson = (type: GraphQLInputType, json: unknown): unknown => coerceInputValue(json, type);

/** How inputs of one type are stored. */
export interface JsonFormat<Input> {
  toJson(input: Input): Record<string, unknown>;
  parse(json: unknown): Input;
}

export function createJsonFormat<Input>(schema: GraphQLSchema, input: ClassType<object & Input>): JsonFormat<Input> {
  const type = schema.getType(input.name) as GraphQLInputType;
  return {
    toJson: value => toInputJson(type, value) as Record<string, unknown>,
    parse: json => parseInputJson(type, json) as Input,
  };
}
