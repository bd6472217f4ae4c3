import { names } from '../errors.js';
import type { Schema } from './schemas.js';

/** What every operation shares: the one shape of errors, and the headers. */
export const securitySchemes: Schema = {
  token: {
    type: 'http',
    scheme: 'bearer',
    description: 'An access token, made with `npm run token`. Its scope is `read`, or `write`, which may do all.',
  },
};

const text: Schema = { type: 'string' };

export const headers: Record<string, Schema> = {
  ETag: {
    description: 'The version of the record and, after a dot, a hash of these bytes.',
    required: true,
    schema: text,
    example: '"3.Yx0mJ2bqkKf1tT6Lw1n5zA"',
  },
  Location: {
    description: 'Where what was made can be read.',
    required: true,
    schema: { type: 'string', format: 'uri-reference' },
  },
  IdempotencyReplayed: {
    description: 'The first answer to this Idempotency-Key is given again; nothing was done.',
    schema: { type: 'string', const: 'true' },
  },
  WwwAuthenticate: { description: 'With 401.', schema: { type: 'string', const: 'Bearer' } },
  RetryAfter: { description: 'With 429 and 503: after how many seconds to try again.', schema: { type: 'integer' } },
  Allow: { description: 'With 405: the methods of this path.', schema: text },
};

export const parameters: Record<string, Schema> = {
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'The first good answer to a key is kept for 24 hours, by token and path, and given again. With other parameters the key is refused (422); while the first request still runs: 409.',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
  },
  IfMatch: {
    name: 'If-Match',
    in: 'header',
    description:
      'An ETag that was read: the record is written only while it is at that version; what follows the dot does not count. `*` is any version.',
    schema: text,
  },
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    description: 'An ETag that was read: answered with 304 while nothing of the answer changed.',
    schema: text,
  },
  MethodOverride: {
    name: 'X-HTTP-Method-Override',
    in: 'header',
    description:
      'For clients without this method: a POST to the same path with this header is the method that it names.',
    schema: { type: 'string', enum: ['PATCH', 'PUT', 'DELETE'] },
  },
};

const errorNames = [...Object.values(names).map(([, name]) => name), 'invalid_version', 'method_not_allowed', 'system'];

export const errorSchema: Schema = {
  type: 'object',
  required: ['error', 'error_description'],
  properties: {
    error: { type: 'string', enum: errorNames },
    error_description: { type: 'string', description: 'A sentence for people.' },
    messages: {
      type: 'object',
      description: 'With invalid_resource: what is wrong, by field.',
      additionalProperties: { type: 'array', items: text, minItems: 1 },
    },
  },
};

const refusal = (error: string, error_description: string, more: Schema = {}) => ({
  value: { error, error_description, ...more },
});

export const responses: Record<string, Schema> = {
  Error: {
    description: 'The request was refused, or failed.',
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
