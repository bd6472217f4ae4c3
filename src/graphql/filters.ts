import {
  getNamedType,
  type GraphQLArgument,
  type GraphQLInputType,
  type GraphQLScalarType,
  isInputObjectType,
} from 'graphql';
import { type ClassType, Field, getMetadataStorage, InputType } from 'type-graphql';
import type { Operator } from '../records/filter-operators.js';
import { Timestamp } from '../core/scalars.js';
import { GraphqlOnly, listGraphqlOnly, V1Only } from './one-interface.js';

/** The filter input types, generated from the readable fields of entities. /v1 derives its filter keys from them. */
type Constructor = ClassType;
type ValueType = GraphQLScalarType | StringConstructor | BooleanConstructor | object;

const comparisons: Operator[] = ['eq', 'notEq', 'gt', 'lt', 'gteq', 'lteq'];
const textSearches: Operator[] = ['matches', 'cont'];
const presence: Operator[] = ['present', 'blank'];
const membership: Operator[] = ['in', 'notIn'];

const descriptions: Record<Operator, string> = {
  eq: 'Equals the value.',
  notEq: 'Differs from the value and is not null. Through a list of related records: none of them equals the value.',
  matches: 'Matches the pattern as a whole, case-insensitively: % and _ are wildcards, \\ escapes them.',
  cont: 'Contains the value, case-insensitively; it has no wildcards.',
  gt: 'Greater than the value, and not null. Text is compared by code point.',
  lt: 'Less than the value, and not null. Text is compared by code point.',
  gteq: 'Greater than or equal to the value, and not null.',
  lteq: 'Less than or equal to the value, and not null.',
  present: 'true: neither null nor empty. false: null or empty.',
  blank: 'true: null or empty. false: neither.',
  in: 'Is one of the values.',
  notIn: 'Is none of the values, and not null. Through a list of related records: none of them is one of the values.',
};

const operatorTypes = new Map<ValueType, Constructor>();

function createOperatorsType(type: ValueType): Constructor {
  const existing = operatorTypes.get(type);
  if (existing) return existing;
  const name = getTypeName(type);
  const operators = class {};
  InputType(`${name}Filter`, {
    description: `Conditions on a value of type ${name}, all of which must hold. A null condition is ignored.`,
  })(operators);
  const add = (operator: Operator, valueType: ValueType, list = false) =>
    Field(() => (list ? [valueType] : valueType) as never, { nullable: true, description: descriptions[operator] })(
      operators.prototype,
      operator,
    );
  for (const operator of comparisons) add(operator, type);
  for (const operator of membership) add(operator, type, true);
  for (const operator of presence) add(operator, Boolean);
  if (type !== Boolean && type !== Timestamp) for (const operator of textSearches) add(operator, String);
  operatorTypes.set(type, operators);
  return operators;
}

function getTypeName(type: ValueType): string {
  const enumeration = getMetadataStorage().enums.find(({ enumObj }) => enumObj === type);
  return enumeration?.name ?? (type as { name: string }).name;
}

interface FilterOptions {
  /** Properties that the record has no field for. */
  attributes?: Record<string, { type: ValueType; description: string }>;
  /** The types that implement the entity's interface, whose fields can be filtered by too. */
  kinds?: Constructor[];
  except?: string[];
  /** Of the record: what is `@GraphqlOnly` there is no filter key of /v1. */
  input?: Constructor;
  /** Fields without a column. */
  graphqlOnly?: string[];
  /** Fields that are filter keys of /v1 alone. */
  v1Only?: string[];
  /** Conditions that are not fields of the record; the entity defines them in `conditions`. */
  more?: Record<string, { type: GraphQLScalarType | [GraphQLScalarType]; description: string }>;
  through?: Record<string, Constructor>;
}

