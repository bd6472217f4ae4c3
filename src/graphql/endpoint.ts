import { HeaderMap } from '@apollo/server';
import type { Context as KoaContext, Middleware } from 'koa';
import { toRefusal } from '../db/database-errors.js';
import type { AnonymousRequest } from '../http/anonymous-responses.js';
import { createEncodingNegotiator } from '../http/content-encoding.js';
import { corsHeaders, sendPreflight } from '../http/cors.js';
import { readIdempotencyKey } from '../http/idempotency.service.js';
import { sendBody } from '../http/send-body.js';
import { refusalHeaders, refusalStatus } from '../http/status-codes.js';
import type { Logger } from '../core/logger.js';
import { Refusal } from '../core/errors.js';
import { parseJson } from '../http/body.js';
import type { Caller } from '../auth/access.js';
import { formatError } from './errors.js';
import { Graphiql } from './graphiql.js';
import { createPrioritizer, type Prioritize } from './request-priority.js';
import { checkQuerySize, readBodyText } from './request-body.js';
import type { GraphqlContext, GraphqlServer } from './server.js';
import type { ApiDependencies } from './context.js';
import { createGraphqlContext, type GraphqlRequest } from './create-context.js';
import type { EventRequest } from './subscriptions/plugin.js';
import type { TrustedDocuments } from './trusted-documents.js';
import type { PageReads } from '../records/page-reads.js';
import {
  type EventDependencies,
  isSentAsEvent,
  isStreamPath,
  openSubscription,
  parseEventRequest,
  readQueryParameters,
  sendResultAsEvents,
} from './subscriptions/event-responses.js';

const methods = ['GET', 'HEAD', 'POST', 'OPTIONS'];
const allowedMethods = methods.join(', ');

/** Serves /graphql. As with /v1, an invalid token fails the whole request before its body is read. */
export function graphqlEndpoint(
  api: ApiDependencies,
  server: GraphqlServer,
  eventDependencies: EventDependencies,
): Middleware {
  const { database, rateLimiter, identifyCaller } = api;
  const graphiql = new Graphiql();
  const negotiateEncoding = createEncodingNegotiator();
  const prioritize = createPrioritizer(api.schema);

  return async (ctx, next) => {
    if (graphiql.isAsset(ctx.path)) return graphiql.sendAsset(ctx);
    if (ctx.path !== '/graphql' && ctx.path !== '/graphql/' && !isStreamPath(ctx.path)) return next();
    ctx.set({
      ...corsHeaders,
      'Cache-Control': 'private, no-cache',
      Vary: 'Accept, Authorization, Origin',
      'X-Content-Type-Options': 'nosniff',
    });
    if (ctx.method === 'OPTIONS') return sendPreflight(ctx);
    if (!methods.includes(ctx.method))
      return sendError(ctx, 405, 'METHOD_NOT_ALLOWED', `This resource supports ${allowedMethods}.`, {
        Allow: allowedMethods,
      });
    if (!isStreamPath(ctx.path) && graphiql.isPageRequest(ctx)) return graphiql.sendPage(ctx);
    let anonymous: AnonymousRequest | null = null;
    const events = parseEventRequest(ctx);
    try {
      // What it asks for is known once its body is read.
      const caller = await identifyCaller(ctx.req, 'noticeWrite', true);
      await rateLimiter.throttle(ctx.req, caller);
      Object.assign(ctx.state, { caller, key: readIdempotencyKey(ctx), progress: newProgress(), events });
      if (ctx.method === 'POST' && !ctx.request.is('application/json'))
        return sendError(ctx, 415, 'BAD_REQUEST', 'Send the query with the content type application/json.');
      const request = describeRequest(ctx, await readRequest(ctx, caller, api));
      omitEmptyParameters(ctx);
      if (caller.kind === 'anonymous' && !events) {
        anonymous = await api.anonymousResponses.begin(ctx, request);
        if (!anonymous) return;
      }
      const isTrusted = insertTrustedDocument(ctx, api.documents);
      const json = await handleQuery(ctx, api, server, prioritize);
      if (events?.subscription) {
        const { subscription } = events;
        releaseRequest(ctx, events, api);
        return openSubscription(api, eventDependencies, ctx, caller, events, subscription, error =>
          formatError(database.log, error.toJSON(), error),
        );
      }
      if (events && isSentAsEvent(events, ctx.status)) return sendResultAsEvents(ctx, events, json);
      const { progress, reads } = ctx.state as RequestState;
      const canBeRevalidated = progress.isQuery && ctx.status === 200;
      // A shared cache may keep what everybody gets for as long as this service does.
      if (isTrusted && caller.kind === 'anonymous' && reads?.isComplete && reads.pageIds.size)
        ctx.set('Cache-Control', 'public, max-age=1');
      const keep =
        canBeRevalidated && reads && anonymous ? (body: Buffer) => anonymous?.keep(ctx, body, reads) : undefined;
      await sendBody(ctx, json, { negotiateEncoding, canBeRevalidated, keep });
    } catch (error) {
      sendRefusal(ctx, error, database.log);
      if (events && isSentAsEvent(events, ctx.status)) sendResultAsEvents(ctx, events, ctx.body as string);
    } finally {
      anonymous?.end();
    }
  };
}

/** Keeps neither the body nor the parsed document of a request whose events may go on for hours. */
function releaseRequest(ctx: KoaContext, events: EventRequest, { bodyLimits }: ApiDependencies): void {
  (ctx.request as { body?: unknown }).body = undefined;
  events.subscription = undefined;
  (ctx.state as RequestState).reads = undefined;
  bodyLimits.release(ctx.req);
}

