import type { EntityProperty } from '@mikro-orm/core';
import { quoteLiteral } from '../core/sql-literal.js';
import { bindTyped, compileFilter, type Filter, invalidCursor } from './filter-sql.js';
import type { Meta } from './column-mapping.js';
import { compileRows, recordAlias } from './select-sql.js';
import type { SelectedField, Selection } from './selection.js';
import type { Statement } from './statement.js';
import {
  compileColumn,
  compileOrder,
  compileSortKey,
  compileTimestamp,
  compileVisibility,
  isTimestamp,
  type Order,
  resolveOrder,
  unsetTimestamp,
} from './table-sql.js';

/** Which page of a list: by number (`page`, `perPage`), or after a cursor (`first`, `after`). */
export interface ListArguments {
  filter?: Filter | null;
  orderBy?: { field: string; direction: 'asc' | 'desc' }[] | null;
  page?: number | null;
  perPage?: number | null;
  first?: number | null;
  after?: string | null;
}

interface PageWindow {
  meta: Meta;
  statement: Statement;
  order: Order;
  page: number;
  limit: number;
  offset: number;
  after: string | null | undefined;
  /** Whether a row follows this page, as an expression. */
  hasNext: string;
}

const rowAlias = 'l';
/** Begins with a digit for the reason that `recordAlias` does. */
const listAlias = '"0list"';

/**
 * Compiles the JSON object of a list to one expression. The CTE `s` holds the rows of the page, `total` the count of
 * all. A field that is not selected costs nothing, since PostgreSQL does not run a CTE that nothing refers to.
 */
export function compileList(
  meta: Meta,
  selection: Selection,
  from: string,
  scope: string[],
  listArguments: ListArguments,
  statement: Statement,
): string {
  const order = resolveOrder(meta, listArguments.orderBy);
  const limit = listArguments.first ?? listArguments.perPage ?? 25;
  const page = listArguments.page ?? 1;
  const offset = listArguments.after ? 0 : (page - 1) * limit;
  const where = [
    ...scope,
    ...compileVisibility(meta, rowAlias, statement.options.caller.kind),
    ...compileFilter(listArguments.filter, meta, rowAlias, statement),
  ];
  const all = `from ${from} ${rowAlias} where ${where.join(' and ') || 'true'}`;
  const rest = listArguments.after ? `${all} and ${compileAfter(meta, order, listArguments.after, statement)}` : all;
  const offsetClause = offset ? ` offset ${offset}` : '';
  const ordered = `${rest} order by ${compileOrder(meta, order, rowAlias)} limit ${limit}${offsetClause}`;
  const totalCte = `total as (select count(*)::integer as n ${all})`;
  const pageWindow: PageWindow = {
    meta,
    statement,
    order,
    page,
    limit,
    offset,
    after: listArguments.after,
    hasNext: `exists (select 1 ${rest} offset ${offset + limit})`,
  };
  const fields = [...selection.fieldsByType.values()][0]!;
  // A list of /v1 that is requested without `page` has `pagination` only where it is truncated.
  const isPaginationOptional = statement.options.outputMode === 'rest' && listArguments.page == null;
  const required = isPaginationOptional ? fields.filter(({ name }) => name !== 'pagination') : fields;
  const singlePass = compileSinglePass(meta, required, ordered, statement);
  if (singlePass && required.length === fields.length) return toJson(singlePass);
  const countKey = fields.find(({ name }) => name === 'count')?.key;
  if (singlePass && countKey) return compileTruncatable(singlePass, countKey, fields, totalCte, pageWindow);
  const object = compileObject(selection, listFields, pageWindow);
  return `(with s as (select ${rowAlias}.* ${ordered}), ${totalCte} ${selectJson(object)})`;
}

const selectJson = (select: string) => `select row_to_json(${recordAlias}) from (${select}) ${recordAlias}`;
const toJson = (select: string) => `(${selectJson(select)})`;

/**
 * Compiles a list of which only `nodes` and `count` are selected, as most are: one scan gives both, without CTEs, which
 * makes it 5 % faster. Null where anything else is selected.
 */
function compileSinglePass(
  meta: Meta,
  fields: readonly SelectedField[],
  ordered: string,
  statement: Statement,
): string | null {
  const nodes = fields.filter(({ name }) => name === 'nodes');
  if (nodes.length !== 1 || fields.some(({ name }) => name !== 'nodes' && name !== 'count')) return null;
  const many = compileRows(meta, nodes[0]!.selection!, rowAlias, statement, ordered);
  const list = fields.map(
    ({ name, key }) => `${name === 'count' ? 'count(*)' : `coalesce(json_agg(${many.row}), '[]')`} as "${key}"`,
  );
  return `select ${list.join(', ')} from ${many.from}`;
}

/**
 * Compiles a list that has `pagination` only where it is truncated. All records are counted only where the list is
 * full, since PostgreSQL runs the CTE at its first use.
 */
function compileTruncatable(
  singlePass: string,
  countKey: string,
  fields: readonly SelectedField[],
  totalCte: string,
  pageWindow: PageWindow,
): string {
  const withPagination = fields.map(({ name, key, selection }) => {
    const value = name === 'pagination' ? compilePagination(pageWindow, selection!) : `${listAlias}."${key}"`;
    return `${value} as "${key}"`;
  });
  const isTruncated = `${listAlias}."${countKey}" = ${pageWindow.limit} and ${total} > ${pageWindow.limit}`;
  return `(with ${totalCte}
    select case when ${isTruncated} then ${toJson(`select ${withPagination.join(', ')}`)}
    else row_to_json(${listAlias}) end
    from (${singlePass}) ${listAlias})`;
}

