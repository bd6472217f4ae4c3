import {
  type GraphQLField,
  type GraphQLInputObjectType,
  type GraphQLSchema,
  isInputObjectType,
  Kind,
  type OperationDefinitionNode,
  parse,
  type TypeNode,
  typeFromAST,
  validate,
} from 'graphql';
import { badRequest } from '../core/errors.js';
import type { FieldProblems } from '../core/problems.js';
import { type Access, findAccess } from '../auth/access.js';
import type { Priority } from '../http/admission/request-classes.js';
import { type PreparedOperation, prepareOperation } from '../graphql/fast-path.js';
import { createFilterReader } from './filter.js';
import { createInputReader } from './input.js';
import type { Parameter, Parameters } from './request/parameters.js';
import { isList, type Route } from './v1/route.js';

/** A route prepared at start: its operation validated against the schema, and a reader for each of its variables. */
export interface PreparedRoute {
  route: Route;
  operation: PreparedOperation;
  /** What it requires of the caller; checked before the request is read any further. */
  access: Access;
  isWrite: boolean;
  /** Whether it is refused early or late under overload. */
  priority: Priority;
  /** Whether there are routes of single records below this path. */
  hasItems: boolean;
  /** The names that `include` accepts here, nested ones with a dot. */
  includes: string[];
  filters: Record<string, ReturnType<typeof createFilterReader>>;
  input?: { type: GraphQLInputObjectType; names: string[] };
  takesFile: boolean;
  variables: (request: RouteRequest) => { variables: Record<string, unknown>; refused: FieldProblems };
}

interface RouteRequest {
  path: Record<string, string>;
  parameters: Parameters;
  /** From If-Match; undefined accepts any version. */
  versions?: number[];
}

/** Reads the value of one variable. `variables` holds the include flags, which are set first. */
type VariableReader = (request: RouteRequest, variables: Record<string, unknown>) => unknown;

export function prepareRoute(schema: GraphQLSchema, route: Route, routes: readonly Route[]): PreparedRoute {
  const { document, definition } = parseOperation(schema, route);
  const types = typesOfVariables(schema, definition);
  const names = [...types.keys()];
  const flags = names.filter(name => name.startsWith('include_'));
  const includes = flags.map(name => name.slice('include_'.length).replaceAll('__', '.'));
  const filters = Object.fromEntries(
    names
      .filter(name => name === 'filter' || name.startsWith('filter_'))
      .map(name => [name, createFilterReader(types.get(name)!)]),
  );
  const inputType = types.get('input');
  const input = inputType && createInputReader(inputType);
  const readers = createReaders(definition, types, filters);
  const readPaging = names.includes('per_page') ? pagingReader(hasOptionalPaging(definition)) : undefined;
  const operation = prepareOperation(schema, document, definition);
  const rootField = operation.root.getFields()[getRootName(definition)]!;
  const isWrite = definition.operation === 'mutation';
  const [, path, , access = findAccess(rootField)!, readParameters = (parameters: Parameters) => parameters] = route;

  return {
    route,
    operation,
    access,
    isWrite,
    priority: prioritize(route, isWrite, rootField),
    hasItems: routes.some(([, other]) => other.startsWith(`${path}/:`)),
    includes,
    filters,
    input: input && { type: inputType, names: input.names },
    takesFile: input?.takesFile ?? false,
    variables(request) {
      const variables: Record<string, unknown> = {};
      for (const flag of flags) variables[flag] = false;
      readIncludes(includes, request.parameters.include, variables);
      if (readPaging) Object.assign(variables, readPaging(request.parameters));
      for (const [name, read] of readers) {
        const value = read(request, variables);
        if (value !== undefined) variables[name] = value;
      }
      const readInput = input?.read(readParameters(request.parameters));
      if (readInput) variables.input = readInput.input;
      return { variables, refused: readInput?.refused ?? {} };
    },
  };
}

function parseOperation(schema: GraphQLSchema, [method, path, text]: Route) {
  const document = parse(text);
  const problems = validate(schema, document);
  if (problems.length) {
    const reasons = problems.map(({ message }) => message).join(' ');
    throw new Error(`The operation of ${method} /v1${path} does not match the GraphQL schema: ${reasons}`);
  }
  const definition = document.definitions.find(
    (node): node is OperationDefinitionNode => node.kind === Kind.OPERATION_DEFINITION,
  )!;
  return { document, definition };
}

const typesOfVariables = (schema: GraphQLSchema, { variableDefinitions = [] }: OperationDefinitionNode) =>
  new Map(
    variableDefinitions.map(({ variable, type }) => [
      variable.name.value,
      typeFromAST(schema, unwrapType(type)) as GraphQLInputObjectType,
    ]),
  );

