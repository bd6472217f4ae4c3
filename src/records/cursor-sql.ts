import type { EntityProperty } from '@mikro-orm/core';
import { badRequest } from '../core/errors.js';
import { quoteLiteral } from '../core/sql-literal.js';
import type { Meta } from './column-mapping.js';
import { bindTyped } from './filter-sql.js';
import type { Statement } from './statement.js';
import {
  compileColumn,
  compileSortKey,
  compileTimestamp,
  isTimestamp,
  type Order,
  unsetTimestamp,
} from './table-sql.js';

const propertyOf = (meta: Meta, field: string) => meta.properties[field] as EntityProperty;

/** Compiles the cursor of a row, base64 of the order and of the row's sort keys, so it outlives other rows. */
export function compileCursor(meta: Meta, order: Order, alias: string): string {
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

export const reverseOrder = (order: Order): Order =>
  order.map(({ field, direction }) => ({ field, direction: direction === 'asc' ? 'desc' : 'asc' }));

interface Bounds {
  after?: string | null;
  before?: string | null;
}

/** Compiles the conditions "after this cursor" and "before that one". */
export function compileBounds(
  meta: Meta,
  order: Order,
  alias: string,
  { after, before }: Bounds,
  statement: Statement,
): string[] {
  const compile = (argument: keyof Bounds, cursor: string, steps: Order) => {
    const values = parseCursor(argument, cursor, order);
    return compileBeyond(meta, steps, alias, values, statement, argument);
  };
  return [
    ...(after ? [compile('after', after, order)] : []),
    ...(before ? [compile('before', before, reverseOrder(order))] : []),
  ];
}

/**
 * Compiles the keyset condition "beyond these values": beyond in the first sort key, or equal in it and beyond in the
 * second, and so on. No row comparison, since directions can differ.
 */
function compileBeyond(
  meta: Meta,
  order: Order,
  alias: string,
  values: (string | number)[],
  statement: Statement,
  argument: string,
): string {
  const comparisons = order.map(({ field, direction }, index) => {
    const sql = compileSortKey(meta, propertyOf(meta, field), alias);
    const value = bindTyped(propertyOf(meta, field), values[index], statement, () => invalidCursor(argument));
    return { equal: `${sql} = ${value}`, beyond: `${sql} ${direction === 'asc' ? '>' : '<'} ${value}` };
  });
  const steps = comparisons.map(({ beyond }, index) =>
    [...comparisons.slice(0, index).map(({ equal }) => equal), beyond].join(' and '),
  );
  return `(${steps.map(step => `(${step})`).join(' or ')})`;
}

function parseCursor(argument: string, cursor: string, order: Order): (string | number)[] {
  try {
    const [name, ...values] = JSON.parse(Buffer.from(cursor, 'base64').toString('utf8')) as unknown[];
    const isValue = (value: unknown) => typeof value === 'string' || typeof value === 'number';
    if (name === serializeOrder(order) && values.length === order.length && values.every(isValue))
      return values as (string | number)[];
  } catch {}
  throw invalidCursor(argument);
}

const invalidCursor = (argument: string) =>
  badRequest(`\`${argument}\` must be a cursor of this list, requested with the same \`orderBy\`.`, [argument]);
