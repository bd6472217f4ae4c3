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
import { type FieldMessages, text } from '../core/errors.js';
import { parseTimestamp } from '../core/timestamp.js';
import { snakeCase } from '../core/snake-case.js';
import { type Parameter, type Parameters, UploadedFile } from './request/parameters.js';

/** The values sent, as the input that the operation takes, and what could not be read, by field of the graph. */
export interface ReadInput {
  input: Record<string, unknown>;
  refused: FieldMessages;
}

type Result = { value: unknown } | { problem: string };
type Read = (given: Parameter) => Result;

const value = (value: unknown): Result => ({ value });
const problem = (problem: string): Result => ({ problem });
const blank = (given: Parameter) => given === null || (typeof given === 'string' && given.trim() === '');
const longestList = 1_000;

/** "Booleans are written true or false in lower case (older examples also pass 1)." */
export const booleans: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
]);

/** How a single value of a leaf type is read from what a form, a query string or JSON holds. */
const leaves: Record<string, Read> = {
  String: given =>
    typeof given === 'string' ? value(given) : typeof given === 'number' ? value(String(given)) : problem(text.invalid),
  ID: given =>
    typeof given === 'string' || typeof given === 'number' ? value(String(given).trim()) : problem(text.invalid),
  Boolean: given => {
    const word = typeof given === 'object' ? undefined : booleans.get(String(given).trim());
    return word === undefined ? problem(text.notIncluded) : value(word);
  },
  Int: given => {
    if (typeof given !== 'number' && typeof given !== 'string') return problem(text.notANumber);
    const number =
      typeof given === 'number' ? given : /^\s*[+-]?\d+(\.\d+)?\s*$/.test(given) ? Number(given) : Number.NaN;
    if (Number.isNaN(number)) return problem(text.notANumber);
    if (!Number.isInteger(number)) return problem(text.notAnInteger);
    return number >= -(2 ** 31) && number < 2 ** 31 ? value(number) : problem(text.invalid);
  },
  Timestamp: given => {
    const moment = typeof given === 'string' ? parseTimestamp(given) : null;
    return moment ? value(moment) : problem(text.invalid);
  },
  Bytes: given => (given instanceof UploadedFile ? value(given.bytes) : problem(text.invalid)),
};

const enumeration = (type: GraphQLEnumType): Read => {
  const words = new Set(type.getValues().map(one => one.value as unknown));
  return given => (words.has(given) ? value(given) : problem(text.notIncluded));
};

const list =
  (member: Read): Read =>
  given => {
    const members = Array.isArray(given) ? given : [given];
    if (members.length > longestList) return problem(`has more than ${longestList} members`);
    const read = members
      .filter(one => !blank(one))
      .map(one => (Array.isArray(one) ? problem(text.invalid) : member(one)));
    const wrong = read.find(one => 'problem' in one);
    return wrong ?? value(read.map(one => (one as { value: unknown }).value));
  };

/** What stands for an absent or blank value of a required field: the service says that it is blank. */
const nothing: Record<string, unknown> = { String: '', Bytes: Buffer.alloc(0) };

interface FieldReader {
  field: string;
  name: string;
  read: Read;
  required: unknown;
}

/** "Data in matches data out": the name by which a record shows what it is given by another. */
const shownAs: Record<string, string> = { domain: 'from' };

/** What the interface document does not know: in /v1 it is a parameter like any other unknown one, never an error and never written. */
const ofTheGraphAlone = new Set(['reminder', 'kinds']);

/** The fields of an input that /v1 takes: adding one to the type is adding it to /v1. */
export const inputFields = (type: GraphQLInputObjectType) =>
  Object.values(type.getFields()).filter(({ name }) => !ofTheGraphAlone.has(name));

interface InputReader {
  names: string[];
  takesFile: boolean;
  read(parameters: Parameters): ReadInput;
}

/** A reader made once from the input type of an operation. */
export function inputReader(type: GraphQLInputObjectType): InputReader {
  const fields = inputFields(type).map(field => fieldReader(field.name, field.type));
  const read = (parameters: Parameters): ReadInput => {
    const input: Record<string, unknown> = {};
    const refused: FieldMessages = {};
    for (const { field, name, read, required } of fields) {
      const given = parameters[name] ?? parameters[shownAs[name] ?? name];
      if (given === undefined || blank(given)) {
        if (required !== undefined) input[field] = required;
        else if (given !== undefined) input[field] = null;
        continue;
      }
      const result = read(given);
      if ('value' in result) input[field] = result.value;
      else {
        refused[field] = [result.problem];
        if (required !== undefined) input[field] = required;
      }
    }
    return { input, refused };
  };
  const takesFile = inputFields(type).some(field => getNamedType(field.type).name === 'Bytes');
  return { names: fields.map(({ name }) => name), takesFile, read };
}

function fieldReader(field: string, type: GraphQLInputType): FieldReader {
  const named = getNamedType(type);
  const member = isEnumType(named) ? enumeration(named) : leaves[named.name];
  if (!member) throw new Error(`/v1 cannot read a ${named.name} (${field})`);
  const read = isListType(getNullableType(type)) ? list(member) : member;
  return { field, name: snakeCase(field), read, required: isNonNullType(type) ? nothing[named.name] : undefined };
}