/** Without a token nothing is written, and a filter takes 1,000 values. */
const maxAnonymousValues = 10_000;

/** Reads the body of a POST, and returns its text. */
async function readRequest(ctx: KoaContext, caller: Caller, api: ApiDependencies): Promise<string> {
  if (ctx.method !== 'POST') return '';
  const body = await readBodyText(ctx, caller, api);
  const maxValues = caller.kind === 'anonymous' ? maxAnonymousValues : undefined;
  (ctx.request as { body?: unknown }).body = parseJson(body, { maxValues }) || [];
  return body;
}

type Parameters = Record<string, unknown>;

/** Those of the body of a POST, or of the query string. */
const parametersOf = (ctx: KoaContext): Parameters => (ctx.request as { body?: Parameters }).body ?? ctx.query;

function setParameters(ctx: KoaContext, parameters: Parameters): void {
  const request = ctx.request as { body?: Parameters };
  if (request.body) request.body = parameters;
  else ctx.query = parameters as Record<string, string>;
}

/** Some clients send what they do not use as empty texts, or as the JSON `null` in a query string. */
function omitEmptyParameters(ctx: KoaContext): void {
  const isNull = (name: string, value: unknown) =>
    ctx.method !== 'POST' && String(value).trim() === 'null' && jsonParameters.includes(name);
  const isEmpty = ([name, value]: [string, unknown]) =>
    (value === '' && optionalParameters.includes(name)) || isNull(name, value);
  const parameters = Object.entries(parametersOf(ctx));
  if (parameters.some(isEmpty)) setParameters(ctx, Object.fromEntries(parameters.filter(one => !isEmpty(one))));
}

const jsonParameters = ['variables', 'extensions'];
const optionalParameters = ['operationName', ...jsonParameters];

/** What the response depends on, but for the caller: the document with its variables, and these headers. */
const describeRequest = ({ method, url, headers }: KoaContext, body: string): string =>
  [method, url, ...headersOfResponse.map(name => headers[name]), body].join('\n');

const headersOfResponse = ['accept', 'accept-encoding', 'host', 'x-graphql-cost'];

/** Inserts the text of a document that is asked for by id. Returns whether it is. */
function insertTrustedDocument(ctx: KoaContext, documents: TrustedDocuments): boolean {
  const parameters = parametersOf(ctx);
  const query = documents.find(parameters);
  if (query === undefined) return false;
  // Without the extensions, in which Apollo Server would find an id that it does not know.
  const { documentId: _, extensions: __, ...others } = parameters;
  setParameters(ctx, { ...others, query });
  return true;
}

/**
 * Runs the query, and returns the JSON of the response. Passes HEAD to Apollo as GET, since Apollo refuses HEAD; Koa
 * then omits the body.
 */
async function handleQuery(
  ctx: KoaContext,
  api: ApiDependencies,
  server: GraphqlServer,
  prioritize: Prioritize,
): Promise<string> {
  const { events, progress } = ctx.state as RequestState;
  if (events && ctx.method !== 'POST') (ctx.request as { body?: unknown }).body = readQueryParameters(ctx);
  const { query, operationName } = parametersOf(ctx);
  checkQuerySize(query);
  const method = events || ctx.method === 'POST' ? 'POST' : 'GET';
  const { caller } = ctx.state as RequestState;
  const priority = prioritize(caller, query, operationName);
  const json = await api.admission.run(priority, () => execute(ctx, api, server, method), caller);
  // GraphQL over HTTP: for clients that accept application/json only, the status is about the request, not the query.
  if (ctx.status === 400 && progress.documentReceived && !events?.isRequired && ctx.response.is('application/json'))
    ctx.status = 200;
  return json;
}

/** Passes a request to Apollo Server, and sets the status and the headers of its response. */
async function execute(ctx: KoaContext, api: ApiDependencies, server: GraphqlServer, method: string): Promise<string> {
  const headers = new HeaderMap();
  for (const [name, value] of Object.entries(ctx.headers)) headers.set(name, [value].flat().join(', '));
  const { body } = ctx.request as { body?: unknown };
  const response = await server.executeHTTPGraphQLRequest({
    httpGraphQLRequest: { method, headers, search: ctx.search, body },
    context: async () => {
      const state = ctx.state as RequestState;
      const context = createGraphqlContext(api, ctx, state);
      state.reads = context.fastPath.read.pageReads;
      return context;
    },
  });
  if (response.body.kind !== 'complete') throw new Error('The response has parts.');
  ctx.status = response.status ?? 200;
  for (const [name, value] of response.headers) ctx.set(name, value);
  return response.body.string;
}

const newProgress = (): GraphqlContext['progress'] => ({ documentReceived: false, isQuery: false });

interface RequestState extends GraphqlRequest {
  /** What the fast path has read. */
  reads?: PageReads;
}

function sendRefusal(ctx: KoaContext, error: unknown, log: Logger): void {
  const refusal = error instanceof Refusal ? error : toRefusal(error);
  if (!refusal) log.error({ err: error }, 'GraphQL request failed');
  if (refusal) sendError(ctx, refusalStatus[refusal.code], refusal.code, refusal.message, refusalHeaders(refusal));
  else sendError(ctx, 500, 'SYSTEM', 'An unknown error has occurred.');
}

function sendError(
  ctx: KoaContext,
  status: number,
  code: string,
  message: string,
  headers: Record<string, string> = {},
): void {
  ctx.status = status;
  ctx.set(headers);
  ctx.body = JSON.stringify({ errors: [{ message, extensions: { code } }] });
  const media = ctx.accepts('application/json', 'application/graphql-response+json') || 'application/json';
  ctx.type = `${media}; charset=utf-8`;
}
