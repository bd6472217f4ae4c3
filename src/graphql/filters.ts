import type { GraphQLScalarType } from 'graphql';
import { type ClassType, Field, getMetadataStorage, InputType } from 'type-graphql';
import type { Operator } from '../records/filter-sql.js';
import { Timestamp } from './scalars.js';

/**
 * The filter inputs of the graph, made from the entities: a field that can be read can be filtered by, without being named a second time.
 * /v1 reads its filter keys from these very types.
 */
type Constructor = ClassType;
type ValueType = GraphQLScalarType | StringConstructor | BooleanConstructor | object;

const wholeValue: Operator[] = ['eq', 'notEq', 'gt', 'lt', 'gteq', 'lteq'];
const partOfText: Operator[] = ['matches', 'cont'];
const emptiness: Operator[] = ['present', 'blank'];
const membership: Operator[] = ['in', 'notIn'];

const meanings: Record<Operator, string> = {
  eq: 'Equals the value.',
  notEq: 'Differs from the value; null is left out. Through a list of related records: none of them equals it.',
  matches: 'LIKE on the whole value without case: % and _ are wildcards, \\ escapes.',
  cont: 'Contains the value, without case; nothing in it is a wildcard.',
  gt: 'Greater; texts by code point. Null is left out.',
  lt: 'Less; texts by code point. Null is left out.',
  gteq: 'Greater or equal. Null is left out.',
  lteq: 'Less or equal. Null is left out.',
  present: 'true: neither null nor empty. false: null or empty.',
  blank: 'true: null or empty. false: neither.',
  in: 'Is one of the values.',
  notIn:
    'Is none of the values; null is left out. Through a list of related records: none of them is one of the values.',
};

const operatorTypes = new Map<ValueType, Constructor>();

function operatorsFor(type: ValueType): Constructor {
  const known = operatorTypes.get(type);
  if (known) return known;
  const name = nameOf(type);
  const operators = class {};
  InputType(`${name}Filter`, {
    description: `Conditions on a ${name}; all that are given hold. A null condition is none.`,
  })(operators);
  const add = (operator: Operator, valueType: ValueType, list = false) =>
    Field(() => (list ? [valueType] : valueType) as never, { nullable: true, description: meanings[operator] })(
      operators.prototype,
      operator,
    );
  for (const operator of wholeValue) add(operator, type);
  for (const operator of membership) add(operator, type, true);
  for (const operator of emptiness) add(operator, Boolean);
  if (type !== Boolean && type !== Timestamp) for (const operator of partOfText) add(operator, String);
  operatorTypes.set(type, operators);
  return operators;
}

function nameOf(type: ValueType): string {
  const enumeration = getMetadataStorage().enums.find(({ enumObj }) => enumObj === type);
  return enumeration?.name ?? (type as { name: string }).name;
}

interface FilterOptions {
  /** Other types of the same interface, whose fields count too. */
  kinds?: Constructor[];
  except?: string[];
  /** Conditions that are no field of the record; the entity says what they mean, in `conditions`. */
  more?: Record<string, { type: GraphQLScalarType | [GraphQLScalarType]; description: string }>;
  through?: Record<string, Constructor>;
}

/** The filter input of an entity: its own attributes, and those of the records it is associated with. */
export function filterOf(
  entity: Constructor,
  { kinds = [], except = [], more = {}, through = {} }: FilterOptions = {},
): Constructor {
  const filter = class {};
  InputType(`${entity.name}Filter`, { description: `Which records are meant; all that is given holds.` })(filter);
  const add = (name: string, type: Constructor | GraphQLScalarType | [GraphQLScalarType], description: string) =>
    Field(() => type as never, { nullable: true, description })(filter.prototype, name);
  const classes = [...kinds, entity].flatMap(lineage);
  const named = new Set(['version', ...except]);
  // What several kinds have, each says for itself.
  const isShared = (field: string) =>
    getMetadataStorage().fields.filter(({ name, target }) => name === field && kinds.includes(target as Constructor))
      .length > 1;
  for (const { name, target, getType, description } of getMetadataStorage().fields) {
    if (!classes.includes(target as Constructor) || named.has(name)) continue;
    const type = getType() as ValueType | ValueType[];
    const single = Array.isArray(type) ? type[0]! : type;
    if (isRecord(single)) continue;
    named.add(name);
    add(name, operatorsFor(single), (!isShared(name) && description) || `By \`${name}\`.`);
  }
  for (const [name, { type, description }] of Object.entries(more)) add(name, type, description);
  for (const [name, type] of Object.entries(through))
    add(
      name,
      type,
      `By the ${name} it is associated with. Each condition counts by itself, and may be met by another record.`,
    );
  return filter;
}

const lineage = (type: Constructor): Constructor[] =>
  type.name ? [type, ...lineage(Object.getPrototypeOf(type))] : [];

const isRecord = (type: ValueType) => {
  const { objectTypes, interfaceTypes } = getMetadataStorage();
  return [...objectTypes, ...interfaceTypes].some(({ target }) => target === type);
};
