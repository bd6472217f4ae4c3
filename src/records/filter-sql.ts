import { type EntityProperty, ReferenceKind } from '@mikro-orm/core';
import { badRequest } from '../core/errors.js';
import { quoteLiteral } from '../core/sql-literal.js';
import { parseTimestamp, TimeWithoutOffset } from '../core/timestamp.js';
import { findIntegerType, mapColumns, type Meta } from './column-mapping.js';
import { type Operand, type Operator, operators, patternOperators } from './filter-operators.js';
import { getRules } from './record-rules.js';
import type { Statement } from './statement.js';
import { compileColumn, compileJoin, compileVisibility, findPageColumn, unsetTimestamp } from './table-sql.js';

/**
 * The filters of docs/rest-api.md as SQL conditions. A filter has the shape of the GraphQL filter inputs:
 * `{ subject: { cont: 'x' }, components: { state: { eq: 'degraded' } } }`. REST and GraphQL parse the values; here they
 * are checked where PostgreSQL would otherwise raise an error.
 */
export type Filter = { [field: string]: Filter | { [operator in Operator]?: unknown } | unknown };

interface Condition {
  sql: string;
  /** On a related list: "no related record fails it" in place of "at least one meets it". */
  isNegative: boolean;
}

export function compileFilter(
  filter: Filter | null | undefined,
  meta: Meta,
  alias: string,
  statement: Statement,
): string[] {
  return compileConditions(filter, meta, alias, statement, '').map(({ sql }) => sql);
}

/** `prefix` precedes the name of a field in the key of an error: `components.` in `components.state.eq`. */
function compileConditions(
  filter: Filter | null | undefined,
  meta: Meta,
  alias: string,
  statement: Statement,
  prefix: string,
): Condition[] {
  return Object.entries(filter ?? {}).flatMap(([name, requested]) => {
    if (requested === null || requested === undefined) return [];
    const { filterNames } = statement.options;
    const ownKey = filterNames.name(name, meta.className);
    const key = `${prefix}${ownKey}`;
    const compileSpecial = getRules(meta).filterConditions?.[name];
    if (compileSpecial) {
      const ids = mapValues(requested, ownKey, value => checkValue(value, 'bigint', ownKey));
      return [{ sql: compileSpecial(mapColumns(meta, alias), statement.bind(ids)), isNegative: false }];
    }
    const property = meta.properties[name] as EntityProperty;
    const below = `${key}${filterNames.separator}`;
    if (property.targetMeta) return compileRelationFilter(meta, property, requested as Filter, alias, statement, below);
    return Object.entries(requested as object).flatMap(([operator, value]) => {
      if (value === null || value === undefined) return [];
      const operatorKey = `${below}${filterNames.name(operator)}`;
      if (prefix) checkAssociatedSearch(operator as Operator, operatorKey, statement);
      return [compileComparison(meta, property, alias, operator as Operator, value, statement, operatorKey)];
    });
  });
}

/** A pattern is compared with each of the associated records, which is too much work for anonymous callers. */
function checkAssociatedSearch(operator: Operator, key: string, { options: { caller } }: Statement): void {
  if (caller.kind === 'anonymous' && patternOperators.has(operator))
    throw badRequest(
      `The filter ${key} requires a token: without one, cont and matches can be used on the records of the list, but ` +
        'not on associated records. Use another operator, such as eq, or send a token.',
    );
}

/** Each condition counts by itself: different related records can meet different conditions on one association. */
function compileRelationFilter(
  owner: Meta,
  property: EntityProperty,
  filter: Filter,
  alias: string,
  statement: Statement,
  prefix: string,
): Condition[] {
  const related = statement.nextAlias();
  const { from, on } = compileJoin(owner, property, alias, related);
  const ownPage = findPageColumn(owner);
  const relatedPage = findPageColumn(property.targetMeta!);
  // Related records are of one page: without this condition, those of all pages are compared first.
  const ofPage = ownPage && relatedPage ? [`${related}.${relatedPage} = ${alias}.${ownPage}`] : [];
  const base = [on, ...ofPage, ...compileVisibility(property.targetMeta!, related, statement)].join(' and ');
  const isToMany = property.kind === ReferenceKind.ONE_TO_MANY || property.kind === ReferenceKind.MANY_TO_MANY;
  return compileConditions(filter, property.targetMeta!, related, statement, prefix).map(({ sql, isNegative }) =>
    isToMany && isNegative
      ? { sql: `not exists (select 1 from ${from} where ${base} and (${sql}) is not true)`, isNegative }
      : { sql: `exists (select 1 from ${from} where ${base} and ${sql})`, isNegative: false },
  );
}

