import type { Refusal, RefusalCode } from '../core/errors.js';

/** The HTTP status of each refusal (docs/rest-api.md); /v1 and /graphql share it. */
export const refusalStatus: Record<RefusalCode, number> = {
  BAD_REQUEST: 400,
  UNAUTHENTICATED: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  CONFLICT: 409,
  GONE: 410,
  PRECONDITION_FAILED: 412,
  PAYLOAD_TOO_LARGE: 413,
  INVALID: 422,
  THROTTLED: 429,
  UNAVAILABLE: 503,
};

/** The headers that belong to a refusal. */
export function refusalHeaders({ code, details: { retryAfter } }: Refusal): Record<string, string> {
  return {
    ...(retryAfter && { 'Retry-After': String(retryAfter) }),
    ...(code === 'UNAUTHENTICATED' && { 'WWW-Authenticate': 'Bearer' }),
    // The rest of a body that was too large is not read.
    ...(code === 'PAYLOAD_TOO_LARGE' && { Connection: 'close' }),
  };
}
