import { type EntityProperty, ReferenceKind } from '@mikro-orm/core';
import { quoteLiteral } from '../core/sql-literal.js';
import { mapColumns, type Meta } from './column-mapping.js';
import type { ParentExpression } from './computed-field.js';
import { getRules, type Viewer } from './record-rules.js';
import type { ParentRow } from './statement.js';

/**
 * Compiles the parts of a statement that do not depend on a selection: columns, tables, joins and orders. MikroORM's
 * metadata is the only mapping (columns, formulas, relations), so a new field is one line in an entity.
 */

/** The column of a property, or its formula. `parent` is the row that a relation leads to, if it is in scope. */
export function compileColumn(meta: Meta, property: EntityProperty, alias: string, parent?: ParentRow): string {
  const { parentExpression } = property as { parentExpression?: ParentExpression };
  if (parentExpression) return compileParentExpression(meta, parentExpression, alias, parent);
  if (!property.formula) return `${alias}.${property.fieldNames[0]}`;
  const table = { alias, name: meta.tableName, qualifiedName: meta.tableName, toString: () => alias };
  return `(${property.formula(mapColumns(meta, alias) as never, table)})`;
}

function compileParentExpression(
  meta: Meta,
  { relation, compile }: ParentExpression,
  alias: string,
  parent: ParentRow | undefined,
): string {
  const property = meta.properties[relation] as EntityProperty;
  const compileWith = (other: string) => compile(mapColumns(meta, alias), mapColumns(property.targetMeta!, other));
  if (parent?.relation === relation) return `(${compileWith(parent.alias)})`;
  const other = `${alias}p`;
  const { from, on } = compileJoin(meta, property, alias, other);
  return `(select ${compileWith(other)} from ${from} where ${on})`;
}

/** Returns the columns that an entity is made of. */
export const compileColumns = (meta: Meta, alias: string): string =>
  meta.comparableProps.flatMap(({ fieldNames }) => fieldNames.map(name => `${alias}.${name}`)).join(', ');

/** Returns what the rows of an entity are selected from: its table, or the query of an entity without one. */
export const compileSource = (meta: Meta): string =>
  meta.expression ? `(${meta.expression as string})` : meta.tableName;

/** Returns the entity's own condition on the rows that a caller can see, if it has one. */
export function compileVisibility(meta: Meta, alias: string, viewer: Viewer): string[] {
  const condition = getRules(meta).visibleWhere?.(mapColumns(meta, alias), viewer);
  return condition ? [condition] : [];
}

/** Returns the condition on a row that is reached by the id of a record below it alone, if the entity has one. */
export function compileGuessability(meta: Meta, alias: string, viewer: Viewer): string[] {
  const condition = getRules(meta).guessableWhere?.(mapColumns(meta, alias), viewer);
  return condition ? [condition] : [];
}

/** The condition that limits rows to some pages, by the shortest way to the page. Undefined: they belong to no page. */
export function compilePageLimit(meta: Meta, alias: string, pages: string): string | undefined {
  const { limitToPages, isAggregateRoot } = getRules(meta);
  if (limitToPages) return limitToPages(mapColumns(meta, alias), pages);
  if (isAggregateRoot) return `${alias}.${findKey(meta).fieldNames[0]} = any(${pages})`;
  const pageColumn = findPageColumn(meta);
  if (pageColumn) return `${alias}.${pageColumn} = any(${pages})`;
  for (const { targetMeta, fieldNames } of findParents(meta)) {
    const parent = `${alias}p`;
    const limit = compilePageLimit(targetMeta!, parent, pages);
    if (!limit) continue;
    const on = `${parent}.${findKey(targetMeta!).fieldNames[0]} = ${alias}.${fieldNames[0]}`;
    return `exists (select 1 from ${compileSource(targetMeta!)} ${parent} where ${on} and ${limit})`;
  }
  return undefined;
}

const findParents = (meta: Meta): EntityProperty[] =>
  (meta.relations as EntityProperty[]).filter(
    ({ kind, owner, nullable, fieldNames }) =>
      (kind === ReferenceKind.MANY_TO_ONE || owner) && !nullable && fieldNames?.length === 1,
  );

/** Returns the column with the page of a row. Undefined: the row has none, or belongs to it through another row. */
export const findPageColumn = (meta: Meta): string | undefined =>
  findParents(meta).find(({ targetMeta }) => getRules(targetMeta!).isAggregateRoot)?.fieldNames[0];

export const findKey = (meta: Meta): EntityProperty =>
  meta.primaryKeys.length ? meta.getPrimaryProp() : meta.properties[getRules(meta).key!]!;

/** Finds the property with the name of a row's GraphQL type, where the entity is an interface with several types. */
export function findDiscriminator(meta: Meta): EntityProperty {
  const { discriminator } = getRules(meta);
  if (!discriminator) throw new Error(`${meta.className} is an interface, but its rules name no discriminator`);
  return meta.properties[discriminator] as EntityProperty;
}

interface Join {
  from: string;
  on: string;
}

/** Joins the table of a related entity, as `related`, to the row of `alias`, which is one of `owner`. */
export function compileJoin(owner: Meta, property: EntityProperty, alias: string, related: string): Join {
  const meta = property.targetMeta!;
  const table = compileSource(meta);
  const condition = getRules(owner).relationConditions?.[property.name];
  if (condition)
    return { from: `${table} ${related}`, on: condition(mapColumns(owner, alias), mapColumns(meta, related)) };
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

export const isToOne = ({ kind }: EntityProperty) =>
  kind === ReferenceKind.MANY_TO_ONE || kind === ReferenceKind.ONE_TO_ONE;

export const isTimestamp = (property: EntityProperty) =>
  property.runtimeType === 'Date' || property.type === 'timestamptz';

/** Formats a timestamp as the API does; PostgreSQL's own JSON has microseconds and an offset. */
export const compileTimestamp = (sql: string) => `to_char(${sql} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
