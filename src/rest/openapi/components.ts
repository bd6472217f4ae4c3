import { errorNames } from '../errors.js';
import type { Schema } from './schemas.js';

/** The components that every operation shares: the error schema, headers and parameters. */
export const securitySchemes: Schema = {
  token: {
    type: 'http',
    scheme: 'bearer',
    description:
      'An access token, created with `allclear token`. Its scope is `read` or `write`; `write` includes `read`.',
  },
};

const text: Schema = { type: 'string' };

export const headers: Record<string, Schema> = {
  ETag: {
    description: 'The version of the record and, after a dot, a hash of this response body.',
    required: true,
    schema: text,
    example: '"3.Yx0mJ2bqkKf1tT6Lw1n5zA"',
  },
  Location: {
    description: 'The path of the created resource.',
    required: true,
    schema: { type: 'string', format: 'uri-reference' },
  },
  IdempotencyReplayed: {
    description: 'Present when the response to an earlier request with this Idempotency-Key is replayed.',
    schema: { type: 'string', const: 'true' },
  },
  WwwAuthenticate: { description: 'How to authenticate.', required: true, schema: { type: 'string', const: 'Bearer' } },
  RetryAfter: {
    description: 'The number of seconds to wait before you retry.',
    required: true,
    schema: { type: 'integer' },
  },
  RequestId: {
    description:
      'The id of the request, which the log and the audit log have, too. It is the one that was sent, if any.',
    required: true,
    schema: text,
    example: '1f0c1f2e-6a3b-4a57-9c0e-7f0a4b8f3d21',
  },
  RateLimitPolicy: {
    description: 'The limit that counts the request: `q` requests in `w` seconds. Absent without a limit.',
    schema: text,
    example: '"address";q=20;w=2',
  },
  RateLimit: {
    description: 'What remains of it: `r` requests, for `t` seconds. Absent without a limit.',
    schema: text,
    example: '"address";r=19;t=2',
  },
};

const header = (name: string): Schema => ({ $ref: `#/components/headers/${name}` });

/** Those of every response. */
export const commonHeaders: Schema = {
  'X-Request-Id': header('RequestId'),
  'RateLimit-Policy': header('RateLimitPolicy'),
  RateLimit: header('RateLimit'),
};

export const parameters: Record<string, Schema> = {
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description: [
      'Makes a retry safe. The first successful response to a key is stored for 24 hours, by token and path.',
      'A request with the same key and other parameters is refused (422), and one during the first request (409).',
    ].join(' '),
    schema: { type: 'string', minLength: 1, maxLength: 255 },
  },
  IfMatch: {
    name: 'If-Match',
    in: 'header',
    description: [
      'An ETag from an earlier response: the record is written only if it is still at that version,',
      'the part before the dot. `*` accepts any version.',
    ].join(' '),
    schema: text,
  },
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    description: 'An ETag from an earlier response: the response is 304 if nothing in it has changed.',
    schema: text,
  },
  MethodOverride: {
    name: 'X-HTTP-Method-Override',
    in: 'header',
    description: 'For clients that cannot send this method: a POST with this header counts as the method it names.',
    schema: { type: 'string', enum: ['PATCH', 'PUT', 'DELETE'] },
  },
};

const allErrorNames = [...Object.values(errorNames), 'invalid_version', 'method_not_allowed', 'system'];

export const errorSchema: Schema = {
  type: 'object',
  required: ['error', 'error_description'],
  properties: {
    error: { type: 'string', enum: allErrorNames },
    error_description: { type: 'string', description: 'A sentence for humans; do not parse it.' },
    messages: {
      type: 'object',
      description: 'With invalid_resource: what is wrong with each field.',
      additionalProperties: { type: 'array', items: text, minItems: 1 },
    },
  },
};

/** A refusal: its status, its `error`, an example of its sentence, and when it is the answer. */
interface DocumentedError {
  status: number;
  error: string;
  example: string;
  description: string;
  headers?: Schema;
  messages?: Record<string, string[]>;
}

const retryAfter = { 'Retry-After': header('RetryAfter') };

/** By the name of the response in the document. */
export const documentedErrors: Record<string, DocumentedError> = {
  BadRequest: {
    status: 400,
    error: 'bad_request',
    example: 'There is no include "colour" here. There are: brand, theme.',
    description: 'The syntax, a filter or an `include` is wrong.',
  },
  Unauthenticated: {
    status: 401,
    error: 'unauthenticated',
    example: 'This action requires authentication to continue.',
    description: 'There is no token, or it is malformed, unknown, expired or revoked.',
    headers: { 'WWW-Authenticate': header('WwwAuthenticate') },
  },
  Forbidden: {
    status: 403,
    error: 'forbidden',
    example: 'The action you requested was forbidden.',
    description: 'The role of the token does not allow it.',
  },
  NotFound: {
    status: 404,
    error: 'not_found',
    example: "We couldn't find the page you were looking for.",
    description: 'There is no such record for this token.',
  },
  Conflict: {
    status: 409,
    error: 'conflict',
    example: 'The first request with this Idempotency-Key is still running.',
    description: 'The first request with this `Idempotency-Key` is still running.',
  },
  Gone: {
    status: 410,
    error: 'gone',
    example: 'This page has moved to https://status.acme.example.',
    description: 'The page moved to another installation.',
  },
  PreconditionFailed: {
    status: 412,
    error: 'precondition_failed',
    example: 'The record has been changed since you read it.',
    description: 'The record is at another version than `If-Match` says.',
  },
  PayloadTooLarge: {
    status: 413,
    error: 'payload_too_large',
    example: 'The request body is too large.',
    description: 'The body is larger than 1 MB, or 10 MB for a theme.',
  },
  InvalidResource: {
    status: 422,
    error: 'invalid_resource',
    example: 'The current resource was deemed invalid.',
    description: '`messages` says what is wrong with each field.',
    messages: { name: ["can't be blank"] },
  },
  Throttled: {
    status: 429,
    error: 'throttled',
    example: 'Too many requests. Try again later.',
    description: 'The token or the address sent too many requests.',
    headers: retryAfter,
  },
  System: {
    status: 500,
    error: 'system',
    example: 'An unknown error has occurred.',
    description: 'The service failed; its log says how.',
  },
  Unavailable: {
    status: 503,
    error: 'unavailable',
    example: 'Another request is in progress. Try again.',
    description: 'The service or its database is busy or away.',
    headers: retryAfter,
  },
};

export const responses: Record<string, Schema> = Object.fromEntries(
  Object.entries(documentedErrors).map(([name, { error, example, description, headers: own, messages }]) => [
    name,
    {
      description: `\`${error}\`: ${description}`,
      headers: { ...own, ...commonHeaders },
      content: {
        'application/json': {
          schema: { $ref: '#/components/schemas/Error' },
          example: { error, error_description: example, ...(messages && { messages }) },
        },
      },
    },
  ]),
);

/** The chapters of the reference, by the tag of their operations. */
export const tagDescriptions: Record<string, string> = {
  hello: 'Whether the service answers, and a token is valid.',
  timezones: 'The time zones that a page can have.',
  pages: 'Status pages and their settings.',
  brand: 'The logo, the icon and the colours of a page.',
  custom_domain: 'The domain of its own that a page is shown at.',
  theme: 'The templates that a page is rendered with, in place of the standard theme.',
  components: 'What a page shows the state of, as a tree.',
  notices: 'Incidents, maintenance and announcements.',
  updates: 'The messages of a notice.',
  notice_templates: 'Texts to begin notices with.',
  subscribers: 'Who is notified of the notices of a page.',
  metrics: 'Figures that a page shows as charts, and their values.',
};
