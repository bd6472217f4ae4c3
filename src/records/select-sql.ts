import { type EntityMetadata, type EntityProperty, ReferenceKind } from '@mikro-orm/core';
import { type ArgumentNode, type GraphQLLeafType, getNamedType, isEnumType, Kind } from 'graphql';
import type { Caller } from '../auth/access.js';
import type { Asked, Selection } from './selection.js';
import { literal } from '../core/sql-literal.js';

/**
 * What was asked, and the metadata of the entities, made into the text of one statement whose JSON already has the names of the answer.
 * MikroORM's metadata is the only table: columns, formulas, relations. Adding a field is a line in an entity.
 */
export class Statement {
  readonly values: unknown[] = [];
  private aliases = 0;

  constructor(
    readonly form: Form,
    readonly variables: Record<string, unknown>,
    /** What limits the rows of a related list. */
    readonly narrowed: (
      meta: Meta,
      alias: string,
      asked: Asked,
      statement: Statement,
    ) => { conditions: string[]; limit: number },
  ) {}

  /** The only way for a value into a statement. */
  parameter = (value: unknown): string => `$${this.values.push(value)}`;

  alias = (): string => `t${++this.aliases}`;
}

export interface Form {
  caller: Caller;
  /**
   * What the JSON is for. 'rest': values as they are kept, which is how /v1 prints them. 'graph': a finished GraphQL answer, enums by name and
   * ids as texts. 'execution': rows for the ordinary execution of a query, which names values itself and wants to know the kind of an interface.
   */
  purpose: 'rest' | 'graph' | 'execution';
  /** The longest list of related records; what is asked beyond is refused. */
  longestList: number;
}

// biome-ignore lint/suspicious/noExplicitAny: metadata of any entity
export type Meta = EntityMetadata<any>;
export type Columns = Record<string, string>;

const mappings = new WeakMap<Meta, Map<string, Columns>>();

/** Property name to `alias.column`. */
export function columnsOf(meta: Meta, alias: string): Columns {
  const known = mappings.get(meta) ?? new Map<string, Columns>();
  const columns = known.get(alias) ?? (meta.createColumnMappingObject(alias) as unknown as Columns);
  mappings.set(meta, known.set(alias, columns));
  return columns;
}

export function column(meta: Meta, property: EntityProperty, alias: string): string {
  if (!property.formula) return `${alias}.${property.fieldNames[0]}`;
  const table = { alias, name: meta.tableName, qualifiedName: meta.tableName, toString: () => alias };
  return `(${property.formula(columnsOf(meta, alias) as never, table)})`;
}

export const source = (meta: Meta): string => (meta.expression ? `(${meta.expression as string})` : meta.tableName);

/** The rows of an entity that a caller may see at all: the entity's own rule, wherever its rows are read. */
export function visible(meta: Meta, alias: string, caller: Caller): string[] {
  const rule = (meta.class as { visible?: (columns: Columns, caller: Caller) => string | undefined }).visible;
  const condition = rule?.(columnsOf(meta, alias), caller);
  return condition ? [condition] : [];
}

/** The property that a record is known by. */
export const keyOf = (meta: Meta): EntityProperty =>
  meta.primaryKeys.length ? meta.getPrimaryProp() : meta.properties[(meta.class as unknown as { key: string }).key]!;

export interface Join {
  from: string;
  on: string;
}

/** How a related table, under its own alias, hangs on the row of `alias`. */
export function join(property: EntityProperty, alias: string, related: string): Join {
  const meta = property.targetMeta!;
  const table = source(meta);
  const key = keyOf(meta).fieldNames[0];
  if (property.kind === ReferenceKind.MANY_TO_MANY) {
    const through = `${related}x`;
    const pivot = `${property.pivotTable} ${through} join ${table} ${related} on ${related}.${key} = ${through}.${property.inverseJoinColumns[0]}`;
    return { from: pivot, on: `${through}.${property.joinColumns[0]} = ${alias}.id` };
  }
  if (property.owner || property.kind === ReferenceKind.MANY_TO_ONE)
    return { from: `${table} ${related}`, on: `${related}.${key} = ${alias}.${property.fieldNames[0]}` };
  const back = meta.properties[property.mappedBy as never] as EntityProperty;
  const ownKey = keyOf(back.targetMeta!).fieldNames[0];
  return { from: `${table} ${related}`, on: `${related}.${back.fieldNames[0]} = ${alias}.${ownKey}` };
}

