import { refusalOf } from '../db/database-errors.js';
import { type FieldMessages, Refusal, type RefusalCode } from '../core/errors.js';
import { snakeCase } from '../core/snake-case.js';

/** The names and codes of the contract, section 2. */
export const names: Record<RefusalCode, readonly [status: number, name: string]> = {
  BAD_REQUEST: [400, 'bad_request'],
  UNAUTHENTICATED: [401, 'unauthenticated'],
  FORBIDDEN: [403, 'forbidden'],
  NOT_FOUND: [404, 'not_found'],
  CONFLICT: [409, 'conflict'],
  PRECONDITION_FAILED: [412, 'precondition_failed'],
  PAYLOAD_TOO_LARGE: [413, 'payload_too_large'],
  INVALID: [422, 'invalid_resource'],
  THROTTLED: [429, 'throttled'],
  UNAVAILABLE: [503, 'unavailable'],
};

export interface ErrorAnswer {
  status: number;
  headers: Record<string, string>;
  body: { error: string; error_description: string; messages?: FieldMessages };
  /** Nobody's fault but ours: to be logged, and hidden. */
  unexpected: boolean;
}

export function errorAnswer(error: unknown): ErrorAnswer {
  const refusal = error instanceof Refusal ? error : refusalOf(error);
  if (!refusal)
    return {
      status: 500,
      headers: {},
      body: { error: 'system', error_description: 'An unknown error has occurred.' },
      unexpected: true,
    };
  const [status, name] = names[refusal.code];
  const headers: Record<string, string> = {};
  if (refusal.retryAfter) headers['Retry-After'] = String(refusal.retryAfter);
  if (status === 401) headers['WWW-Authenticate'] = 'Bearer';
  // The rest of a body that was too large is not read.
  if (status === 413) headers.Connection = 'close';
  const messages =
    refusal.fields &&
    Object.fromEntries(Object.entries(refusal.fields).map(([field, texts]) => [snakeCase(field), texts]));
  return {
    status,
    headers,
    body: { error: name, error_description: refusal.message, ...(messages && { messages }) },
    unexpected: false,
  };
}

/** Ways of the path and the method, which are before any refusal of ours. */
export class HttpError extends Error {
  constructor(
    readonly status: number,
    readonly error: string,
    message: string,
    readonly headers: Record<string, string> = {},
  ) {
    super(message);
  }
}
