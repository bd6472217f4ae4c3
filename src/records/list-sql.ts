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
  compileSource,
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

/** What a list is compiled from. */
export interface ListRequest {
  meta: Meta;
  selection: Selection;
  /** The conditions that limit the list to the records of its parent. */
  scope: string[];
  listArguments: ListArguments;
  statement: Statement;
}

interface PageWindow {
  meta: Meta;
  statement: Statement;
  order: Order;
  page: number;
  limit: number;
  offset: number;
  after: string | null | undefined;
  /** `from ... where ...` of the whole list, and of what follows the cursor. */
  all: string;
  rest: string;
}

const rowAlias = 'l';

function createPageWindow({ meta, scope, listArguments, statement }: ListRequest): PageWindow {
  const { orderBy, after, first, perPage, page, filter } = listArguments;
  const order = resolveOrder(meta, orderBy);
  const limit = first ?? perPage ?? 25;
  const where = [
    ...scope,
    ...compileVisibility(meta, rowAlias, statement.options.caller.kind),
    ...compileFilter(filter, meta, rowAlias, statement),
  ];
  const all = `from ${compileSource(meta)} ${rowAlias} where ${where.join(' and ') || 'true'}`;
  return {
    meta,
    statement,
    order,
    page: page ?? 1,
    limit,
    offset: after ? 0 : ((page ?? 1) - 1) * limit,
    after,
    all,
    rest: after ? `${all} and ${compileAfter(meta, order, after, statement)}` : all,
  };
}

/**
 * Compiles a list to a select of one row: its JSON as `body`, and `is_full` where `isPaginationOptional`. The CTE `s`
 * holds the rows of the page, `total` the count of all. A field that is not selected costs nothing, since PostgreSQL
 * does not run a CTE that nothing refers to.
 */
export function compileList(request: ListRequest): string {
  const { meta, selection, statement } = request;
  const pageWindow = createPageWindow(request);
  const { order, limit, offset, rest } = pageWindow;
  const offsetClause = offset ? ` offset ${offset}` : '';
  const ordered = `${rest} order by ${compileOrder(meta, order, rowAlias)} limit ${limit}${offsetClause}`;
  const fields = fieldsOf(selection);
  if (isPaginationOptional(request)) {
    const required = fields.filter(({ name }) => name !== 'pagination');
    const list = compileSinglePass(meta, required, ordered, statement);
    const count = fields.find(({ name }) => name === 'count');
    if (!list || !count) throw new Error('A list of /v1 consists of nodes, count and pagination');
    return selectJson(list, `, ${recordAlias}."${count.key}" = ${limit} as is_full`);
  }
  const singlePass = compileSinglePass(meta, fields, ordered, statement);
  if (singlePass) return selectJson(singlePass);
  const object = compileObject(selection, listFields, pageWindow);
  return `with s as (select ${rowAlias}.* ${ordered}), ${compileTotal(pageWindow)} ${selectJson(object)}`;
}

/**
 * Whether a list shows its `pagination` only where it is truncated: a list of /v1 that is requested without `page`.
 * Most lists are complete, so the statement does not count the whole list: a full one is counted by another.
 */
const isPaginationOptional = ({ selection, listArguments, statement }: ListRequest): boolean =>
  statement.options.outputMode === 'rest' &&
  listArguments.page == null &&
  fieldsOf(selection).some(({ name }) => name === 'pagination');

/** Compiles the pagination of a list to a select of one row: its JSON as `body`, null where the list is complete. */
export function compileTruncation(request: ListRequest): string {
  const pageWindow = createPageWindow(request);
  const { selection } = fieldsOf(request.selection).find(({ name }) => name === 'pagination')!;
  const json = listFields.pagination!(pageWindow, selection!);
  const isTruncated = `${total} > ${pageWindow.limit}`;
  return `with ${compileTotal(pageWindow)} select case when ${isTruncated} then ${json}::text end as body`;
}

/** Adds the pagination to the JSON of a list, as its last key. */
export function addPagination(body: string, pagination: string, selection: Selection): string {
  const { key } = fieldsOf(selection).find(({ name }) => name === 'pagination')!;
  return `${body.slice(0, -1)},"${key}":${pagination}}`;
}

const fieldsOf = ({ fieldsByType }: Selection): SelectedField[] => [...fieldsByType.values()][0]!;
const compileTotal = ({ all }: PageWindow) => `total as (select count(*)::integer as n ${all})`;
const selectJson = (select: string, columns = '') =>
  `select row_to_json(${recordAlias})::text as body${columns} from (${select}) ${recordAlias}`;

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

type FieldTable = Record<string, (pageWindow: PageWindow, selection: Selection) => string>;

const compileObject = (selection: Selection, table: FieldTable, pageWindow: PageWindow): string => {
  const compileValue = ({ name, selection: below }: SelectedField) =>
    name === '__typename' ? quoteLiteral(selection.type.name) : table[name]!(pageWindow, below!);
  return `select ${fieldsOf(selection)
    .map(field => `${compileValue(field)} as "${field.key}"`)
    .join(', ')}`;
};
const nested =
  (table: FieldTable) =>
  (pageWindow: PageWindow, selection: Selection): string =>
    `(select row_to_json(${recordAlias}) from (${compileObject(selection, table, pageWindow)}) ${recordAlias})`;

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

const reverse = (order: Order): Order =>
  order.map(({ field, direction }) => ({ field, direction: direction === 'asc' ? 'desc' : 'asc' }));

const compileEndCursor = (meta: Meta, order: Order, sorted: Order) =>
  `(select ${compileCursor(meta, order, 's')} from s order by ${compileOrder(meta, sorted, 's')} limit 1)`;

const pageInfo: FieldTable = {
  hasNextPage: ({ rest, offset, limit }) => `exists (select 1 ${rest} offset ${offset + limit})`,
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
  pagination: nested(pagination),
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