export type Order = { field: string; direction: 'asc' | 'desc' }[];

/** The order that an entity is listed in where nothing else is asked, ending in its key: no two rows are equal. */
export function orderOf(meta: Meta, asked?: Order | null): Order {
  const own = (meta.class as { order?: Order }).order ?? [{ field: 'id', direction: 'asc' }];
  if (!asked?.length) return own;
  // A field that was named before decides nothing more, and after the key nothing is left to decide: an order is no longer than the fields there are.
  const steps = new Map<string, Order[number]>();
  for (const step of [...asked, own.at(-1)!]) if (!steps.has(step.field)) steps.set(step.field, step);
  return [...steps.values()];
}

/** Of moments, what is not set: after all others. PostgreSQL and cursors write it alike. */
export const latest = 'infinity';

/** What rows are ordered by: never null, which no cursor could compare with. */
export const ordered = (meta: Meta, property: EntityProperty, alias: string): string =>
  property.nullable && isMoment(property)
    ? `coalesce(${column(meta, property, alias)}, ${literal(latest)})`
    : column(meta, property, alias);

/** Text by code point: the same on every database. */
export const orderSql = (meta: Meta, order: Order, alias: string): string =>
  order
    .map(({ field, direction }) => {
      const property = meta.properties[field] as EntityProperty;
      return `${ordered(meta, property, alias)}${property.type === 'text' ? ' collate "C"' : ''} ${direction}`;
    })
    .join(', ');

/**
 * What a record is called of which all columns have names that a client chose: a column of the same name would go before the record. No GraphQL name
 * begins with a digit.
 */
export const recordAlias = '"0"';

/** In rows for execution: the concrete type. No GraphQL name begins with a digit, so no alias can take its place. */
export const kindKey = '0kind';

/** The rows of a select, as JSON: a subselect under `recordAlias`, and the expressions for its records. */
interface Rows {
  from: string;
  /** What json_agg takes: the record itself is cheaper to aggregate than its JSON. */
  row: string;
  /** The JSON of a single one. */
  json: string;
}

/** Rows without what they are selected from: that comes between the two texts. */
interface Shape extends Omit<Rows, 'from'> {
  before: string;
  after: string;
}

const filled = ({ before, after, row, json }: Shape, tail: string): Rows => ({
  from: `${before} ${tail}${after}`,
  row,
  json,
});

/**
 * Shapes that were asked for before: to write one takes longer than all else of a read. Only where the same would be written again, which is
 * where no argument below is given, and by the text of as many as fit in some megabytes.
 */
let shapes = new WeakMap<Selection, Map<string, Shape>>();
let held = 0;
const heldAtMost = 4_000_000;

/** What is asked of the rows that `tail` (from ... where ... order by ...) calls `alias`. */
export function rows(meta: Meta, selection: Selection, alias: string, statement: Statement, tail: string): Rows {
  const isGiven = ({ value }: ArgumentNode) =>
    value.kind !== Kind.VARIABLE || statement.variables[value.name.value] != null;
  if (selection.withArguments.some(({ node }) => node.arguments!.some(isGiven)))
    return filled(shape(meta, selection, alias, statement), tail);
  const { caller, purpose, longestList } = statement.form;
  const form = `${alias} ${purpose} ${longestList} ${caller.kind === 'token' ? caller.scope : caller.kind}`;
  const known = shapes.get(selection)?.get(form);
  if (known) return filled(known, tail);
  const written = shape(meta, selection, alias, statement);
  held += written.before.length + written.after.length;
  if (held > heldAtMost) {
    shapes = new WeakMap();
    held = 0;
  }
  shapes.set(selection, (shapes.get(selection) ?? new Map()).set(form, written));
  return filled(written, tail);
}

function shape(meta: Meta, selection: Selection, alias: string, statement: Statement): Shape {
  if (selection.kinds.size === 1) {
    const [[kind, asked]] = selection.kinds as unknown as [[string, Asked[]]];
    const list = asked.map(one => `${written(meta, kind, one, alias, statement)} as "${one.key}"`);
    return {
      before: `(select ${list.join(', ')}`,
      after: `) ${recordAlias}`,
      row: recordAlias,
      json: `row_to_json(${recordAlias})`,
    };
  }
  return shapeOfKinds(meta, selection, alias, statement);
}

