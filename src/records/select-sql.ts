import type { EntityProperty } from '@mikro-orm/core';
import {
  type ArgumentNode,
  getNamedType,
  type GraphQLEnumType,
  type GraphQLLeafType,
  isEnumType,
  type GraphQLNamedType,
  isNonNullType,
  Kind,
} from 'graphql';
import { quoteLiteral } from '../core/sql-literal.js';
import type { Meta } from './column-mapping.js';
import { compileNodeId, nodeIdField } from './node-id.js';
import { compileNullError, compileUnknownTypeError, compileUnknownValueError } from './raise-sql.js';
import { compileRelation } from './relation-sql.js';
import { cacheTemplate, type RowsTemplate, type SelectedField, type Selection } from './selection.js';
import { type OutputMode, type Statement, typeKey } from './statement.js';
import { compileColumn, compileTimestamp, findDiscriminator, isTimestamp, isToOne } from './table-sql.js';

/** Compiles the selection of records to a select list, whose rows become the JSON of the response. */

/**
 * The alias of the row subselect. `row_to_json(x)` prefers a column called x, and GraphQL aliases become column names,
 * so it must be a name that no GraphQL alias can have: those never begin with a digit.
 */
export const recordAlias = '"0"';

/** A subselect under `recordAlias`, and the expressions that make JSON of its rows. */
interface CompiledRows extends Pick<RowsTemplate, 'row' | 'json'> {
  from: string;
}

const fillTemplate = ({ before, after, row, json }: RowsTemplate, tail: string): CompiledRows => ({
  from: `${before} ${tail}${after}`,
  row,
  json,
});

/**
 * Compiles the selection of rows that `tail` (from ... where ... order by ...) calls `alias`. The select list is cached
 * with the selection, since compiling takes longer than the rest of a read in this process; not where a field below has
 * an argument, because that adds parameters.
 */
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
  const { caller, outputMode, maxListSize } = statement.options;
  const parentAlias = statement.parents.get(alias)?.alias;
  const cacheKey = `${alias} ${parentAlias} ${outputMode} ${maxListSize} ${caller.kind}`;
  const cached = selection.templates.get(cacheKey);
  if (cached) return fillTemplate(cached, tail);
  const parameters = statement.values.length;
  const template = compileTemplate(meta, selection, alias, statement);
  // What has parameters, as the visibility of some records, is of this caller alone.
  if (statement.values.length > parameters) return fillTemplate(template, tail);
  cacheTemplate(selection, cacheKey, template);
  return fillTemplate(template, tail);
}

function compileTemplate(meta: Meta, selection: Selection, alias: string, statement: Statement): RowsTemplate {
  if (selection.fieldsByType.size > 1) return compileInterfaceTemplate(meta, selection, alias, statement);
  const [[type, fields]] = selection.fieldsByType as unknown as [[string, SelectedField[]]];
  const list = fields.map(field => {
    const expression = compileField(meta, type, field, alias, statement);
    return `${requireValue(expression, meta, type, field, statement)} as "${field.key}"`;
  });
  if (statement.options.outputMode === 'execution') list.push(`${quoteLiteral(type)} as "${typeKey}"`);
  return {
    before: `(select ${list.join(', ')}`,
    after: `) ${recordAlias}`,
    row: recordAlias,
    json: `row_to_json(${recordAlias})`,
  };
}

