import {
  coerceInputValue,
  type GraphQLInputType,
  type GraphQLSchema,
  isInputObjectType,
  isLeafType,
  isListType,
  isNonNullType,
} from 'graphql';
import type { ClassType } from 'type-graphql';

/** Returns an input as JSON in the form in which clients send it: the opposite of `parseInputJson`. */
function toInputJson(type: GraphQLInputType, value: unknown): unknown {
  if (value === null || value === undefined) return value;
  if (isNonNullType(type)) return toInputJson(type.ofType, value);
  if (isListType(type)) return (value as unknown[]).map(item => toInputJson(type.ofType, item));
  if (isLeafType(type)) return type.serialize(value);
  if (!isInputObjectType(type)) throw new TypeError(`${type} is no input type.`);
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
