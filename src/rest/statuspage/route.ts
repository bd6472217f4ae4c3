import type { Priority } from '../../http/admission.js';
import type { Parameters } from '../request/parameters.js';

export interface StatuspageRequest {
  /** The parameters of the path. */
  path: { page: string; id: string };
  /** The fields of the record, which the body has below its name. */
  input: Parameters;
  query: Parameters;
  /** Runs an operation of GraphQL as the caller, and returns its field `result`. */
  run<Result>(document: string, variables: object): Promise<Result>;
}

export interface StatuspageRoute {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  path: string;
  /** The name below which the body has the fields. */
  record?: string;
  priority: Priority;
  /** Returns the body; undefined: there is none. */
  handle(request: StatuspageRequest): Promise<object | undefined>;
}
