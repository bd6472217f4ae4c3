import { ApolloServer, type ApolloServerPlugin } from '@apollo/server';
import { ApolloServerPluginCacheControlDisabled } from '@apollo/server/plugin/disabled';
import { type DocumentNode, getVariableValues, type OperationDefinitionNode } from 'graphql';
import { answer, bytesOf, isAllReads, object, type Operation, operationOf, type Pieces } from './answer.js';
import type { Context } from './context.js';
import { formatError } from './errors.js';
import { schema } from './schema.js';

export type GraphServer = ApolloServer<Context & { graph: Context }>;

/** Data that is written already. */
class Finished {
  constructor(readonly pieces: Pieces) {}
}

export function createGraphServer(plugins: ApolloServerPlugin<Context & { graph: Context }>[] = []): GraphServer {
  return new ApolloServer({
    schema,
    introspection: true,
    includeStacktraceInErrorResponses: false,
    stopOnTerminationSignals: false,
    allowBatchedHttpRequests: false,
    csrfPrevention: true,
    formatError,
    parseOptions: { maxTokens: 4_000 },
    // The type is text; bytes pass through it as they are.
    stringifyResult: result =>
      result.data instanceof Finished ? (bytesOf(['{"data":', ...result.data.pieces, '}\n']) as unknown as string) : `${JSON.stringify(result)}\n`,
    plugins: [ApolloServerPluginCacheControlDisabled(), ...plugins, shortWay],
  });
}

/**
 * Where a query asks for reads alone, PostgreSQL's text is its answer. Errors thrown here would pass by formatError: on any, the ordinary way is
 * taken, and reports it.
 */
const shortWay: ApolloServerPlugin<Context & { graph: Context }> = {
  requestDidStart: async () => ({
    responseForOperation: async ({ document, operation, request, contextValue, response }) => {
      if (operation.operation !== 'query') return null;
      const prepared = preparedOf(document, operation);
      const { coerced } = getVariableValues(schema, operation.variableDefinitions ?? [], request.variables ?? {});
      if (!coerced || !isAllReads(prepared, coerced)) return null;
      try {
        const { fields } = await answer(prepared, coerced, contextValue.graph);
        return { http: response.http, body: { kind: 'single', singleResult: { data: new Finished(object(fields)) as never } } };
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
