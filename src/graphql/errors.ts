import { unwrapResolverError } from '@apollo/server/errors';
import { GraphQLError, type GraphQLFormattedError } from 'graphql';
import { toRefusal } from '../db/database-errors.js';
import { Refusal } from '../core/errors.js';
import { describeProblem, type FieldProblems } from '../core/problems.js';
import type { Logger } from '../core/logger.js';
import { UnseenUserErrors } from './user-errors.js';

/**
 * The error as a client sees it: `extensions.code`, and `extensions.path` with the argument that it is about.
 * Any error that is not a refusal is a fault of this service: it is logged, and the client gets a general message.
 */
export function formatError(log: Logger, formatted: GraphQLFormattedError, error: unknown): GraphQLFormattedError {
  const described = describeError(log, formatted, error);
  return { ...described, message: shorten(described.message) };
}

/** graphql-js prints the value that is wrong, which can have a megabyte, between its variable and the reason. */
const maxMessageLength = 2_000;

function shorten(message: string): string {
  const half = maxMessageLength / 2;
  if (message.length <= maxMessageLength) return message;
  return `${message.slice(0, half).toWellFormed()} … ${message.slice(-half).toWellFormed()}`;
}

function describeError(log: Logger, formatted: GraphQLFormattedError, error: unknown): GraphQLFormattedError {
  const original = unwrapResolverError(error);
  const refusal = original instanceof Refusal ? original : toRefusal(original);
  const { locations, path } = formatted;
  if (refusal) {
    const { code, details } = refusal;
    const { retryAfter, currentVersion, currentCount, changedParts, fields = {} } = details;
    const argument = details.path ?? Object.keys(fields).map(field => [field])[0];
    const userErrors = refusal instanceof UnseenUserErrors ? refusal.userErrors : undefined;
    // JSON leaves out what is undefined.
    const current = { currentVersion, currentCount, changedParts };
    const extensions = { code, path: argument, userErrors, ...current, retryAfter };
    return { message: describeProblems(fields) || refusal.message, locations, path, extensions };
  }
  // Raised by graphql-js or Apollo: the query, its variables or the request are wrong.
  if (original instanceof GraphQLError) {
    const { code, cost, limit, list, retryAfter } = formatted.extensions ?? {};
    // Apollo sets INTERNAL_SERVER_ERROR on errors without a code, such as graphql-js's own on a null argument.
    return {
      message: formatted.message,
      locations,
      path,
      extensions: {
        code: code && code !== 'INTERNAL_SERVER_ERROR' ? code : 'BAD_REQUEST',
        ...(limit !== undefined && { cost, limit, list }),
        ...(retryAfter !== undefined && { retryAfter }),
      },
    };
  }
  log.error({ err: original }, 'GraphQL request failed');
  return { message: 'An unknown error has occurred.', locations, path, extensions: { code: 'SYSTEM' } };
}

/** Of an input that no payload reports: the key of an idempotent request. */
const describeProblems = (fields: FieldProblems): string =>
  Object.entries(fields)
    .flatMap(([field, problems]) => problems.map(problem => describeProblem(field, null, problem)))
    .join(' ');
