import { ApolloServer, type ApolloServerOptions, type ApolloServerPlugin } from '@apollo/server';
import {
  ApolloServerPluginCacheControlDisabled,
  ApolloServerPluginLandingPageDisabled,
} from '@apollo/server/plugin/disabled';
import {
  type DocumentNode,
  type FormattedExecutionResult,
  GraphQLError,
  type GraphQLFormattedError,
  type GraphQLSchema,
} from 'graphql';
import { LRUCache } from 'lru-cache';
import { maxSelectionBytes } from '../records/selection.js';
import {
  canUseFastPath,
  coerceVariables,
  executeQuery,
  RawJson,
  toJsonObject,
  prepareWithVariables,
} from './fast-path.js';
import type { Logger } from '../core/logger.js';
import type { Context } from './context.js';
import type { ThrottledCost } from '../http/rate-limit.js';
import { removeRefused } from './count-returned.js';
import { formatError } from './errors.js';
import { createIdempotencyPlugin, type RunIdempotently } from './idempotency.js';
import { limitsPlugin, limits } from './limits.js';
import { type EventRequest, subscriptionPlugin } from './subscriptions/plugin.js';

export interface GraphqlContext extends Context {
  /** The context of the fast path, whose reader returns finished JSON; the rest is for the standard execution. */
  fastPath: Context;
  /** Shared with the endpoint: once the document is received, an error is about the query, not about the request. */
  progress: { documentReceived: boolean; isQuery: boolean };
  /** Counts the cost of the query for the rate limit. */
  throttleCost?: (cost: number) => Promise<ThrottledCost | null>;
  /** For a request with an Idempotency-Key and a token. */
  runIdempotently?: RunIdempotently;
  /** For a request that accepts server-sent events. */
  events?: EventRequest;
}

type GraphqlServerOptions = ApolloServerOptions<GraphqlContext>;
export type GraphqlServer = ApolloServer<GraphqlContext>;

/** Writes a result as Apollo does, but for data that is JSON already. */
function stringifyResult(result: FormattedExecutionResult): string {
  const { errors, data, extensions } = result;
  if (!(data instanceof RawJson)) return `${JSON.stringify(result)}\n`;
  const before = errors ? `"errors":${JSON.stringify(errors)},` : '';
  const after = extensions ? `,"extensions":${JSON.stringify(extensions)}` : '';
  return `{${before}"data":${data.json}${after}}\n`;
}

const maxDocumentBytes = 64 * 1024 * 1024;
/** What the nodes and tokens of a document take, by the length of their JSON. */
const bytesPerJsonCharacter = 5;

/**
 * Caches parsed documents, which anybody may send, with all that they keep alive. Apollo's own store counts neither
 * their texts nor what is cached by their nodes.
 */
export function createDocumentStore(maxSize = maxDocumentBytes): NonNullable<GraphqlServerOptions['documentStore']> {
  const documents = new LRUCache<string, DocumentNode>({
    maxSize,
    sizeCalculation: document => {
      const { source } = document.loc!;
      return (
        bytesPerJsonCharacter * JSON.stringify(document).length + 2 * source.body.length + maxSelectionBytes(source)
      );
    },
  });
  return {
    get: async key => documents.get(key),
    set: async (key, document) => void documents.set(key, document),
    delete: async key => documents.delete(key),
  };
}

export function createGraphqlServer(
  schema: GraphQLSchema,
  log: Logger,
  plugins: ApolloServerPlugin<GraphqlContext>[] = [],
): GraphqlServer {
  const format = (formatted: GraphQLFormattedError, error: unknown) => formatError(log, formatted, error);
  const formatOwn = (error: GraphQLError) => format(error.toJSON(), error);
  return new ApolloServer({
    schema,
    introspection: true,
    includeStacktraceInErrorResponses: false,
    stopOnTerminationSignals: false,
    allowBatchedHttpRequests: false,
    // A session counts for JSON of its own origin alone, so a request that another site makes a browser send can do
    // nothing.
    csrfPrevention: false,
    persistedQueries: false,
    documentStore: createDocumentStore(),
    formatError: format,
    parseOptions: { maxTokens: limits.tokens },
    // Apollo passes on what it returns.
    stringifyResult: stringifyResult as (result: FormattedExecutionResult) => string,
    plugins: [
      ApolloServerPluginCacheControlDisabled(),
      ApolloServerPluginLandingPageDisabled(),
      progressPlugin,
      responseSizePlugin,
      limitsPlugin,
      createVariablesPlugin(formatOwn),
      subscriptionPlugin,
      ...plugins,
      createIdempotencyPlugin(format),
      createFastPathPlugin(formatOwn),
    ],
  });
}

const progressPlugin: ApolloServerPlugin<GraphqlContext> = {
  requestDidStart: async () => ({
    didResolveSource: async ({ contextValue }) => {
      contextValue.progress.documentReceived = true;
    },
    didResolveOperation: async ({ operation, contextValue }) => {
      contextValue.progress.isQuery = operation?.operation === 'query';
    },
  }),
};

const responseSizePlugin: ApolloServerPlugin<GraphqlContext> = {
  requestDidStart: async () => ({
    willSendResponse: async ({ response: { body }, contextValue: { returned } }) => {
      if (body.kind === 'single') removeRefused(body.singleResult, returned);
    },
  }),
};

/** Refuses invalid variables as the execution would, but with their first error. */
const createVariablesPlugin = (
  format: (error: GraphQLError) => GraphQLFormattedError,
): ApolloServerPlugin<GraphqlContext> => ({
  requestDidStart: async ({ schema }) => ({
    responseForOperation: async ({ operation, request, response }) => {
      const { error } = operation ? coerceVariables(schema, operation, request.variables) : {};
      if (!error) return null;
      const refusal = new GraphQLError(error.message, { nodes: error.nodes, extensions: { code: 'BAD_USER_INPUT' } });
      const http = { ...response.http, status: 400 };
      return { http, body: { kind: 'single', singleResult: { errors: [format(refusal)] } } };
    },
  }),
});

/**
 * Responds to queries of reads alone with PostgreSQL's JSON. The standard execution takes over only before anything is
 * read: to run a failed read again would hold a connection for twice the statement timeout. Apollo formats the errors
 * of its own execution only, so those of the fast path are formatted here.
 */
const createFastPathPlugin = (
  format: (error: GraphQLError) => GraphQLFormattedError,
): ApolloServerPlugin<GraphqlContext> => ({
  requestDidStart: async ({ schema }) => ({
    responseForOperation: async ({ document, operation, request, contextValue, response }) => {
      if (operation?.operation !== 'query') return null;
      const { prepared, variables } = prepareWithVariables(schema, document, operation, request.variables);
      if (!variables || !canUseFastPath(prepared, variables)) return null;
      const { read } = contextValue.fastPath;
      const { fields, errors } = await executeQuery(prepared, variables, contextValue.fastPath);
      if (errors.length) read.pageReads.isComplete = false;
      const data = new RawJson(toJsonObject(fields)) as never;
      const singleResult = errors.length ? { errors: errors.map(error => format(error)), data } : { data };
      return { http: response.http, body: { kind: 'single', singleResult } };
    },
  }),
});