function compileComparison(
  meta: Meta,
  property: EntityProperty,
  alias: string,
  operator: Operator,
  value: unknown,
  statement: Statement,
  key: string,
): Condition {
  const isNegative = operator === 'notEq' || operator === 'notIn';
  const operand: Operand = {
    sql: compileOperand(meta, property, alias),
    type: toSqlType(property),
    isCaseInsensitive: (getRules(meta).caseInsensitive ?? []).includes(property.name),
  };
  const isArray = property.type === 'string[]';
  if (operator === 'present' || operator === 'blank') {
    if (isArray) {
      const comparison = (operator === 'present') === Boolean(value) ? '>' : '=';
      return { sql: `cardinality(${operand.sql}) ${comparison} 0`, isNegative };
    }
    return { sql: operators[operator](operand, value, statement.bind), isNegative };
  }
  const conditions = getRules(meta).valueConditions?.[property.name]?.(mapColumns(meta, alias));
  if (conditions && (operator === 'eq' || operator === 'in')) {
    const alternatives = [value].flat().map(one => conditions[String(one)] ?? 'false');
    return { sql: `(${alternatives.join(' or ') || 'false'})`, isNegative };
  }
  const isPattern = patternOperators.has(operator);
  const bind = (argument: unknown) => {
    const type = isPattern ? 'text' : operand.type;
    const sql = `${statement.bind(argument)}::${type}${Array.isArray(argument) ? '[]' : ''}`;
    if (!operand.isCaseInsensitive || isPattern) return sql;
    // The database lower-cases both sides, since JavaScript's lower case differs for some characters.
    return Array.isArray(argument) ? `array(select lower(member) from unnest(${sql}) member)` : `lower(${sql})`;
  };
  const ownKey = statement.options.filterNames.name(property.name, meta.className);
  const normalized = isPattern ? value : normalize(meta, property.name, value, ownKey);
  const checked = checkOperand(operator, normalized, operand, key);
  if (!isArray) return { sql: operators[operator](operand, checked, bind), isNegative };
  // Tags are compared one by one, like the records of an association.
  const condition = operators[operator]({ ...operand, sql: 'tag' }, checked, bind);
  const anyTag = `select 1 from unnest(${operand.sql}) tag where`;
  return {
    sql: isNegative ? `not exists (${anyTag} (${condition}) is not true)` : `exists (${anyTag} ${condition})`,
    isNegative,
  };
}

function checkOperand(operator: Operator, value: unknown, { type }: Operand, key: string): unknown {
  if (patternOperators.has(operator)) {
    if (type !== 'text' && type !== 'bigint') throw refuseFilter(key, `can be used on text only.`);
    // The cost of a pattern grows with its length times that of the text.
    if (String(value).length > maxPatternLength)
      throw refuseFilter(key, `takes a text of at most ${maxPatternLength} characters.`);
    return checkValue(value, 'text', key);
  }
  return mapValues(value, key, one => checkValue(one, type, key));
}

function mapValues(value: unknown, key: string, map: (one: unknown) => unknown): unknown {
  if (!Array.isArray(value)) return map(value);
  if (value.length > maxValues) throw refuseFilter(key, `takes at most ${maxValues.toLocaleString('en')} values.`);
  return value.map(one => map(one));
}

const refuseFilter = (key: string, sentence: string) =>
  badRequest(`The filter ${key} ${sentence}`, ['filter', ...key.split('.')]);

const maxValues = 1_000;
const maxPatternLength = 1_000;
const bigintLimit = 2n ** 63n;

function checkValue(value: unknown, type: Operand['type'], key: string): unknown {
  if (type === 'bigint') {
    const digits = String(value).trim();
    if (!/^[+-]?\d{1,30}$/.test(digits) || BigInt(digits) >= bigintLimit || BigInt(digits) < -bigintLimit)
      throw refuseFilter(key, `takes an integer, not "${digits.slice(0, 40)}".`);
    return digits;
  }
  if (type === 'text' && (String(value).includes('\0') || !String(value).isWellFormed())) {
    const shown = JSON.stringify(String(value).slice(0, 60).toWellFormed());
    throw refuseFilter(key, `cannot take ${shown}: it contains a character that is not valid in a text.`);
  }
  if (value instanceof TimeWithoutOffset)
    throw refuseFilter(key, `takes a time with an offset, such as ${value.toISOString()}, not "${value.text}".`);
  return value instanceof Date ? value.toISOString() : value;
}

/** Binds a value of a cursor as the type of its property. */
export function bindTyped(property: EntityProperty, value: unknown, statement: Statement, refuse: () => Error): string {
  const type = toSqlType(property);
  if (type === 'timestamptz' && value === unsetTimestamp) return `${quoteLiteral(unsetTimestamp)}::timestamptz`;
  const timestamp = type === 'timestamptz' ? parseTimestamp(String(value)) : undefined;
  if (timestamp === null) throw refuse();
  const checked = checkValue(timestamp ?? (type === 'text' ? String(value) : value), type, 'cursor');
  return `${statement.bind(checked)}::${type}${type === 'text' ? ' collate "C"' : ''}`;
}

function toSqlType(property: EntityProperty): Operand['type'] {
  if (findIntegerType(property) || property.runtimeType === 'number') return 'bigint';
  if (property.type === 'boolean') return 'boolean';
  return property.type === 'timestamptz' || property.runtimeType === 'Date' ? 'timestamptz' : 'text';
}

/** Returns the entity's own expression for a filter, where it is not the column. */
function compileOperand(meta: Meta, property: EntityProperty, alias: string): string {
  const compileExpression = getRules(meta).filterExpressions?.[property.name];
  return compileExpression ? `(${compileExpression(mapColumns(meta, alias))})` : compileColumn(meta, property, alias);
}

/** Brings a value into the stored format. A value without one stays as it is, and equals nothing. */
function normalize(meta: Meta, name: string, value: unknown, key: string): unknown {
  const normalizer = getRules(meta).normalizers?.[name];
  if (!normalizer) return value;
  return mapValues(value, key, one => normalizer(String(one)) ?? one);
}
