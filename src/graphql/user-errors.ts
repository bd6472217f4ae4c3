import 'reflect-metadata';
import {
  defaultFieldResolver,
  type GraphQLField,
  type GraphQLInputType,
  GraphQLList,
  GraphQLNonNull,
  type GraphQLObjectType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
} from 'graphql';
import { Field, ObjectType } from 'type-graphql';
import { Refusal } from '../core/errors.js';
import {
  describeProblem,
  listKeys,
  type FieldProblems,
  type ProblemCode,
  problemCodes,
  showValue,
} from '../core/problems.js';
import { collectSubfields } from '../records/collect-fields.js';
import type { Context } from './context.js';
import { registerEnum } from './enum.js';

const UserErrorCode = registerEnum('UserErrorCode', problemCodes, 'Why a value was refused.', name => name);

@ObjectType({ description: 'Why the value of an argument was refused. Nothing was written.' })
export class UserError {
  @Field(() => [String], {
    description: 'Where the value is in the arguments: `["input", "componentIds", "1"]` is the second of the ids.',
  })
  path!: string[];

  @Field(() => UserErrorCode as never, { description: 'The reason.' })
  code!: ProblemCode;

  @Field(() => String, { description: 'A sentence that names the value and what is allowed.' })
  message!: string;
}

/** In place of a payload, where the input was refused: all its fields but `userErrors` are null. */
class RefusedInput {
  constructor(readonly userErrors: UserError[]) {}
}

/** Problems of an input that the document does not select: an error in their place, so that none goes unnoticed. */
export class UnseenUserErrors extends Refusal {
  constructor(readonly userErrors: UserError[]) {
    super('INVALID', userErrors.map(({ message }) => message).join(' '), { path: userErrors[0]!.path });
  }
}

type RootField = GraphQLField<unknown, Context>;
type Arguments = Record<string, unknown>;

/** The mark of a query that refuses its input as mutations do. */
export const checksInput = { checksInput: true };

/**
 * Lets the root fields say which argument was refused. Mutations return the problems of their input in `userErrors` of
 * the payload, if it is selected; other refusals are errors whose `extensions.path` names the argument.
 */
export function addUserErrors(schema: GraphQLSchema): void {
  const userError = schema.getType(UserError.name) as GraphQLObjectType;
  const payloads = new Set<GraphQLObjectType>();
  for (const root of [schema.getQueryType()!, schema.getMutationType()!])
    for (const field of Object.values(root.getFields()) as RootField[]) {
      const hasPayload = root === schema.getMutationType() || field.extensions.checksInput === true;
      field.resolve = nameArguments(field, hasPayload);
      if (hasPayload) payloads.add(getNamedType(field.type) as GraphQLObjectType);
    }
  for (const payload of payloads) completePayload(payload, userError);
}

function nameArguments(field: RootField, hasPayload: boolean): RootField['resolve'] {
  const resolve = field.resolve!;
  return async (source, args: Arguments, context, info) => {
    try {
      return await resolve(source, args, context, info);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const { fields } = error.details;
      if (!fields || !hasPayload) throw locate(error, field, args);
      const userErrors = toUserErrors(field, args, fields);
      if (selectsUserErrors(info)) return new RefusedInput(userErrors);
      throw new UnseenUserErrors(userErrors);
    }
  };
}

function selectsUserErrors({ schema, fragments, variableValues, returnType, fieldNodes }: GraphQLResolveInfo): boolean {
  const payload = getNamedType(returnType) as GraphQLObjectType;
  const selected = collectSubfields(schema, fragments, variableValues, payload, fieldNodes);
  return [...selected.values()].some(nodes => nodes[0]!.name.value === 'userErrors');
}

/** Adds `userErrors` to a payload, and makes its other fields null where the input was refused. */
function completePayload(payload: GraphQLObjectType, userError: GraphQLObjectType): void {
  const fields = payload.getFields();
  for (const field of Object.values(fields)) {
    const resolve = field.resolve ?? defaultFieldResolver;
    field.type = getNullableType(field.type);
    field.resolve = (source: unknown, args: Arguments, context: Context, info: GraphQLResolveInfo) =>
      source instanceof RefusedInput ? null : resolve(source, args, context, info);
  }
  fields.userErrors = {
    name: 'userErrors',
    description:
      'What was refused of the input, the first 100 values; then the other fields are null, and nothing was ' +
      'written. Where it is not selected, a refusal is an error of code INVALID.',
    type: new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(userError))),
    args: [],
    resolve: (source: unknown) => (source instanceof RefusedInput ? source.userErrors : []),
    deprecationReason: undefined,
    extensions: {},
    astNode: undefined,
  };
}

