import { Refusal, type RefusalCode, unauthenticated } from '../core/errors.js';
import { toMessages } from '../core/problems.js';
import { toRefusal } from '../db/database-errors.js';
import { toWireName } from './wire-names.js';
import { RoutingError } from './request/routing-error.js';
import { refusalHeaders, refusalStatus } from '../http/status-codes.js';

/** The values of `error` in a response (docs/rest-api.md). */
export const errorNames: Record<RefusalCode, string> = {
  BAD_REQUEST: 'bad_request',
  UNAUTHENTICATED: 'unauthenticated',
  FORBIDDEN: 'forbidden',
  NOT_FOUND: 'not_found',
  GONE: 'gone',
  CONFLICT: 'conflict',
  PRECONDITION_FAILED: 'precondition_failed',
  PAYLOAD_TOO_LARGE: 'payload_too_large',
  INVALID: 'invalid_resource',
  THROTTLED: 'throttled',
  UNAVAILABLE: 'unavailable',
};

interface ErrorResponse {
  status: number;
  headers: Record<string, string>;
  body: { error: string; error_description: string; messages?: Record<string, string[]> };
  /** Whether it is a fault of this service: it is logged, and not shown. */
  isUnexpected: boolean;
}

export function toErrorResponse(error: unknown): ErrorResponse {
  if (error instanceof RoutingError) {
    const { status, name, message, headers } = error;
    return { status, headers, body: { error: name, error_description: message }, isUnexpected: false };
  }
  const refusal = error instanceof Refusal ? error : toRefusal(error);
  if (!refusal)
    return {
      status: 500,
      headers: {},
      body: { error: 'system', error_description: 'An unknown error has occurred.' },
      isUnexpected: true,
    };
  const { fields } = refusal.details;
  const messages =
    fields &&
    Object.fromEntries(Object.entries(toMessages(fields)).map(([field, texts]) => [toWireName(field), texts]));
  return {
    status: refusalStatus[refusal.code],
    headers: refusalHeaders(refusal),
    body: { error: errorNames[refusal.code], error_description: describe(refusal), ...(messages && { messages }) },
    isUnexpected: false,
  };
}

/** The interface of /v1 has one sentence for a missing token and a wrong one. */
const describe = ({ code, message }: Refusal): string =>
  code === 'UNAUTHENTICATED' ? unauthenticated().message : message;
