import { ApolloServer, type ApolloServerPlugin } from '@apollo/server';
import {
  ApolloServerPluginCacheControlDisabled,
  ApolloServerPluginLandingPageDisabled,
} from '@apollo/server/plugin/disabled';
import { type DocumentNode, type GraphQLSchema, getVariableValues, type OperationDefinitionNode } from 'graphql';
import {
  executeOperation,
  canUseFastPath,
  toJsonObject,
  type PreparedOperation,
  prepareOperation,
} from './fast-path.js';
import type { Logger } from '../core/logger.js';
import type { Context } from './context.js';
import { formatError } from './errors.js';
import { limitsPlugin, limits } from './limits.js';

export interface GraphqlContext extends Context {
  /** The context of the fast path, whose reader returns finished JSON; the rest is for the standard execution. */
  fastPath: Context;
  /** Shared with the endpoint: once the document is received, an error is about the query, not about the request. */
  progress: { documentReceived: boolean };
}

export type GraphqlServer = ApolloServer<GraphqlContext>;

/** Data that is JSON text already. */
class RawJson {
  constructor(readonly text: string) {}
}

export function createGraphqlServer(
  schema: GraphQLSchema,
  log: Logger,
  plugins: ApolloServerPlugin<GraphqlContext>[] = [],
): GraphqlServer {
  return new ApolloServer({
    schema,
    introspection: true,
    includeStacktraceInErrorResponses: false,
    stopOnTerminationSignals: false,
    allowBatchedHttpRequests: false,
    // A browser preflights a request with any of these headers, so it cannot be forged by another site.
    csrfPrevention: { requestHeaders: ['authorization', 'apollo-require-preflight', 'x-apollo-operation-name'] },
    persistedQueries: false,
    formatError: (formatted, error) => formatError(log, formatted, error),
    parseOptions: { maxTokens: limits.tokens },
    stringifyResult: result =>
      result.data instanceof RawJson ? `{"data":${result.data.text}}\n` : `${JSON.stringify(result)}\n`,
    plugins: [
      ApolloServerPluginCacheControlDisabled(),
      ApolloServerPluginLandingPageDisabled(),
      documentReceivedPlugin,
      limitsPlugin,
      ...plugins,
      fastPathPlugin,
    ],
  });
}

const documentReceivedPlugin: ApolloServerPlugin<GraphqlContext> = {
  requestDidStart: async () => ({
    didResolveSource: async ({ contextValue }) => {
      contextValue.progress.documentReceived = true;
    },
  }),
};

/**
 * Responds to queries of reads alone with PostgreSQL's JSON. An error here would bypass formatError, so on any error
 * the standard execution runs instead, and reports it.
 */
const fastPathPlugin: ApolloServerPlugin<GraphqlContext> = {
  requestDidStart: async ({ schema }) => ({
    responseForOperation: async ({ document, operation, request, contextValue, response }) => {
      if (operation?.operation !== 'query') return null;
      const prepared = getPrepared(schema, document, operation);
      const { coerced } = getVariableValues(schema, operation.variableDefinitions ?? [], request.variables ?? {}, {
        maxErrors: 1,
      });
      if (!coerced || !canUseFastPath(prepared, coerced)) return null;
      try {
        const { fields } = await executeOperation(prepared, coerced, contextValue.fastPath);
        return {
          http: response.http,
          body: { kind: 'single', singleResult: { data: new RawJson(toJsonObject(fields)) as never } },
        };
      } catch {
        return null;
      }
    },
  }),
};

/** Works because Apollo caches parsed documents, so the same text has the same node. */
const preparedOperations = new WeakMap<OperationDefinitionNode, PreparedOperation>();

function getPrepared(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
): PreparedOperation {
  const prepared = preparedOperations.get(operation) ?? prepareOperation(schema, document, operation);
  preparedOperations.set(operation, prepared);
  return prepared;
}