/** Creates the filter input of an entity: its own attributes, and those of associated records. */
export function createFilterType(
  entity: Constructor,
  {
    kinds = [],
    attributes = {},
    except = [],
    input,
    graphqlOnly = [],
    v1Only = [],
    more = {},
    through = {},
  }: FilterOptions = {},
): Constructor {
  const filter = class {};
  InputType(`${entity.name}Filter`, { description: 'Selects records; all conditions must hold.' })(filter);
  const add = (name: string, type: Constructor | GraphQLScalarType | [GraphQLScalarType], description: string) =>
    Field(() => type as never, { nullable: true, description })(filter.prototype, name);
  const classes = [...kinds, entity].flatMap(classHierarchy);
  const skipped = new Set(['nodeId', 'version', ...except]);
  // The description of a field that several types have differs from type to type.
  const isShared = (field: string) =>
    getMetadataStorage().fields.filter(({ name, target }) => name === field && kinds.includes(target as Constructor))
      .length > 1;
  for (const { name, target, getType, description } of getMetadataStorage().fields) {
    if (!classes.includes(target as Constructor) || skipped.has(name)) continue;
    const type = getType() as ValueType | ValueType[];
    const single = Array.isArray(type) ? type[0]! : type;
    if (isRecord(single)) continue;
    skipped.add(name);
    add(name, createOperatorsType(single), (!isShared(name) && description) || `Filters by \`${name}\`.`);
  }
  for (const [name, { type, description }] of Object.entries(attributes))
    add(name, createOperatorsType(type), description);
  for (const [name, { type, description }] of Object.entries(more)) add(name, type, description);
  const hidden = input
    ? listGraphqlOnly(classHierarchy(input)).filter(name => skipped.has(name) && !except.includes(name))
    : [];
  for (const name of [...graphqlOnly, ...hidden]) GraphqlOnly()(filter.prototype, name);
  for (const name of v1Only) V1Only()(filter.prototype, name);
  for (const [name, type] of Object.entries(through))
    add(
      name,
      type,
      `Filters by associated ${name}. Each condition counts by itself: different records may match different ones.`,
    );
  return filter;
}

const classHierarchy = (type: Constructor): Constructor[] =>
  type.name ? [type, ...classHierarchy(Object.getPrototypeOf(type))] : [];

const isRecord = (type: ValueType) => {
  const { objectTypes, interfaceTypes } = getMetadataStorage();
  return [...objectTypes, ...interfaceTypes].some(({ target }) => target === type);
};

/**
 * A condition is evaluated for each row of a list, also for those that it leaves out, and in turn for the records that
 * are associated with a row. A list counts as a thousand rows, and ten rows of work as a record of the response.
 */
export const filterCosts = { condition: 100, perAssociation: 10 } as const;

/** Estimates the work of the filter of a list, in records of a response. */
export function estimateFilter(parameters: readonly GraphQLArgument[], args: Record<string, unknown>): number {
  const filter = parameters.find(({ name }) => name === 'filter');
  return filter ? estimateConditions(filter.type, args.filter, filterCosts.condition) : 0;
}

/** Null conditions are ignored, as `compileFilter` does. */
function estimateConditions(type: GraphQLInputType, value: unknown, cost: number): number {
  if (value === null || value === undefined) return 0;
  const named = getNamedType(type);
  if (!isInputObjectType(named)) return cost;
  if (Array.isArray(value)) return sum(value.map(one => estimateConditions(type, one, cost)));
  const fields = named.getFields();
  return sum(
    Object.entries(value).map(([name, condition]) => {
      const fieldType = fields[name]!.type;
      return estimateConditions(
        fieldType,
        condition,
        isAssociation(fieldType) ? cost * filterCosts.perAssociation : cost,
      );
    }),
  );
}

/** Whether an input type is the filter of associated records, and not the operators of a value. */
function isAssociation(type: GraphQLInputType): boolean {
  const named = getNamedType(type);
  return isInputObjectType(named) && !('eq' in named.getFields());
}

const sum = (numbers: number[]): number => numbers.reduce((total, number) => total + number, 0);
