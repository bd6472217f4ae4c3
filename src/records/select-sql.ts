import { type EntityMetadata, type EntityProperty, ReferenceKind } from '@mikro-orm/core';
import { type ArgumentNode, type GraphQLLeafType, getNamedType, isEnumType, Kind } from 'graphql';
import type { Caller } from '../auth/access.js';
import { quoteLiteral } from '../core/sql-literal.js';
import { getRules, type Viewer } from './record-rules.js';
import type { SelectedField, Selection } from './selection.js';

/**
 * Compiles a selection and the metadata of the entities to the text of one statement, whose JSON is the response.
 * MikroORM's metadata is the only mapping (columns, formulas, relations), so a new field is one line in an entity.
 */
export class Statement {
  readonly values: unknown[] = [];
  private aliases = 0;

  constructor(
    readonly options: StatementOptions,
    readonly variables: Record<string, unknown>,
    /** The filter and the limit of a list of related records, from the arguments of its field. */
    readonly childLimits: (
      meta: Meta,
      alias: string,
      field: SelectedField,
      statement: Statement,
    ) => { conditions: string[]; limit: number },
  ) {}

  /** Adds a parameter and returns its placeholder. The only way for a value of a client into a statement. */
  bind = (value: unknown): string => `$${this.values.push(value)}`;

  nextAlias = (): string => `t${++this.aliases}`;
}

/**
 * What the JSON is for.
 * - rest: the response of /v1, which prints values as they are stored
 * - graphql: a complete GraphQL response, with enums by name and ids as strings
 * - execution: rows for the standard execution of GraphQL, which serializes values itself and resolves interfaces
 */
export type OutputMode = 'rest' | 'graphql' | 'execution';

export interface StatementOptions {
  caller: Caller;
  outputMode: OutputMode;
  /** The most related records of a list; a request for more is refused. */
  maximumListSize: number;
}

// biome-ignore lint/suspicious/noExplicitAny: metadata of any entity
export type Meta = EntityMetadata<any>;
export type Columns = Record<string, string>;

const columnMappings = new WeakMap<Meta, Map<string, Columns>>();

/** Maps the properties of an entity to `alias.column`. */
export function mapColumns(meta: Meta, alias: string): Columns {
  const cached = columnMappings.get(meta) ?? new Map<string, Columns>();
  const columns = cached.get(alias) ?? (meta.createColumnMappingObject(alias) as unknown as Columns);
  columnMappings.set(meta, cached.set(alias, columns));
  return columns;
}

/** Returns the column of a property, or its formula. */
export function compileColumn(meta: Meta, property: EntityProperty, alias: string): string {
  if (!property.formula) return `${alias}.${property.fieldNames[0]}`;
  const table = { alias, name: meta.tableName, qualifiedName: meta.tableName, toString: () => alias };
  return `(${property.formula(mapColumns(meta, alias) as never, table)})`;
}

/** Returns what the rows of an entity are selected from: its table, or the query of an entity without one. */
export const compileSource = (meta: Meta): string =>
  meta.expression ? `(${meta.expression as string})` : meta.tableName;

/** Returns the entity's own condition on the rows that a caller can see, if it has one. */
export function compileVisibility(meta: Meta, alias: string, viewer: Viewer): string[] {
  const condition = getRules(meta).visibleWhere?.(mapColumns(meta, alias), viewer);
  return condition ? [condition] : [];
}

/** Finds the property that identifies a record. */
export const findKey = (meta: Meta): EntityProperty =>
  meta.primaryKeys.length ? meta.getPrimaryProp() : meta.properties[getRules(meta).key!]!;

export interface Join {
  from: string;
  on: string;
}

/** Joins the table of a related entity, as `related`, to the row of `alias`. */
export function compileJoin(property: EntityProperty, alias: string, related: string): Join {
  const meta = property.targetMeta!;
  const table = compileSource(meta);
  const key = findKey(meta).fieldNames[0];
  if (property.kind === ReferenceKind.MANY_TO_MANY) {
    const pivot = `${related}x`;
    const onKey = `${related}.${key} = ${pivot}.${property.inverseJoinColumns[0]}`;
    return {
      from: `${property.pivotTable} ${pivot} join ${table} ${related} on ${onKey}`,
      on: `${pivot}.${property.joinColumns[0]} = ${alias}.id`,
    };
  }
  if (property.owner || property.kind === ReferenceKind.MANY_TO_ONE)
    return { from: `${table} ${related}`, on: `${related}.${key} = ${alias}.${property.fieldNames[0]}` };
  const inverse = meta.properties[property.mappedBy as never] as EntityProperty;
  const ownKey = findKey(inverse.targetMeta!).fieldNames[0];
  return { from: `${table} ${related}`, on: `${related}.${inverse.fieldNames[0]} = ${alias}.${ownKey}` };
}

