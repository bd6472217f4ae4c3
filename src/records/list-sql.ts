import { quoteLiteral } from '../core/sql-literal.js';
import type { Meta } from './column-mapping.js';
import { compileBounds, compileCursor, reverseOrder } from './cursor-sql.js';
import { compileFilter } from './filter-sql.js';
import { type ListArguments, resolveSlice, type Slice } from './list-arguments.js';
import { compileRows, recordAlias } from './select-sql.js';
import type { SelectedField, Selection } from './selection.js';
import type { Statement } from './statement.js';
import { compileOrder, compileVisibility, findKey, type Order, resolveOrder } from './table-sql.js';

export interface ListRequest {
  name: string;
  meta: Meta;
  selection: Selection;
  /** The tables, of which `alias` has the records. */
  from: string;
  alias: string;
  /** The conditions that limit the list to the records of its parent. */
  scope: string[];
  listArguments: ListArguments;
  statement: Statement;
}

interface List extends Slice, Pick<ListRequest, 'meta' | 'from' | 'alias' | 'statement'> {
  order: Order;
  /** `from ... where ...` of the whole list, and of what the cursors leave of it. */
  all: string;
  rest: string;
  /** Whether the rows of the slice are selected, so that counting them costs nothing. */
  hasRows: boolean;
}

function createList({ name, meta, selection, from, alias, scope, listArguments, statement }: ListRequest): List {
  const { filter, orderBy } = listArguments;
  const { maxListSize } = statement.options;
  const slice = resolveSlice(listArguments, maxListSize, name);
  const order = resolveOrder(meta, orderBy);
  const where = [
    ...scope,
    ...compileVisibility(meta, alias, statement),
    ...compileFilter(filter, meta, alias, statement),
  ];
  const all = `from ${from} where ${where.join(' and ') || 'true'}`;
  const rest = [all, ...compileBounds(meta, order, alias, slice, statement)].join(' and ');
  const hasRows = fieldsOf(selection).some(field => field.name === 'nodes' || field.name === 'edges');
  return { ...slice, meta, from, alias, statement, order, all, rest, hasRows };
}

/**
 * Compiles the rows of the slice, in the order in which they are scanned. Skipped rows are not read where an index has
 * their order: the slice is selected by its ids.
 */
function compileSlice({ meta, order, from, alias, rest, limit, offset, isFromEnd }: List): string {
  const scanned = compileOrder(meta, isFromEnd ? reverseOrder(order) : order, alias);
  const slice = `${rest} order by ${scanned} limit ${limit}`;
  if (!offset) return slice;
  const key = `${alias}.${findKey(meta).fieldNames[0]}`;
  return `from ${from} where ${key} in (select ${key} ${slice} offset ${offset}) order by ${scanned}`;
}

/** A select whose single row is the list, after the CTEs that it refers to. */
interface CompiledList {
  ctes: string;
  select: string;
}

/**
 * The CTE `s` holds the rows of the slice, `total` the count of all. A field that is not selected costs nothing, since
 * PostgreSQL does not run a CTE that nothing refers to.
 */
function compileFields(list: List, selection: Selection, fields: readonly SelectedField[]): CompiledList {
  const singlePass = compileSinglePass(list, fields);
  if (singlePass) return { ctes: '', select: singlePass };
  const isFirst = !list.offset && !list.after && !list.before;
  const countAll = list.hasRows && isFirst ? compileShortTotal(list) : compileTotal(list);
  const ctes = `with s as (select ${list.alias}.* ${compileSlice(list)}), ${countAll} `;
  return { ctes, select: compileObject(selection, listFields, list) };
}

/** Compiles a list of related records to an expression, its JSON. */
export function compileNestedList(request: ListRequest): string {
  const { ctes, select } = compileFields(createList(request), request.selection, fieldsOf(request.selection));
  return `(${ctes}select row_to_json(${recordAlias}) from (${select}) ${recordAlias})`;
}

/** Compiles a list to a select of one row: its JSON as `body`, and `is_full` where `isPaginationOptional`. */
export function compileList(request: ListRequest): string {
  const { selection } = request;
  const list = createList(request);
  const fields = fieldsOf(selection);
  if (!isPaginationOptional(request)) return selectJson(compileFields(list, selection, fields));
  const required = fields.filter(({ name }) => name !== 'pagination');
  const count = fields.find(({ name }) => name === 'count');
  if (!count) throw new Error('A list of /v1 consists of nodes, count and pagination');
  return selectJson(
    compileFields(list, selection, required),
    `, ${recordAlias}."${count.key}" = ${list.limit} as is_full`,
  );
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
  const list = createList(request);
  const { selection } = fieldsOf(request.selection).find(({ name }) => name === 'pagination')!;
  const json = listFields.pagination!(list, selection!, '');
  return `with ${compileTotal(list)} select case when ${total} > ${list.limit} then ${json}::text end as body`;
}

