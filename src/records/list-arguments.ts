import { badRequest } from '../core/errors.js';
import type { Filter } from './filter-sql.js';
import type { Order } from './table-sql.js';

/** Which records of a list: by cursor, as in GraphQL, or by the number of a page, as in /v1. */
export interface ListArguments {
  filter?: Filter | null;
  orderBy?: Order | null;
  first?: number | null;
  after?: string | null;
  last?: number | null;
  before?: string | null;
  page?: number | null;
  perPage?: number | null;
}

export interface Slice {
  limit: number;
  offset: number;
  /** Whether the slice is taken from the end of the list. Its records are in the order of the list all the same. */
  isFromEnd: boolean;
  after?: string | null;
  before?: string | null;
  /** The number of the page, starting from 1. */
  page: number;
}

export const defaultListSize = 25;

/** Checks the arguments of a list. `name` is the name of the list in errors. */
export function resolveSlice(list: ListArguments, maxSize: number, name: string): Slice {
  const { first, last, perPage, after, before } = list;
  for (const [argument, size] of Object.entries({ first, last, perPage }))
    if (size != null && (size < 1 || size > maxSize))
      throw badRequest(`\`${argument}\` of ${name} must be from 1 to ${maxSize}.`, [argument]);
  if (first != null && last != null) throw badRequest(`Use either \`first\` or \`last\` of ${name}.`, ['last']);
  const limit = first ?? last ?? perPage ?? defaultListSize;
  const page = list.page ?? 1;
  return { limit, offset: (page - 1) * limit, isFromEnd: last != null, after, before, page };
}