export type Order = { field: string; direction: 'asc' | 'desc' }[];

/** Returns the requested order, else the entity's own, always ending in its key: a keyset needs a total order. */
export function resolveOrder(meta: Meta, requested?: Order | null): Order {
  const own = getRules(meta).order ?? [{ field: 'id', direction: 'asc' }];
  if (!requested?.length) return own;
  // Only the first mention of a field has an effect, so that an order is never longer than the list of fields.
  const steps = new Map<string, Order[number]>();
  for (const step of [...requested, own.at(-1)!]) if (!steps.has(step.field)) steps.set(step.field, step);
  return [...steps.values()];
}

/** Stands for a timestamp that is not set, which sorts last; the same text in SQL and in cursors. */
export const unsetTimestamp = 'infinity';

/** Returns the expression that rows are sorted by. It is never null, because a cursor cannot compare with null. */
export const compileSortKey = (meta: Meta, property: EntityProperty, alias: string): string =>
  property.nullable && isTimestamp(property)
    ? `coalesce(${compileColumn(meta, property, alias)}, ${quoteLiteral(unsetTimestamp)})`
    : compileColumn(meta, property, alias);

/** Returns the `order by` list. Text is sorted by code point, which is the same on every database. */
export const compileOrder = (meta: Meta, order: Order, alias: string): string =>
  order
    .map(({ field, direction }) => {
      const property = meta.properties[field] as EntityProperty;
      const collation = property.type === 'text' ? ' collate "C"' : '';
      return `${compileSortKey(meta, property, alias)}${collation} ${direction}`;
    })
    .join(', ');

/**
 * The alias of the row subselect. `row_to_json(x)` prefers a column called x, and GraphQL aliases become column names,
 * so it must be a name that no GraphQL alias can have: those never begin with a digit.
 */
export const recordAlias = '"0"';

/**
 * The key of the concrete type in rows for execution. No GraphQL alias can replace it, since it begins with a digit.
 */
export const typeKey = '0kind';

/** A subselect under `recordAlias`, and the expressions that make JSON of its rows. */
interface CompiledRows {
  from: string;
  /** The argument of json_agg: the row itself, which is cheaper to aggregate than its JSON. */
  row: string;
  /** The JSON of a single row. */
  json: string;
}

/** Compiled rows without their `from ... where ...` clause, which goes between `before` and `after`. */
interface RowsTemplate extends Omit<CompiledRows, 'from'> {
  before: string;
  after: string;
}

const fillTemplate = ({ before, after, row, json }: RowsTemplate, tail: string): CompiledRows => ({
  from: `${before} ${tail}${after}`,
  row,
  json,
});

/**
 * Cache of compiled select lists by selection, since compiling takes longer than the rest of a read in this process.
 * Skipped where a field below has an argument, because that adds parameters. Cleared when its texts reach the limit.
 */
let templates = new WeakMap<Selection, Map<string, RowsTemplate>>();
let cachedCharacters = 0;
const maximumCachedCharacters = 4_000_000;

/** Compiles the selection of rows that `tail` (from ... where ... order by ...) calls `alias`. */
export function compileRows(
  meta: Meta,
  selection: Selection,
  alias: string,
  statement: Statement,
  tail: string,
): CompiledRows {
  const isGiven = ({ value }: ArgumentNode) =>
    value.kind !== Kind.VARIABLE || statement.variables[value.name.value] != null;
  if (selection.fieldsWithArguments.some(({ node }) => node.arguments!.some(isGiven)))
    return fillTemplate(compileTemplate(meta, selection, alias, statement), tail);
  const { caller, outputMode, maximumListSize } = statement.options;
  const scope = caller.kind === 'token' ? caller.scope : caller.kind;
  const cacheKey = `${alias} ${outputMode} ${maximumListSize} ${scope}`;
  const cached = templates.get(selection)?.get(cacheKey);
  if (cached) return fillTemplate(cached, tail);
  const template = compileTemplate(meta, selection, alias, statement);
  cachedCharacters += template.before.length + template.after.length;
  if (cachedCharacters > maximumCachedCharacters) {
    templates = new WeakMap();
    cachedCharacters = 0;
  }
  templates.set(selection, (templates.get(selection) ?? new Map()).set(cacheKey, template));
  return fillTemplate(template, tail);
}

function compileTemplate(meta: Meta, selection: Selection, alias: string, statement: Statement): RowsTemplate {
  if (selection.fieldsByType.size > 1) return compileInterfaceTemplate(meta, selection, alias, statement);
  const [[type, fields]] = selection.fieldsByType as unknown as [[string, SelectedField[]]];
  const list = fields.map(field => `${compileField(meta, type, field, alias, statement)} as "${field.key}"`);
  return {
    before: `(select ${list.join(', ')}`,
    after: `) ${recordAlias}`,
    row: recordAlias,
    json: `row_to_json(${recordAlias})`,
  };
}

