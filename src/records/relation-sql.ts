import type { EntityProperty } from '@mikro-orm/core';
import { getArgumentValues, getNullableType, isListType } from 'graphql';
import { findReadablePages } from '../auth/access.js';
import type { Meta } from './column-mapping.js';
import { compileFilter } from './filter-sql.js';
import type { ListArguments } from './list-arguments.js';
import { compileNestedList } from './list-sql.js';
import { compileRows } from './select-sql.js';
import type { SelectedField, Selection } from './selection.js';
import type { Statement } from './statement.js';
import { compileJoin, compileOrder, compilePageLimit, compileVisibility, isToOne, resolveOrder } from './table-sql.js';

/** Compiles related records to their JSON: one record, a plain list or a connection, by the type of the field. */
export function compileRelation(
  owner: Meta,
  property: EntityProperty,
  { name, field, node, selection }: SelectedField,
  parentAlias: string,
  statement: Statement,
): string {
  const meta = property.targetMeta!;
  const alias = statement.nextAlias();
  const { from, on } = compileJoin(owner, property, parentAlias, alias);
  if (property.mappedBy) statement.parents.set(alias, { relation: property.mappedBy, alias: parentAlias });
  const scope = [on, ...compileReadable(owner, meta, selection!, alias, statement)];
  const visible = [...scope, ...compileVisibility(meta, alias, statement)];
  if (isToOne(property)) {
    const one = compileRows(meta, selection!, alias, statement, `from ${from} where ${visible.join(' and ')}`);
    return `(select ${one.json} from ${one.from})`;
  }
  const listArguments = getArgumentValues(field, node, statement.variables) as ListArguments;
  if (!isListType(getNullableType(field.type)))
    return compileNestedList({ name, meta, selection: selection!, from, alias, scope, listArguments, statement });
  const where = [...visible, ...compileFilter(listArguments.filter, meta, alias, statement)].join(' and ');
  // In GraphQL a plain list is short by its nature; in /v1 all lists are plain.
  const { outputMode, maxListSize } = statement.options;
  const limit = outputMode === 'rest' ? ` limit ${maxListSize}` : '';
  const tail = `from ${from} where ${where} order by ${compileOrder(meta, resolveOrder(meta), alias)}${limit}`;
  const many = compileRows(meta, selection!, alias, statement, tail);
  return `(select coalesce(json_agg(${many.row}), '[]') from ${many.from})`;
}

/** Limits records of a page below one of none, such as a role. Its parameter keeps it from being cached for others. */
function compileReadable(
  owner: Meta,
  meta: Meta,
  { access }: Selection,
  alias: string,
  statement: Statement,
): string[] {
  if (compilePageLimit(owner, alias, '') || !compilePageLimit(meta, alias, '')) return [];
  const pages = `${statement.bind(findReadablePages(statement.caller, ['viewer', ...access.keys()]))}::text[]`;
  return [`(${pages} is null or ${compilePageLimit(meta, alias, pages)})`];
}
