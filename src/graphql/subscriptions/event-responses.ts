import type { Context as KoaContext } from 'koa';
import type { GraphQLError, GraphQLFormattedError } from 'graphql';
import type { Caller } from '../../auth/access.js';
import { parseConsoleUrl } from '../../core/config.js';
import { badRequest, Refusal } from '../../core/errors.js';
import type { EventBroker } from '../../http/event-broker.js';
import { customerPrefix, toClientNetwork } from '../../http/client-address.js';
import { formatEvent } from '../../http/event-stream.js';
import { readSessionCookie } from '../../http/session-cookie.js';
import type { ApiDependencies } from '../context.js';
import type { SubscriptionDocuments } from './documents.js';
import { prepareSubscription } from './open-subscription.js';
import type { AcceptedSubscription, EventRequest } from './plugin.js';
import { type RecordSubscriptions, sessionPrefix } from './record-subscriptions.js';

export interface EventDependencies {
  broker: EventBroker;
  subscriptions: RecordSubscriptions;
  documents: SubscriptionDocuments;
}

const eventType = 'text/event-stream';
const jsonTypes = ['application/json', 'application/graphql-response+json'];
const streamPath = '/graphql/stream';
/** Of what is compared with cursors while a stream is open; a client can send anything. */
const maxCursorLength = 100;

export const isStreamPath = (path: string): boolean => path === streamPath;

/** Undefined: the client accepts no events. */
export function parseEventRequest(ctx: KoaContext): EventRequest | undefined {
  const { method } = ctx;
  const accepts = isStreamPath(ctx.path) || ctx.get('Accept').includes(eventType);
  if (!accepts || (method !== 'GET' && method !== 'POST')) return undefined;
  const isEventSource = method === 'GET' && ctx.get('Accept') === eventType;
  const isRequired = isStreamPath(ctx.path) || !ctx.accepts(jsonTypes);
  // Apollo writes JSON, which becomes the data of events here.
  if (isRequired) ctx.headers.accept = jsonTypes[0];
  return { method, isRequired, isEventSource };
}

/** Reads the parameters of GET as if they were a body: Apollo runs no subscription by GET. */
export function readQueryParameters({ query }: KoaContext): Record<string, unknown> {
  const parse = (name: string, value: unknown): unknown => {
    if (name === 'query' || name === 'operationName') return value;
    try {
      return JSON.parse(String(value));
    } catch {
      throw badRequest(`The parameter ${name} is not valid JSON.`);
    }
  };
  const names = ['query', 'operationName', 'variables', 'extensions'].filter(name => query[name] !== undefined);
  return Object.fromEntries(names.map(name => [name, parse(name, query[name])]));
}

/**
 * Whether a response is sent as an event. Clients of graphql-sse repeat a request that fails by its status, so that
 * only what may succeed later is refused by it. A browser's EventSource cannot read a status.
 */
export const isSentAsEvent = ({ isRequired, isEventSource }: EventRequest, status: number): boolean =>
  isEventSource || (isRequired && status < 500 && status !== 429);

/** Sends a result or a refusal as the protocol of graphql-sse does: one event, and the end. */
export function sendResultAsEvents(ctx: KoaContext, events: EventRequest, result: string): void {
  const type = findDataEvent(events);
  ctx.body = formatEvent({ type, data: result }) + formatEvent({ type: 'complete', data: '' });
  ctx.type = `${eventType}; charset=utf-8`;
  ctx.status = 200;
}

const findDataEvent = ({ isEventSource }: EventRequest) => (isEventSource ? undefined : 'next');

/** By which the caller is authenticated again while the stream is open. */
function findCredential({ settings }: ApiDependencies, ctx: KoaContext, caller: Caller): string | undefined {
  if (caller.kind !== 'person') return ctx.get('Authorization') || undefined;
  return `${sessionPrefix}${readSessionCookie(ctx.req, parseConsoleUrl(settings).scheme === 'https')}`;
}

/** Opens the stream of a subscription. What it refuses is thrown before the response begins. */
export function openSubscription(
  api: ApiDependencies,
  { broker, subscriptions, documents }: EventDependencies,
  ctx: KoaContext,
  caller: Caller,
  events: EventRequest,
  accepted: AcceptedSubscription,
  formatError: (error: GraphQLError) => GraphQLFormattedError,
): void {
  if (broker.isFull(ctx.req))
    throw new Refusal('UNAVAILABLE', 'Too many event streams are open. Try again later.', { retryAfter: 60 });
  const subscription = prepareSubscription(api, caller, documents, accepted, errors =>
    errors.map(error => formatError(error as GraphQLError)),
  );
  // Of Apollo's response, which is not sent.
  ctx.remove('Content-Length');
  subscriptions.open(subscription, ctx.res, {
    dataEvent: findDataEvent(events),
    cursor: (subscription.args.after ?? (ctx.get('Last-Event-ID') || null))?.slice(0, maxCursorLength) ?? null,
    authorization: findCredential(api, ctx, caller),
    network: toClientNetwork(api.rateLimiter.clientAddress(ctx.req), customerPrefix),
  });
  ctx.respond = false;
}
