import type { Priority } from '../../http/admission/request-classes.js';
import type { Parameters } from '../request/parameters.js';
import type { Warnings } from './warnings.js';

export interface StatuspageRequest {
  /** The parameters of the path. */
  path: { page: string; id: string; incident?: string };
  /** The fields of the record, which the body has below its name. */
  input: Parameters;
  query: Parameters;
  warnings: Warnings;
  /** Runs an operation of GraphQL as the caller, and returns its field `result`. */
  run<Result>(document: string, variables: object): Promise<Result>;
}

export interface StatuspageRoute {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  path: string;
  /** The name below which the body has the fields. */
  record?: string;
  /** The fields of the record that the route takes. Others are ignored with a warning. */
  fields?: readonly string[];
  /** Refuses other fields in place of ignoring them. */
  isStrict?: boolean;
  /** Fields that may stand beside the record, too: then the record itself may be absent. */
  outer?: readonly string[];
  /** Of a response with a body. Default: 201 for POST, 200 for others. */
  status?: number;
  /** The keys of the response are ids, so that warnings are in the header alone. */
  isMap?: boolean;
  /** The parameters of the query string. A GET refuses others, other methods ignore them with a warning. */
  query?: readonly string[];
  priority: Priority;
  /** Returns the body; undefined: there is none. */
  handle(request: StatuspageRequest): Promise<object | undefined>;
}
