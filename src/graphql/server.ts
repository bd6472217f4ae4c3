import { ApolloServer, type ApolloServerPlugin } from '@apollo/server';
import {
  ApolloServerPluginCacheControlDisabled,
  ApolloServerPluginLandingPageDisabled,
} from '@apollo/server/plugin/disabled';
import { type DocumentNode, getVariableValues, type OperationDefinitionNode } from 'graphql';
import { answer, isAllReads, object, type Operation, operationOf } from './fast-path.js';
import type { Context } from './context.js';
import { formatError } from './errors.js';
import { limitPlugin, limits } from './limits.js';
import { schema } from '../schema.js';

export interface GraphContext extends Context {
  /** For answers that are finished by the database; the rest of this context is for the ordinary execution. */
  graph: Context;
  /** Of the request, shared with the endpoint: whether it came as far as a query text. Then what is wrong is wrong with the query, not with the request. */
  progress: { understood: boolean };
}

export type GraphServer = ApolloServer<GraphContext>;

/** Data that is written already. */
class Finished {
  constructor(readonly text: string) {}
}

export function createGraphServer(plugins: ApolloServerPlugin<GraphContext>[] = []): GraphServer {
  return new ApolloServer({
    schema,
    introspection: true,
    includeStacktraceInErrorResponses: false,
    stopOnTerminationSignals: false,
    allowBatchedHttpRequests: false,
    // A request with a token was preflighted too.
    csrfPrevention: { requestHeaders: ['authorization', 'apollo-require-preflight', 'x-apollo-operation-name'] },
    persistedQueries: false,
    formatError,
    parseOptions: { maxTokens: limits.tokens },
    stringifyResult: result =>
      result.data instanceof Finished ? `{"data":${result.data.text}}\n` : `${JSON.stringify(result)}\n`,
    plugins: [
      ApolloServerPluginCacheControlDisabled(),
      ApolloServerPluginLandingPageDisabled(),
      understanding,
      limitPlugin,
      ...plugins,
      shortWay,
    ],
  });
}

const understanding: ApolloServerPlugin<GraphContext> = {
  requestDidStart: async () => ({
    didResolveSource: async ({ contextValue }) => {
      contextValue.progress.understood = true;
    },
  }),
};

/**
 * Where a query asks for reads alone, PostgreSQL's text is its answer. Errors thrown here would pass by formatError: on any, the ordinary way is
 * taken, and reports it.
 */
const shortWay: ApolloServerPlugin<GraphContext> = {
  requestDidStart: async () => ({
    responseForOperation: async ({ document, operation, request, contextValue, response }) => {
      if (operation?.operation !== 'query') return null;
      const prepared = preparedOf(document, operation);
      const { coerced } = getVariableValues(schema, operation.variableDefinitions ?? [], request.variables ?? {}, {
        maxErrors: 1,
      });
      if (!coerced || !isAllReads(prepared, coerced)) return null;
      try {
        const { fields } = await answer(prepared, coerced, contextValue.graph);
        return {
          http: response.http,
          body: { kind: 'single', singleResult: { data: new Finished(object(fields)) as never } },
        };
      } catch {
        return null;
      }
    },
  }),
};

/** Apollo keeps the documents it has parsed. */
const prepared = new WeakMap<OperationDefinitionNode, Operation>();

function preparedOf(document: DocumentNode, operation: OperationDefinitionNode): Operation {
  const known = prepared.get(operation) ?? operationOf(schema, document, operation);
  prepared.set(operation, known);
  return known;
}
