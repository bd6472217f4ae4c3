import { unwrapResolverError } from '@apollo/server/errors';
import { GraphQLError, type GraphQLFormattedError } from 'graphql';
import { refusalOf } from '../db/database-errors.js';
import { Refusal } from '../core/errors.js';
import { log } from '../core/logger.js';

/**
 * What a client sees of an error: `extensions.code`, and `extensions.fields` (field to texts) where an input was refused. What is nobody's fault but
 * ours is logged and hidden.
 */
export function formatError(formatted: GraphQLFormattedError, error: unknown): GraphQLFormattedError {
  const original = unwrapResolverError(error);
  const refusal = original instanceof Refusal ? original : refusalOf(original);
  const { locations, path } = formatted;
  if (refusal) {
    const { code, message, fields, retryAfter } = refusal;
    return {
      message,
      locations,
      path,
      extensions: { code, ...(fields && { fields }), ...(retryAfter && { retryAfter }) },
    };
  }
  // Of graphql itself: what is wrong with the query, its variables or its form.
  if (original instanceof GraphQLError) {
    const code = formatted.extensions?.code;
    // Apollo's word for an error without a code, such as graphql's own over an argument: null where none may be.
    return {
      message: formatted.message,
      locations,
      path,
      extensions: { code: code && code !== 'INTERNAL_SERVER_ERROR' ? code : 'BAD_REQUEST' },
    };
  }
  log.error({ err: original }, 'a GraphQL request failed');
  return { message: 'An unknown error has occurred.', locations, path, extensions: { code: 'SYSTEM' } };
}
