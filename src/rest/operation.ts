import {
  type GraphQLInputObjectType,
  isInputObjectType,
  Kind,
  type OperationDefinitionNode,
  parse,
  type TypeNode,
  typeFromAST,
  validate,
} from 'graphql';
import { badRequest, type FieldMessages } from '../core/errors.js';
import type { Access } from '../auth/access.js';
import { type Operation, operationOf } from '../graphql/fast-path.js';
import { schema } from '../schema.js';
import { filterReader } from './filter.js';
import { inputReader } from './input.js';
import type { Parameter, Parameters } from './request/parameters.js';
import type { Route } from './route.js';

/** A route made ready at start: its operation checked against the graph, and a reader for each of its variables. */
export interface Prepared {
  route: Route;
  operation: Operation;
  /** What it asks of the caller, before anything of the request is read. */
  access: Access;
  /** Whether single records stand below this path. */
  hasItems: boolean;
  /** The names that `include` may have here, nested ones with a dot. */
  includes: string[];
  filters: Record<string, ReturnType<typeof filterReader>>;
  input?: { type: GraphQLInputObjectType; names: string[] };
  takesFile: boolean;
  /** Whether it is a list that shows its pagination only when it is asked for by pages. */
  cuttable: boolean;
  variables: (request: RouteRequest) => { variables: Record<string, unknown>; refused: FieldMessages };
}

export interface RouteRequest {
  path: Record<string, string>;
  parameters: Parameters;
  /** From If-Match; undefined: whatever version there is. */
  versions?: number[];
}

type Fill = (request: RouteRequest, variables: Record<string, unknown>) => unknown;

export function prepare(route: Route, _: number, routes: Route[]): Prepared {
  const document = parse(route[2]);
  const problems = validate(schema, document);
  if (problems.length)
    throw new Error(
      `The operation of ${route[0]} /v1${route[1]} does not fit the graph: ${problems.map(({ message }) => message).join(' ')}`,
    );
  const definition = document.definitions.find(
    (one): one is OperationDefinitionNode => one.kind === Kind.OPERATION_DEFINITION,
  )!;
  const names = (definition.variableDefinitions ?? []).map(({ variable }) => variable.name.value);
  const typeOf = (name: string) =>
    typeFromAST(
      schema,
      unwrapped(definition.variableDefinitions!.find(one => one.variable.name.value === name)!.type),
    ) as GraphQLInputObjectType;

  const flags = names.filter(name => name.startsWith('include_'));
  const includes = flags.map(name => name.slice('include_'.length).replaceAll('__', '.'));
  const filters = Object.fromEntries(
    names
      .filter(name => name === 'filter' || name.startsWith('filter_'))
      .map(name => [name, filterReader(typeOf(name))]),
  );
  const collections = new Set(
    Object.keys(filters)
      .filter(name => name !== 'filter')
      .map(name => name.slice('filter_'.length)),
  );
  const input = names.includes('input') ? inputReader(typeOf('input')) : undefined;

  const fills = new Map<string, Fill>();
  for (const name of names) {
    if (name === 'filter') fills.set(name, ({ parameters }) => filters.filter!.read(parameters.filter, collections));
    else if (name.startsWith('filter_')) fills.set(name, filterOfCollection(name, filters, 'filter' in filters));
    else if (
      name === 'page' ||
      name === 'per_page' ||
      name === 'paged' ||
      name === 'input' ||
      name.startsWith('include_')
    )
      continue;
    else if (name === 'if_version') fills.set(name, ({ versions }) => versions);
    else if (isInputObjectType(typeOf(name))) throw new Error(`Nothing fills $${name} of ${definition.name?.value}`);
    else fills.set(name, ({ path }) => path[name]);
  }
  const paging = names.includes('per_page') ? pagingReader(names.includes('paged')) : undefined;

  return {
    route,
    operation: operationOf(schema, document, definition),
    access: definition.operation === 'mutation' ? 'write' : accessOf(definition),
    hasItems: routes.some(([, path]) => path.startsWith(`${route[1]}/:`)),
    includes,
    filters,
    input: input && { type: typeOf('input'), names: input.names },
    takesFile: input?.takesFile ?? false,
    cuttable: names.includes('paged'),
    variables(request) {
      const variables: Record<string, unknown> = {};
      for (const flag of flags) variables[flag] = false;
      readIncludes(includes, request.parameters.include, variables);
      if (paging) Object.assign(variables, paging(request.parameters));
      for (const [name, fill] of fills) {
        const value = fill(request, variables);
        if (value !== undefined) variables[name] = value;
      }
      const read = input?.read(request.parameters);
      if (read) variables.input = read.input;
      return { variables, refused: read?.refused ?? {} };
    },
  };
}

const accessOf = ({ selectionSet }: OperationDefinitionNode): Access => {
  const [field] = selectionSet.selections;
  const name = field?.kind === Kind.FIELD ? field.name.value : '';
  return (schema.getQueryType()!.getFields()[name]!.extensions.access as Access | undefined) ?? 'read';
};

const unwrapped = (type: TypeNode): TypeNode =>
  type.kind === Kind.NON_NULL_TYPE || type.kind === Kind.LIST_TYPE ? unwrapped(type.type) : type;

/** `filter[notices][...]` narrows the notices that are included; it says nothing where they are not. */
function filterOfCollection(name: string, filters: Prepared['filters'], onList: boolean): Fill {
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

/** "include=<name>[,<name>]"; a nested name implies the one that it is in. */
function readIncludes(legal: string[], given: Parameter | undefined, variables: Record<string, unknown>): void {
  if (given === undefined || given === null) return;
  const asked = (Array.isArray(given) ? given : [given]).flatMap(one =>
    String(typeof one === 'object' ? '?' : one).split(','),
  );
  for (const name of asked.map(one => one.trim()).filter(Boolean)) {
    if (!legal.includes(name))
      throw badRequest(
        `Nothing ${JSON.stringify(name.slice(0, 60).toWellFormed())} can be included here. ${legal.length ? `There are: ${legal.join(', ')}.` : 'Nothing can.'}`,
      );
    const parts = name.split('.');
    for (let length = 1; length <= parts.length; length++)
      variables[`include_${parts.slice(0, length).join('__')}`] = true;
  }
}

/** The most that a list shows at once. */
export const longestPage = 500;

const positive = (given: Parameter | undefined): number | undefined => {
  const text = typeof given === 'object' ? '' : String(given ?? '').trim();
  return /^\d+$/.test(text) && Number(text) >= 1 ? Number(text) : undefined;
};

/** Garbage is the default. A list asked for without either shows all up to the most, and says so only if it had to cut. */
function pagingReader(optional: boolean) {
  return ({ page, per_page: perPage }: Parameters) => {
    const paged = !optional || page !== undefined || perPage !== undefined;
    if (!paged) return { per_page: longestPage, paged };
    return {
      page: Math.min(positive(page) ?? 1, 1_000_000),
      per_page: Math.min(positive(perPage) ?? 25, longestPage),
      paged,
    };
  };
}
