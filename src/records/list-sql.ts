import type { EntityProperty } from '@mikro-orm/core';
import { badRequest } from '../core/errors.js';
import type { Asked, Selection } from './selection.js';
import { conditions, type Filter, typedParameter } from './filter-sql.js';
import { literal } from '../core/sql-literal.js';
import {
  column,
  isMoment,
  latest,
  type Meta,
  moment,
  type Order,
  orderOf,
  ordered,
  orderSql,
  recordAlias,
  rows,
  type Statement,
  visible,
} from './select-sql.js';

/** How a list is cut: a page of it by number, or what comes after a cursor. */
export interface ListArguments {
  filter?: Filter | null;
  orderBy?: { field: string; direction: 'asc' | 'desc' }[] | null;
  page?: number | null;
  perPage?: number | null;
  first?: number | null;
  after?: string | null;
}

interface Cut {
  meta: Meta;
  statement: Statement;
  order: Order;
  page: number;
  limit: number;
  offset: number;
  after: string | null | undefined;
  /** Whether a row comes after this cut, as an expression. */
  more: string;
}

const row = 'l';

/**
 * The JSON object of a list, as one expression. `s` holds the rows of this cut, `total` the count of all; a field that is not asked for costs nothing,
 * since PostgreSQL does not run a common table expression that nobody reads.
 */
export function listSql(
  meta: Meta,
  selection: Selection,
  from: string,
  scope: string[],
  listed: ListArguments,
  statement: Statement,
): string {
  const order = orderOf(meta, listed.orderBy);
  const limit = listed.first ?? listed.perPage ?? 25;
  const page = listed.page ?? 1;
  const offset = listed.after ? 0 : (page - 1) * limit;
  const all = [
    ...scope,
    ...visible(meta, row, statement.form.caller),
    ...conditions(listed.filter, meta, row, statement),
  ];
  const base = `from ${from} ${row} where ${all.join(' and ') || 'true'}`;
  const rest = listed.after ? `${base} and ${afterSql(meta, order, listed.after, statement)}` : base;
  const skipped = offset ? ` offset ${offset}` : '';
  const inOrder = `${rest} order by ${orderSql(meta, order, row)} limit ${limit}${skipped}`;
  const inOnePass = onePass(meta, selection, inOrder, statement);
  if (inOnePass) return inOnePass;
  const s = `s as (select ${row}.* ${inOrder}), total as (select count(*)::integer as n ${base})`;
  const cut: Cut = {
    meta,
    statement,
    order,
    page,
    limit,
    offset,
    after: listed.after,
    more: `exists (select 1 ${rest} offset ${offset + limit})`,
  };
  return `(with ${s} select row_to_json(${recordAlias}) from (${object(selection, listFields, cut)}) ${recordAlias})`;
}

/** Where the rows and their number are all that is asked, which is most of the time, both come of one look at them: a twentieth faster. */
function onePass(meta: Meta, selection: Selection, ordered: string, statement: Statement): string | null {
  const asked = [...selection.kinds.values()][0]!;
  const nodes = asked.filter(({ name }) => name === 'nodes');
  if (nodes.length !== 1 || asked.some(({ name }) => name !== 'nodes' && name !== 'count')) return null;
  const many = rows(meta, nodes[0]!.selection!, row, statement, ordered);
  const fields = asked.map(
    ({ name, key }) => `${name === 'count' ? 'count(*)' : `coalesce(json_agg(${many.row}), '[]')`} as "${key}"`,
  );
  return `(select row_to_json(${recordAlias}) from (select ${fields.join(', ')} from ${many.from}) ${recordAlias})`;
}

type FieldTable = Record<string, (cut: Cut, selection: Selection) => string>;

const object = (selection: Selection, table: FieldTable, cut: Cut): string => {
  const asked = [...selection.kinds.values()][0]!;
  const value = (one: Asked) =>
    one.name === '__typename' ? literal(selection.type.name) : table[one.name]!(cut, one.selection!);
  return `select ${asked.map(one => `${value(one)} as "${one.key}"`).join(', ')}`;
};
const nested =
  (table: FieldTable) =>
  (cut: Cut, selection: Selection): string =>
    `(select row_to_json(${recordAlias}) from (${object(selection, table, cut)}) ${recordAlias})`;