/**
 * Compiles the selection of an interface. An inner select computes each expression once (c0, c1, ...) for rows of all
 * types, and the outer one chooses those of the row's own type, which the entity's discriminator names.
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
      if (field.name === '__typename') return `${quoteLiteral(type)} as "${field.key}"`;
      return `${requireValue(compute(type, field), meta, type, field, statement)} as "${field.key}"`;
    });
    if (statement.options.outputMode === 'execution' || selection.hasConversions)
      list.push(`${quoteLiteral(type)} as "${typeKey}"`);
    const record = `(select ${list.join(', ')}) ${recordAlias}`;
    return `when ${quoteLiteral(type)} then (select row_to_json(${recordAlias}) from ${record})`;
  });
  const inner = [...names].map(([expression, name]) => `${expression} as ${name}, `).join('');
  const kind = compileColumn(meta, findDiscriminator(meta), alias);
  const unknown = compileUnknownTypeError(selection.type.name, 'k.kind');
  return {
    before: `(select case k.kind ${branches.join(' ')} else ${unknown} end as j from (select ${inner}${kind} as kind`,
    after: `) k) ${recordAlias}`,
    row: `${recordAlias}.j`,
    json: `${recordAlias}.j`,
  };
}

/** Compiles one field to an expression with the value that the client gets. */
function compileField(meta: Meta, type: string, field: SelectedField, alias: string, statement: Statement): string {
  if (field.name === '__typename') return quoteLiteral(type);
  if (field.name === nodeIdField) return compileNodeId(meta, alias);
  const resolvedFrom = field.field.extensions.resolvedFrom as string[] | undefined;
  if (resolvedFrom) return compileResolverRoot(meta, resolvedFrom, alias);
  const property = meta.properties[field.conversion?.from ?? field.name] as EntityProperty | undefined;
  if (!property) throw new Error(`${meta.className} has no property for the field ${field.name}`);
  if (!field.selection) {
    const column = compileColumn(meta, property, alias, statement.parents.get(alias));
    return compileLeaf(property, column, field, statement);
  }
  return compileRelation(meta, property, field, alias, statement);
}

/** Compiles what the resolver of a field gets: an object of properties. */
const compileResolverRoot = (meta: Meta, properties: readonly string[], alias: string): string => {
  const columns = properties.map(name => {
    const column = compileColumn(meta, meta.properties[name] as EntityProperty, alias);
    return `${quoteLiteral(name)}, ${column}`;
  });
  return `json_build_object(${columns.join(', ')})`;
};

function compileLeaf(property: EntityProperty, sql: string, { field }: SelectedField, { options }: Statement): string {
  if (isTimestamp(property)) return compileTimestamp(sql);
  if (options.outputMode !== 'graphql') return sql;
  const type = getNamedType(field.type) as GraphQLLeafType;
  if (type.name === 'ID') return `${sql}::text${isArray(property) ? '[]' : ''}`;
  if (!isEnumType(type)) return sql;
  const names = compileEnumNames(type);
  if (isArray(property)) {
    const value = `case one ${names} else ${compileUnknownValueError(type.name, "coalesce(one, 'null')")} end`;
    return `array(select ${value} from unnest(${sql}) with ordinality of_list(one, n) order by n)`;
  }
  // A formula may be expensive, so it is not repeated: `requireValue` raises for a value that becomes null.
  const isChecked = property.formula && isNonNullType(field.type);
  return `case ${sql} ${names}${isChecked ? '' : ` else ${compileUnknownValueError(type.name, sql)}`} end`;
}

const isArray = ({ type }: EntityProperty) => type.endsWith('[]');

const compileEnumNames = (type: GraphQLEnumType) =>
  type
    .getValues()
    .map(({ name, value }) => `when ${quoteLiteral(value)} then ${quoteLiteral(name)}`)
    .join(' ');

/**
 * Raises an error where a field that is not nullable has no value, as graphql-js does. Left out for columns that the
 * database itself guards, and where graphql-js completes the response.
 */
function requireValue(
  expression: string,
  meta: Meta,
  type: string,
  { name, field }: SelectedField,
  { options }: Statement,
): string {
  const property = meta.properties[name] as EntityProperty | undefined;
  if (!property || !isNonNullType(field.type) || options.outputMode === 'execution') return expression;
  if (property.targetMeta && !isToOne(property)) return expression;
  if (!property.targetMeta && !property.formula && !property.nullable && !meta.expression) return expression;
  const sqlType = property.targetMeta ? 'json' : toSelectedType(property, getNamedType(field.type), options.outputMode);
  return `coalesce(${expression}, ${compileNullError(`${type}.${name}`, sqlType)})`;
}

/** Returns the SQL type of what `compileLeaf` returns. */
function toSelectedType(property: EntityProperty, type: GraphQLNamedType, outputMode: OutputMode): string {
  if (isTimestamp(property)) return 'text';
  if (outputMode === 'graphql' && (isEnumType(type) || type.name === 'ID'))
    return isArray(property) ? 'text[]' : 'text';
  return property.formula ? property.type : property.columnTypes[0]!;
}
