import {
  type GraphQLEnumType,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  getNamedType,
  getNullableType,
  isEnumType,
  isListType,
  isNonNullType,
} from 'graphql';
import { type FieldProblems, validationMessages } from '../core/problems.js';
import { parseTimestamp } from '../core/timestamp.js';
import { isGraphqlOnly } from '../graphql/one-interface.js';
import { type Parameter, type Parameters, UploadedFile } from './request/parameters.js';
import { toWireName } from './wire-names.js';

/** The input of the operation, and the texts about values that could not be read, by GraphQL field. */
interface ReadInput {
  input: Record<string, unknown>;
  refused: FieldProblems;
}

type Result = { value: unknown } | { problem: string };
type ValueReader = (parameter: Parameter) => Result;

const value = (value: unknown): Result => ({ value });
const problem = (problem: string): Result => ({ problem });
const isBlank = (parameter: Parameter) =>
  parameter === null || (typeof parameter === 'string' && parameter.trim() === '');
const maxListLength = 1_000;

/** "Booleans are written true or false in lower case (older examples also pass 1)." */
export const booleanTexts: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
]);

/** Reads one value of a leaf type from a form, a query string or JSON. */
const leafReaders: Record<string, ValueReader> = {
  String: parameter =>
    typeof parameter === 'string'
      ? value(parameter)
      : typeof parameter === 'number'
        ? value(String(parameter))
        : problem(validationMessages.invalid),
  ID: parameter =>
    typeof parameter === 'string' || typeof parameter === 'number'
      ? value(String(parameter).trim())
      : problem(validationMessages.invalid),
  Boolean: parameter => {
    const boolean = typeof parameter === 'object' ? undefined : booleanTexts.get(String(parameter).trim());
    return boolean === undefined ? problem(validationMessages.notIncluded) : value(boolean);
  },
  Int: parameter => {
    if (typeof parameter !== 'number' && typeof parameter !== 'string') return problem(validationMessages.notANumber);
    const number =
      typeof parameter === 'number'
        ? parameter
        : /^\s*[+-]?\d+(\.\d+)?\s*$/.test(parameter)
          ? Number(parameter)
          : Number.NaN;
    if (Number.isNaN(number)) return problem(validationMessages.notANumber);
    if (!Number.isInteger(number)) return problem(validationMessages.notAnInteger);
    return number >= -(2 ** 31) && number < 2 ** 31 ? value(number) : problem(validationMessages.invalid);
  },
  Float: parameter => {
    const number = typeof parameter === 'string' && parameter.trim() ? Number(parameter) : parameter;
    return typeof number === 'number' && Number.isFinite(number)
      ? value(number)
      : problem(validationMessages.notANumber);
  },
  Timestamp: parameter => {
    const timestamp = typeof parameter === 'string' ? parseTimestamp(parameter) : null;
    return timestamp ? value(timestamp) : problem(validationMessages.invalid);
  },
  Bytes: parameter =>
    parameter instanceof UploadedFile ? value(parameter.bytes) : problem(validationMessages.invalid),
};

const enumReader = (type: GraphQLEnumType): ValueReader => {
  const values = new Set(type.getValues().map(one => one.value as unknown));
  return parameter => (values.has(parameter) ? value(parameter) : problem(validationMessages.notIncluded));
};

const listReader =
  (readMember: ValueReader): ValueReader =>
  parameter => {
    const members = Array.isArray(parameter) ? parameter : [parameter];
    if (members.length > maxListLength) return problem(`has more than ${maxListLength} members`);
    const results = members
      .filter(member => !isBlank(member))
      .map(member => (Array.isArray(member) ? problem(validationMessages.invalid) : readMember(member)));
    const failed = results.find(result => 'problem' in result);
    return failed ?? value(results.map(result => (result as { value: unknown }).value));
  };

/** The value of a required field that is absent or blank; the service then reports that it is blank. */
const emptyValues: Record<string, unknown> = { String: '', Float: Number.NaN, Bytes: Buffer.alloc(0) };

interface FieldReader {
  field: string;
  name: string;
  read: ValueReader;
  /** What a required field gets when it is absent or blank; undefined where the field is optional. */
  emptyValue: unknown;
}

/** "Data in matches data out": fields that a record shows under another name than it takes. */
const outputNames: Record<string, string> = { domain: 'from' };

/** The fields of an input type that /v1 takes: all that are not `@GraphqlOnly`. */
export const inputFields = (type: GraphQLInputObjectType) =>
  Object.values(type.getFields()).filter(field => !isGraphqlOnly(field));

interface InputReader {
  names: string[];
  takesFile: boolean;
  read(parameters: Parameters): ReadInput;
}

/** Creates a reader from the input type of an operation. */
export function createInputReader(type: GraphQLInputObjectType): InputReader {
  const fields = inputFields(type).map(field => createFieldReader(field.name, field.type));
  const read = (parameters: Parameters): ReadInput => {
    const input: Record<string, unknown> = {};
    const refused: FieldProblems = {};
    for (const { field, name, read, emptyValue } of fields) {
      const value = parameters[name] ?? parameters[outputNames[name] ?? name];
      if (value === undefined || isBlank(value)) {
        if (emptyValue !== undefined) input[field] = emptyValue;
        else if (value !== undefined) input[field] = null;
        continue;
      }
      const result = read(value);
      if ('value' in result) input[field] = result.value;
      else {
        refused[field] = [{ code: 'INVALID', messages: [result.problem], requirement: result.problem }];
        if (emptyValue !== undefined) input[field] = emptyValue;
      }
    }
    return { input, refused };
  };
  const takesFile = inputFields(type).some(field => getNamedType(field.type).name === 'Bytes');
  return { names: fields.map(({ name }) => name), takesFile, read };
}

function createFieldReader(field: string, type: GraphQLInputType): FieldReader {
  const named = getNamedType(type);
  const readValue = isEnumType(named) ? enumReader(named) : leafReaders[named.name];
  if (!readValue) throw new Error(`/v1 cannot read values of type ${named.name} (${field})`);
  const read = isListType(getNullableType(type)) ? listReader(readValue) : readValue;
  const emptyValue = isNonNullType(type) ? emptyValues[named.name] : undefined;
  return { field, name: toWireName(field), read, emptyValue };
}
