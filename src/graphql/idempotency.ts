import { type ApolloServerPlugin, HeaderMap } from '@apollo/server';
import {
  execute,
  type ExecutionResult,
  type FormattedExecutionResult,
  type GraphQLError,
  type GraphQLFormattedError,
} from 'graphql';
import { badRequest, type RefusalCode } from '../core/errors.js';
import { fingerprint } from '../http/fingerprint.js';
import type { IdempotentResult, StoredResponse } from '../http/idempotency.service.js';
import { refusalStatus } from '../http/status-codes.js';
import type { Context } from './context.js';
import { removeRefused } from './count-returned.js';
import { TransactionTooLong } from './create-context.js';
import { hasSecret, waitsForOthers, prepareWithVariables } from './fast-path.js';

/** Runs a mutation once under the Idempotency-Key of its request. */
export type RunIdempotently = (
  request: { fingerprint: string; waits: boolean },
  work: (context: Context) => Promise<StoredResponse>,
) => Promise<IdempotentResult>;

/** Carries a result out of the transaction that would have stored it. */
class NothingWritten {
  constructor(readonly result: FormattedExecutionResult) {}
}

/**
 * Runs a mutation whose request has an Idempotency-Key at most once: all of its fields in one transaction, together
 * with the stored response. A response is stored as soon as one field has written; if none has, the key stays free.
 */
export const createIdempotencyPlugin = (
  format: (formatted: GraphQLFormattedError, error: unknown) => GraphQLFormattedError,
): ApolloServerPlugin<Context & { runIdempotently?: RunIdempotently }> => ({
  requestDidStart: async ({ schema }) => ({
    responseForOperation: async ({ document, operation, request, contextValue, response }) => {
      const { runIdempotently } = contextValue;
      if (operation?.operation !== 'mutation' || !runIdempotently) return null;
      const { prepared, variables } = prepareWithVariables(schema, document, operation, request.variables);
      if (!variables) return null;
      const work = async (context: Context): Promise<StoredResponse> => {
        const result = (await execute({
          schema,
          document,
          contextValue: context,
          variableValues: request.variables,
          operationName: request.operationName,
        })) as ExecutionResult;
        removeRefused(result, context.returned);
        const late = result.errors?.find(({ originalError }) => originalError instanceof TransactionTooLong);
        if (late) throw late.originalError!;
        const formatted = { ...result, errors: result.errors?.map(error => format(error.toJSON(), error)) };
        if (!context.write.hasWritten) throw new NothingWritten(formatted as FormattedExecutionResult);
        return { status: 200, headers: {}, body: JSON.stringify(formatted) };
      };
      const { query, operationName } = request;
      const single = (singleResult: FormattedExecutionResult, status?: number, headers = new HeaderMap()) => ({
        http: { ...response.http, status, headers },
        body: { kind: 'single' as const, singleResult },
      });
      try {
        if (hasSecret(prepared, variables))
          throw badRequest(
            'Send this mutation without an Idempotency-Key: its response has a secret, and is not stored.',
          );
        const { response: stored, isReplayed } = await runIdempotently(
          {
            fingerprint: fingerprint({ query, operationName, variables: request.variables ?? {} }),
            waits: waitsForOthers(prepared, variables),
          },
          work,
        );
        const headers = new HeaderMap(isReplayed ? [['idempotency-replayed', 'true']] : []);
        return single(JSON.parse(stored.body) as FormattedExecutionResult, undefined, headers);
      } catch (error) {
        if (error instanceof NothingWritten) return single(error.result);
        const formatted = format({ message: '' }, error);
        return single(
          { errors: [formatted as GraphQLError] },
          refusalStatus[formatted.extensions?.code as RefusalCode] ?? 500,
        );
      }
    },
  }),
});