const total = '(select n from total)';
const pages = ({ limit }: Cut) => `((${total} + ${limit - 1}) / ${limit})`;

const pagination: FieldTable = {
  current: ({ page }) => `${page}`,
  previous: ({ page }) => (page > 1 ? `${page - 1}` : 'null::integer'),
  next: cut => `case when ${pages(cut)} > ${cut.page} then ${cut.page + 1} end`,
  perPage: ({ limit }) => `${limit}`,
  pages,
  count: () => total,
};

const pageInfo: FieldTable = {
  hasNextPage: ({ more }) => more,
  hasPreviousPage: ({ offset, after }) => `${offset > 0 || Boolean(after)}`,
  startCursor: ({ meta, order }) =>
    `(select ${cursorSql(meta, order, 's')} from s order by ${orderSql(meta, order, 's')} limit 1)`,
  endCursor: ({ meta, order }) =>
    `(select ${cursorSql(meta, order, 's')} from s order by ${orderSql(meta, reversed(order), 's')} limit 1)`,
};

/** The fields of an edge belong to the row of the edge, whose alias is `e`. */
const edge: FieldTable = {
  cursor: ({ meta, order }) => cursorSql(meta, order, 'e'),
  node: ({ meta, statement }, selection) => {
    const node = rows(meta, selection, 'e', statement, '');
    return `(select ${node.json} from ${node.from})`;
  },
};

const listFields: FieldTable = {
  nodes: ({ meta, statement, order }, selection) => {
    const alias = statement.alias();
    const many = rows(meta, selection, alias, statement, `from s ${alias} order by ${orderSql(meta, order, alias)}`);
    return `(select coalesce(json_agg(${many.row}), '[]') from ${many.from})`;
  },
  edges: (cut, selection) =>
    `(select coalesce(json_agg(${recordAlias}), '[]') from (${object(selection, edge, cut)} from s e order by ${orderSql(cut.meta, cut.order, 'e')}) ${recordAlias})`,
  count: () => '(select count(*) from s)',
  totalCount: () => total,
  pagination: nested(pagination),
  pageInfo: nested(pageInfo),
};

const reversed = (order: Order): Order =>
  order.map(({ field, direction }) => ({ field, direction: direction === 'asc' ? 'desc' : 'asc' }));

const property = (meta: Meta, field: string) => meta.properties[field] as EntityProperty;

/** The order, and the values that a row is ordered by, id last: where a reader stands, whatever is put in before it. */
function cursorSql(meta: Meta, order: Order, alias: string): string {
  const values = order.map(({ field }) => {
    const value = column(meta, property(meta, field), alias);
    return isMoment(property(meta, field)) ? `coalesce(${moment(value)}, ${literal(latest)})` : value;
  });
  return `translate(encode(convert_to(json_build_array(${[literal(nameOf(order)), ...values].join(', ')})::text, 'UTF8'), 'base64'), E'\\n', '')`;
}

const nameOf = (order: Order): string => order.map(({ field, direction }) => `${field} ${direction}`).join();

function afterSql(meta: Meta, order: Order, cursor: string, statement: Statement): string {
  const values = parseCursor(cursor, order);
  const compared = order.map(({ field, direction }, place) => {
    const sql = ordered(meta, property(meta, field), row);
    const value = typedParameter(property(meta, field), values[place], statement);
    return { equal: `${sql} = ${value}`, beyond: `${sql} ${direction === 'asc' ? '>' : '<'} ${value}` };
  });
  const steps = compared.map(({ beyond }, place) =>
    [...compared.slice(0, place).map(({ equal }) => equal), beyond].join(' and '),
  );
  return `(${steps.map(step => `(${step})`).join(' or ')})`;
}

function parseCursor(cursor: string, order: Order): (string | number)[] {
  try {
    const [name, ...values] = JSON.parse(Buffer.from(cursor, 'base64').toString('utf8')) as unknown[];
    const isValue = (value: unknown) => typeof value === 'string' || typeof value === 'number';
    if (name === nameOf(order) && values.length === order.length && values.every(isValue))
      return values as (string | number)[];
  } catch {}
  throw badRequest('`after` takes a cursor that this list gave, in the order that it was given in.');
}