/** The readers of the variables that are neither flags nor paging nor the input. */
function createReaders(
  { name: operationName }: OperationDefinitionNode,
  types: ReadonlyMap<string, GraphQLInputObjectType>,
  filters: PreparedRoute['filters'],
): Map<string, VariableReader> {
  const collections = new Set(
    Object.keys(filters)
      .filter(name => name !== 'filter')
      .map(name => name.slice('filter_'.length)),
  );
  const readers = new Map<string, VariableReader>();
  for (const [name, type] of types) {
    if (['page', 'per_page', 'input'].includes(name) || name.startsWith('include_')) continue;
    if (name === 'filter') readers.set(name, ({ parameters }) => filters.filter!.read(parameters.filter, collections));
    else if (name.startsWith('filter_')) readers.set(name, collectionFilterReader(name, filters, 'filter' in filters));
    else if (name === 'if_version') readers.set(name, ({ versions }) => versions);
    else if (isInputObjectType(type)) throw new Error(`The variable $${name} of ${operationName?.value} has no reader`);
    else readers.set(name, ({ path }) => path[name]);
  }
  return readers;
}

const prioritize = (route: Route, isWrite: boolean, { extensions }: GraphQLField<unknown, unknown>): Priority => {
  const { urgent, slow, waits } = extensions;
  if (!isWrite) return isList(route) ? 'list' : 'read';
  if (slow === true) return 'slow';
  if (urgent !== true) return 'write';
  return waits === true ? 'slowNoticeWrite' : 'noticeWrite';
};

function getRootName({ selectionSet }: OperationDefinitionNode): string {
  const [field] = selectionSet.selections;
  return field?.kind === Kind.FIELD ? field.name.value : '';
}

const unwrapType = (type: TypeNode): TypeNode =>
  type.kind === Kind.NON_NULL_TYPE || type.kind === Kind.LIST_TYPE ? unwrapType(type.type) : type;

/** `filter[notices][...]` filters the included notices; it is ignored where notices are not included. */
function collectionFilterReader(name: string, filters: PreparedRoute['filters'], onList: boolean): VariableReader {
  const collection = name.slice('filter_'.length);
  return ({ parameters }, variables) => {
    const { filter } = parameters;
    if (
      !onList &&
      filter !== undefined &&
      filter !== null &&
      filter !== '' &&
      (typeof filter !== 'object' || Array.isArray(filter))
    ) {
      throw badRequest('The parameter filter is a map: filter[<collection>][<attribute>_<operator>]=<value>.');
    }
    if (!variables[`include_${collection}`] || typeof filter !== 'object' || filter === null) return undefined;
    return filters[name]!.read((filter as Parameters)[collection]);
  };
}

/** Reads "include=<name>[,<name>]"; a nested name includes its parent too. */
function readIncludes(legal: string[], parameter: Parameter | undefined, variables: Record<string, unknown>): void {
  if (parameter === undefined || parameter === null) return;
  const values = Array.isArray(parameter) ? parameter : [parameter];
  if (values.some(value => typeof value === 'object' && value !== null))
    throw badRequest(
      'The parameter include must be a list of names: include=<name>[,<name>]. A dot selects nested ones: include=a.b.',
    );
  const names = values.flatMap(value => String(value ?? '').split(',')).map(name => name.trim());
  for (const name of names.filter(Boolean)) {
    if (!legal.includes(name)) {
      const shown = JSON.stringify(name.slice(0, 60).toWellFormed());
      throw badRequest(
        `There is no include ${shown} here. ${legal.length ? `There are: ${legal.join(', ')}.` : 'There is none.'}`,
      );
    }
    const parts = name.split('.');
    for (let length = 1; length <= parts.length; length++)
      variables[`include_${parts.slice(0, length).join('__')}`] = true;
  }
}

/** The most records in one response of a list. */
export const maxPageSize = 500;

const positiveInteger = (parameter: Parameter | undefined): number | undefined => {
  const text = typeof parameter === 'object' ? '' : String(parameter ?? '').trim();
  return /^\d+$/.test(text) && Number(text) >= 1 ? Number(text) : undefined;
};

/**
 * Whether a list shows its pages only on request: its `$page` has no default. Without `page` and `per_page` it shows up
 * to the maximum, and the reader leaves out `pagination` unless the list is truncated.
 */
export const hasOptionalPaging = ({ variableDefinitions }: OperationDefinitionNode): boolean =>
  variableDefinitions?.some(({ variable, defaultValue }) => variable.name.value === 'page' && !defaultValue) ?? false;

/** Invalid values count as the default. */
function pagingReader(isOptional: boolean) {
  return ({ page, per_page: perPage }: Parameters) => {
    if (isOptional && page === undefined && perPage === undefined) return { per_page: maxPageSize };
    return {
      page: Math.min(positiveInteger(page) ?? 1, 1_000_000),
      per_page: Math.min(positiveInteger(perPage) ?? 25, maxPageSize),
    };
  };
}