type FieldTable = Record<string, (pageWindow: PageWindow, selection: Selection) => string>;

const compileObject = (selection: Selection, table: FieldTable, pageWindow: PageWindow): string => {
  const fields = [...selection.fieldsByType.values()][0]!;
  const compileValue = ({ name, selection: below }: SelectedField) =>
    name === '__typename' ? quoteLiteral(selection.type.name) : table[name]!(pageWindow, below!);
  return `select ${fields.map(field => `${compileValue(field)} as "${field.key}"`).join(', ')}`;
};
const nested =
  (table: FieldTable) =>
  (pageWindow: PageWindow, selection: Selection): string =>
    toJson(compileObject(selection, table, pageWindow));

const total = '(select n from total)';
const compilePages = ({ limit }: PageWindow) => `((${total} + ${limit - 1}) / ${limit})`;

const pagination: FieldTable = {
  current: ({ page }) => `${page}`,
  previous: ({ page }) => (page > 1 ? `${page - 1}` : 'null::integer'),
  next: pageWindow => `case when ${compilePages(pageWindow)} > ${pageWindow.page} then ${pageWindow.page + 1} end`,
  perPage: ({ limit }) => `${limit}`,
  pages: compilePages,
  count: () => total,
};

const compilePagination = nested(pagination);

const reverse = (order: Order): Order =>
  order.map(({ field, direction }) => ({ field, direction: direction === 'asc' ? 'desc' : 'asc' }));

const compileEndCursor = (meta: Meta, order: Order, sorted: Order) =>
  `(select ${compileCursor(meta, order, 's')} from s order by ${compileOrder(meta, sorted, 's')} limit 1)`;

const pageInfo: FieldTable = {
  hasNextPage: ({ hasNext }) => hasNext,
  hasPreviousPage: ({ offset, after }) => `${offset > 0 || Boolean(after)}`,
  startCursor: ({ meta, order }) => compileEndCursor(meta, order, order),
  endCursor: ({ meta, order }) => compileEndCursor(meta, order, reverse(order)),
};

/** The fields of an edge, computed from its row, whose alias is `e`. */
const edge: FieldTable = {
  cursor: ({ meta, order }) => compileCursor(meta, order, 'e'),
  node: ({ meta, statement }, selection) => {
    const node = compileRows(meta, selection, 'e', statement, '');
    return `(select ${node.json} from ${node.from})`;
  },
};

const listFields: FieldTable = {
  nodes: ({ meta, statement, order }, selection) => {
    const alias = statement.nextAlias();
    const tail = `from s ${alias} order by ${compileOrder(meta, order, alias)}`;
    const many = compileRows(meta, selection, alias, statement, tail);
    return `(select coalesce(json_agg(${many.row}), '[]') from ${many.from})`;
  },
  edges: (pageWindow, selection) => {
    const order = compileOrder(pageWindow.meta, pageWindow.order, 'e');
    const edges = `(${compileObject(selection, edge, pageWindow)} from s e order by ${order}) ${recordAlias}`;
    return `(select coalesce(json_agg(${recordAlias}), '[]') from ${edges})`;
  },
  count: () => '(select count(*) from s)',
  totalCount: () => total,
  pagination: compilePagination,
  pageInfo: nested(pageInfo),
};

const propertyOf = (meta: Meta, field: string) => meta.properties[field] as EntityProperty;

/**
 * Compiles the cursor of a row: base64 of the order and of the row's sort keys, the unique one last. It stays valid
 * when rows are added or deleted before it.
 */
function compileCursor(meta: Meta, order: Order, alias: string): string {
  const values = order.map(({ field }) => {
    const value = compileColumn(meta, propertyOf(meta, field), alias);
    return isTimestamp(propertyOf(meta, field))
      ? `coalesce(${compileTimestamp(value)}, ${quoteLiteral(unsetTimestamp)})`
      : value;
  });
  const array = `json_build_array(${[quoteLiteral(serializeOrder(order)), ...values].join(', ')})`;
  // encode() breaks lines after 76 characters.
  return `translate(encode(convert_to(${array}::text, 'UTF8'), 'base64'), E'\\n', '')`;
}

const serializeOrder = (order: Order): string => order.map(({ field, direction }) => `${field} ${direction}`).join();

/**
 * Compiles the keyset condition "after this cursor": beyond in the first sort key, or equal in it and beyond in the
 * second, and so on. No row comparison, since directions can differ.
 */
function compileAfter(meta: Meta, order: Order, cursor: string, statement: Statement): string {
  const values = parseCursor(cursor, order);
  const comparisons = order.map(({ field, direction }, index) => {
    const sql = compileSortKey(meta, propertyOf(meta, field), rowAlias);
    const value = bindTyped(propertyOf(meta, field), values[index], statement);
    return { equal: `${sql} = ${value}`, beyond: `${sql} ${direction === 'asc' ? '>' : '<'} ${value}` };
  });
  const steps = comparisons.map(({ beyond }, index) =>
    [...comparisons.slice(0, index).map(({ equal }) => equal), beyond].join(' and '),
  );
  return `(${steps.map(step => `(${step})`).join(' or ')})`;
}

function parseCursor(cursor: string, order: Order): (string | number)[] {
  try {
    const [name, ...values] = JSON.parse(Buffer.from(cursor, 'base64').toString('utf8')) as unknown[];
    const isValue = (value: unknown) => typeof value === 'string' || typeof value === 'number';
    if (name === serializeOrder(order) && values.length === order.length && values.every(isValue))
      return values as (string | number)[];
  } catch {}
  throw invalidCursor();
}