/** Adds the pagination to the JSON of a list, as its last key. */
export function addPagination(body: string, pagination: string, selection: Selection): string {
  const { key } = fieldsOf(selection).find(({ name }) => name === 'pagination')!;
  return `${body.slice(0, -1)},"${key}":${pagination}}`;
}

const fieldsOf = ({ fieldsByType }: Selection): SelectedField[] => [...fieldsByType.values()][0]!;
const compileTotal = ({ all }: List) => `total as (select count(*)::integer as n ${all})`;
/** Counts the rows of a first slice that is not full in place of the whole list: a search scans the table once. */
const compileShortTotal = ({ all, limit }: List) =>
  `total as (select case when n < ${limit} then n else (select count(*)::integer ${all}) end as n from ${sliceSize})`;
const sliceSize = '(select count(*)::integer as n from s) slice_size';
const selectJson = ({ ctes, select }: CompiledList, columns = '') =>
  `${ctes}select row_to_json(${recordAlias})::text as body${columns} from (${select}) ${recordAlias}`;

/**
 * Compiles a list of which only `nodes` and `count` are selected, as most are: one scan gives both, without CTEs, which
 * makes it 5 % faster. Null where anything else is selected, or the rows are not scanned in their order.
 */
function compileSinglePass(list: List, fields: readonly SelectedField[]): string | null {
  const { meta, alias, statement, isFromEnd } = list;
  const nodes = fields.filter(({ name }) => name === 'nodes');
  const isSimple = nodes.length === 1 && fields.every(({ name }) => name === 'nodes' || name === 'count');
  if (!isSimple || isFromEnd) return null;
  const many = compileRows(meta, nodes[0]!.selection!, alias, statement, compileSlice(list));
  const values = fields.map(
    ({ name, key }) => `${name === 'count' ? 'count(*)' : `coalesce(json_agg(${many.row}), '[]')`} as "${key}"`,
  );
  return `select ${values.join(', ')} from ${many.from}`;
}

/** Expressions by field. `alias` is that of the row, where there is one. */
type FieldTable = Record<string, (list: List, selection: Selection, alias: string) => string>;

const compileObject = (selection: Selection, table: FieldTable, list: List, alias = ''): string => {
  const compileValue = ({ name, selection: below }: SelectedField) =>
    name === '__typename' ? quoteLiteral(selection.type.name) : table[name]!(list, below!, alias);
  return `select ${fieldsOf(selection)
    .map(field => `${compileValue(field)} as "${field.key}"`)
    .join(', ')}`;
};
const nested =
  (table: FieldTable) =>
  (list: List, selection: Selection): string =>
    `(select row_to_json(${recordAlias}) from (${compileObject(selection, table, list)}) ${recordAlias})`;

const total = '(select n from total)';
const compilePages = ({ limit }: List) => `((${total} + ${limit - 1}) / ${limit})`;

const pagination: FieldTable = {
  current: ({ page }) => `${page}`,
  previous: ({ page }) => (page > 1 ? `${page - 1}` : 'null::integer'),
  next: list => `case when ${compilePages(list)} > ${list.page} then ${list.page + 1} end`,
  perPage: ({ limit }) => `${limit}`,
  pages: compilePages,
  count: () => total,
};

const compileEndCursor = (meta: Meta, order: Order, sorted: Order) =>
  `(select ${compileCursor(meta, order, 's')} from s order by ${compileOrder(meta, sorted, 's')} limit 1)`;

/** Nothing follows a slice that is not full. */
const compileHasMore = ({ rest, offset, limit, hasRows }: List) => {
  const isBeyond = `exists (select 1 ${rest} offset ${offset + limit})`;
  return hasRows ? `(select n = ${limit} and ${isBeyond} from ${sliceSize})` : isBeyond;
};

/** Beyond a cursor there is its own record, if it was not deleted. */
const pageInfo: FieldTable = {
  hasNextPage: list => (list.isFromEnd ? `${Boolean(list.before)}` : compileHasMore(list)),
  hasPreviousPage: list => (list.isFromEnd ? compileHasMore(list) : `${list.offset > 0 || Boolean(list.after)}`),
  startCursor: ({ meta, order }) => compileEndCursor(meta, order, order),
  endCursor: ({ meta, order }) => compileEndCursor(meta, order, reverseOrder(order)),
};

const edge: FieldTable = {
  cursor: ({ meta, order }, _, alias) => compileCursor(meta, order, alias),
  node: ({ meta, statement }, selection, alias) => {
    const node = compileRows(meta, selection, alias, statement, '');
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
  edges: (list, selection) => {
    // Not one alias for all: the edges of a list can contain those of another, which refers to their rows.
    const alias = list.statement.nextAlias();
    const order = compileOrder(list.meta, list.order, alias);
    const edges = `(${compileObject(selection, edge, list, alias)} from s ${alias} order by ${order}) ${recordAlias}`;
    return `(select coalesce(json_agg(${recordAlias}), '[]') from ${edges})`;
  },
  count: () => '(select count(*) from s)',
  totalCount: () => total,
  pagination: nested(pagination),
  pageInfo: nested(pageInfo),
};
