import type { Access } from '../../auth/access.js';
import type { Parameters } from '../request/parameters.js';

/**
 * A v1 route: method, path and the GraphQL operation that it runs. `:name` in the path fills the variable `$name`. It
 * requires the access of the root field; `access` is for a route that is closed where the field is open. `read` is for
 * one that takes its input in another shape than its fields.
 */
export type Route = readonly [
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
  path: string,
  operation: string,
  access?: Access,
  read?: (parameters: Parameters) => Parameters,
];

/** Whether a route reads a list, a number of records at a time. */
export const isList = ([method, , operation]: Route): boolean => method === 'GET' && operation.includes('$per_page');