/**
 * Compiles the selection of an interface. An inner select computes each expression once (c0, c1, ...), and the outer
 * one chooses those of the concrete type, which the entity's `kind` property names.
 */
function compileInterfaceTemplate(meta: Meta, selection: Selection, alias: string, statement: Statement): RowsTemplate {
  const names = new Map<string, string>();
  const expressions = new Map<SelectedField, string>();
  const compute = (type: string, field: SelectedField): string => {
    const expression = expressions.get(field) ?? compileField(meta, type, field, alias, statement);
    const name = names.get(expression) ?? `c${names.size}`;
    expressions.set(field, expression);
    names.set(expression, name);
    return `k.${name}`;
  };
  const branches = [...selection.fieldsByType].map(([type, fields]) => {
    const list = fields.map(field => {
      const expression = field.name === '__typename' ? quoteLiteral(type) : compute(type, field);
      return `${expression} as "${field.key}"`;
    });
    if (statement.options.outputMode === 'execution') list.push(`${quoteLiteral(type)} as "${typeKey}"`);
    const record = `(select ${list.join(', ')}) ${recordAlias}`;
    return `when ${quoteLiteral(type)} then (select row_to_json(${recordAlias}) from ${record})`;
  });
  const inner = [...names].map(([expression, name]) => `${expression} as ${name}, `).join('');
  const kind = compileColumn(meta, meta.properties.kind as EntityProperty, alias);
  return {
    before: `(select case k.kind ${branches.join(' ')} end as j from (select ${inner}${kind} as kind`,
    after: `) k) ${recordAlias}`,
    row: `${recordAlias}.j`,
    json: `${recordAlias}.j`,
  };
}

/** Compiles one field to an expression with the value that the client gets. */
function compileField(meta: Meta, type: string, field: SelectedField, alias: string, statement: Statement): string {
  if (field.name === '__typename') return quoteLiteral(type);
  const property = meta.properties[field.name] as EntityProperty | undefined;
  if (!property) throw new Error(`${meta.className} has no property for the field ${field.name}`);
  if (!field.selection) return compileLeaf(property, compileColumn(meta, property, alias), field, statement);
  return compileRelation(property, field, field.selection, alias, statement);
}

function compileRelation(
  property: EntityProperty,
  field: SelectedField,
  selection: Selection,
  alias: string,
  statement: Statement,
): string {
  const meta = property.targetMeta!;
  const table = statement.nextAlias();
  const { from, on } = compileJoin(property, alias, table);
  const conditions = [on, ...compileVisibility(meta, table, statement.options.caller.kind)];
  if (property.kind === ReferenceKind.MANY_TO_ONE || property.kind === ReferenceKind.ONE_TO_ONE) {
    const template = compileTemplate(meta, selection, table, statement);
    const one = fillTemplate(template, `from ${from} where ${conditions.join(' and ')}`);
    return `(select ${one.json} from ${one.from})`;
  }
  const limits = statement.childLimits(meta, table, field, statement);
  const where = [...conditions, ...limits.conditions].join(' and ');
  const order = compileOrder(meta, resolveOrder(meta), table);
  const tail = `from ${from} where ${where} order by ${order} limit ${limits.limit}`;
  const many = fillTemplate(compileTemplate(meta, selection, table, statement), tail);
  return `(select coalesce(json_agg(${many.row}), '[]') from ${many.from})`;
}

function compileLeaf(property: EntityProperty, sql: string, field: SelectedField, { options }: Statement): string {
  if (isTimestamp(property)) return compileTimestamp(sql);
  if (options.outputMode !== 'graphql') return sql;
  const type = getNamedType(field.field.type) as GraphQLLeafType;
  const isArray = property.type.endsWith('[]');
  if (isEnumType(type)) {
    const names = type
      .getValues()
      .map(({ name, value }) => `when ${quoteLiteral(value)} then ${quoteLiteral(name)}`)
      .join(' ');
    return isArray
      ? `array(select case one ${names} end from unnest(${sql}) with ordinality of_list(one, n) order by n)`
      : `case ${sql} ${names} end`;
  }
  return type.name === 'ID' ? `${sql}::text${isArray ? '[]' : ''}` : sql;
}

export const isTimestamp = (property: EntityProperty) =>
  property.runtimeType === 'Date' || property.type === 'timestamptz';

/** Formats a timestamp as the API does; PostgreSQL's own JSON has microseconds and an offset. */
export const compileTimestamp = (sql: string) => `to_char(${sql} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