/** Of an input, which can have thousands of wrong values; a request has twenty of them. */
const maxUserErrors = 100;

function toUserErrors(field: RootField, args: Arguments, fields: FieldProblems): UserError[] {
  const found = Object.entries(fields).flatMap(([name, problems]) => problems.map(problem => ({ name, problem })));
  return found.slice(0, maxUserErrors).map(({ name, problem }) => {
    const path = [...toArgumentPath(field, name, args), ...listKeys(problem)];
    const value = readValue(args, path);
    const names = enumNames(findType(field, path));
    const toName = (internal: string) => names.get(internal) ?? internal;
    const described = { ...problem, allowed: problem.allowed?.map(toName) };
    return {
      path,
      code: problem.code,
      message: describeProblem(nameField(path), names.get(value) ?? showValue(value), described),
    };
  });
}

/** Undefined for a stored input, which is not in the arguments. */
const readValue = (from: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>((parent, key) => (parent as Arguments | null | undefined)?.[key], from);

/** The last name, or from the list on in which it is: `endsAt`, `windows.1.endsAt`. */
function nameField(path: readonly string[]): string {
  const list = path.findIndex((key, position) => key !== 'input' && isIndex(path[position + 1]));
  return path.slice(list < 0 ? -1 : list).join('.');
}

const isIndex = (key: string | undefined): boolean => key !== undefined && /^\d+$/.test(key);

const findArgument = ({ args }: RootField, name: string): GraphQLInputType | undefined =>
  args.find(argument => argument.name === name)?.type;

/**
 * The path of a field of the domain: it is a field of the input, or of a given one in it, or an argument of its own.
 * The name of one in a list has the index: `rules.1.templateId`, or `1.subject` where the input is a list.
 */
function toArgumentPath(field: RootField, name: string, args: Arguments): string[] {
  const keys = name.split('.');
  const path = findInInput(findArgument(field, 'input'), keys, args.input);
  return path ? ['input', ...path] : keys;
}

function findInInput(inputType: GraphQLInputType | undefined, keys: string[], value: unknown): string[] | null {
  const type = inputType && getNamedType(inputType);
  const [first, ...rest] = keys;
  if (first === undefined) return null;
  if (Array.isArray(value)) {
    const path = findInInput(type, rest, value[Number(first)]);
    return path && [first, ...path];
  }
  if (!isInputObjectType(type) || typeof value !== 'object' || value === null) return null;
  const fields = type.getFields();
  if (first in fields) return keys;
  for (const [key, member] of Object.entries(value)) {
    const path = findInInput(fields[key]?.type, keys, member);
    if (path) return [key, ...path];
  }
  return null;
}

function findType(field: RootField, [first, ...rest]: string[]): GraphQLInputType | undefined {
  let type = findArgument(field, first!);
  for (const key of rest) {
    const parent = type && getNullableType(type);
    if (isListType(parent)) type = parent.ofType;
    else type = isInputObjectType(parent) ? parent.getFields()[key]?.type : undefined;
  }
  return type;
}

/** How clients write the values of an enum. Empty for other types. */
function enumNames(type: GraphQLInputType | undefined): ReadonlyMap<unknown, string> {
  const named = type && getNamedType(type);
  return new Map(isEnumType(named) ? named.getValues().map(({ name, value }) => [value as unknown, name]) : []);
}

/** Completes a refusal with the argument that it is about, unless it has one. */
function locate(refusal: Refusal, field: RootField, args: Arguments): Refusal {
  const { code, message, details } = refusal;
  const path = details.path
    ? [...toArgumentPath(field, details.path[0]!, args), ...details.path.slice(1)]
    : details.record && findIdArgument(field, details.record);
  return path ? new Refusal(code, message, { ...details, path }) : refusal;
}

/** The argument with the id of a record: `noticeId` for a notice, or `id`, or the page that it is the only one of. */
function findIdArgument(field: RootField, record: string): string[] | undefined {
  const ownName = `${record.replace(/ (\w)/g, (_, letter: string) => letter.toUpperCase())}Id`;
  const name = [ownName, 'id', 'pageId'].find(argument => findArgument(field, argument));
  return name === undefined ? undefined : [name];
}
