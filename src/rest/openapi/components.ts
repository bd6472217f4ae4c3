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
  WwwAuthenticate: { description: 'With 401.', schema: { type: 'string', const: 'Bearer' } },
  RetryAfter: {
    description: 'With 429 and 503: the number of seconds to wait before you retry.',
    schema: { type: 'integer' },
  },
  Allow: { description: 'With 405: the methods that this path supports.', schema: text },
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

const refusal = (error: string, error_description: string, more: Schema = {}) => ({
  value: { error, error_description, ...more },
});

export const responses: Record<string, Schema> = {
  Error: {
    description: 'The request was refused or failed.',
    headers: {
      'WWW-Authenticate': { $ref: '#/components/headers/WwwAuthenticate' },
      'Retry-After': { $ref: '#/components/headers/RetryAfter' },
      Allow: { $ref: '#/components/headers/Allow' },
    },
    content: {
      'application/json': {
        schema: { $ref: '#/components/schemas/Error' },
        examples: {
          unauthenticated: refusal('unauthenticated', 'This action requires authentication to continue.'),
          forbidden: refusal('forbidden', 'The action you requested was forbidden.'),
          not_found: refusal('not_found', "We couldn't find the notice you were looking for."),
          invalid_resource: refusal('invalid_resource', 'The current resource was deemed invalid.', {
            messages: { name: ["can't be blank"] },
          }),
          system: refusal('system', 'An unknown error has occurred.'),
        },
      },
    },
  },
};