/** Of an interface each asked expression is computed once (c0, c1, ...) in an inner select; the outer only chooses by kind. */
function shapeOfKinds(meta: Meta, selection: Selection, alias: string, statement: Statement): Shape {
  const computed = new Map<string, string>();
  const texts = new Map<Asked, string>();
  const compute = (kind: string, one: Asked): string => {
    const text = texts.get(one) ?? written(meta, kind, one, alias, statement);
    const name = computed.get(text) ?? `c${computed.size}`;
    texts.set(one, text);
    computed.set(text, name);
    return `k.${name}`;
  };
  const branches = [...selection.kinds].map(([kind, asked]) => {
    const list = asked.map(one => `${one.name === '__typename' ? literal(kind) : compute(kind, one)} as "${one.key}"`);
    if (statement.form.purpose === 'execution') list.push(`${literal(kind)} as "${kindKey}"`);
    return `when ${literal(kind)} then (select row_to_json(${recordAlias}) from (select ${list.join(', ')}) ${recordAlias})`;
  });
  const inner = [...computed].map(([text, name]) => `${text} as ${name}, `).join('');
  const kindOf = column(meta, meta.properties.kind as EntityProperty, alias);
  return {
    before: `(select case k.kind ${branches.join(' ')} end as j from (select ${inner}${kindOf} as kind`,
    after: `) k) ${recordAlias}`,
    row: `${recordAlias}.j`,
    json: `${recordAlias}.j`,
  };
}

/** One field as the client is to see it. */
function written(meta: Meta, kind: string, asked: Asked, alias: string, statement: Statement): string {
  if (asked.name === '__typename') return literal(kind);
  const property = meta.properties[asked.name] as EntityProperty | undefined;
  if (!property) throw new Error(`${meta.className} has no property for the field ${asked.name}`);
  if (!asked.selection) return leaf(property, column(meta, property, alias), asked, statement);
  return relation(property, asked, asked.selection, alias, statement);
}

function relation(
  property: EntityProperty,
  asked: Asked,
  selection: Selection,
  alias: string,
  statement: Statement,
): string {
  const meta = property.targetMeta!;
  const table = statement.alias();
  const { from, on } = join(property, alias, table);
  const conditions = [on, ...visible(meta, table, statement.form.caller)];
  if (property.kind === ReferenceKind.MANY_TO_ONE || property.kind === ReferenceKind.ONE_TO_ONE) {
    const one = filled(shape(meta, selection, table, statement), `from ${from} where ${conditions.join(' and ')}`);
    return `(select ${one.json} from ${one.from})`;
  }
  const narrowed = statement.narrowed(meta, table, asked, statement);
  const tail = `from ${from} where ${[...conditions, ...narrowed.conditions].join(' and ')} order by ${orderSql(meta, orderOf(meta), table)} limit ${narrowed.limit}`;
  const many = filled(shape(meta, selection, table, statement), tail);
  return `(select coalesce(json_agg(${many.row}), '[]') from ${many.from})`;
}

function leaf(property: EntityProperty, sql: string, asked: Asked, { form }: Statement): string {
  if (isMoment(property)) return moment(sql);
  if (form.purpose !== 'graph') return sql;
  const type = getNamedType(asked.field.type) as GraphQLLeafType;
  if (isEnumType(type)) {
    const names = type
      .getValues()
      .map(({ name, value }) => `when ${literal(value)} then ${literal(name)}`)
      .join(' ');
    return property.type.endsWith('[]')
      ? `array(select case one ${names} end from unnest(${sql}) with ordinality of_list(one, n) order by n)`
      : `case ${sql} ${names} end`;
  }
  return type.name === 'ID' ? `${sql}::text${property.type.endsWith('[]') ? '[]' : ''}` : sql;
}

export const isMoment = (property: EntityProperty) =>
  property.runtimeType === 'Date' || property.type === 'timestamptz';

/** The form of the contract; PostgreSQL's own has microseconds and an offset. */
export const moment = (sql: string) => `to_char(${sql} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
