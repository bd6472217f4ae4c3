import { createHash } from 'node:crypto';
import type { Context as KoaContext, Middleware, Next } from 'koa';
import { type Caller, requireAccess } from '../auth/access.js';
import type { FieldProblems } from '../core/problems.js';
import type { Transaction } from '../db/committed-changes.js';
import type { ApiDependencies } from '../graphql/context.js';
import { createContext } from '../graphql/create-context.js';
import { executeOperation, toJsonObject } from '../graphql/fast-path.js';
import { matchesEtag } from '../http/etag.js';
import { fingerprint } from '../http/fingerprint.js';
import { readIdempotencyKey, type StoredResponse } from '../http/idempotency.service.js';
import { getRequestId } from '../http/request-id.js';
import type { PageReads } from '../records/page-reads.js';
import type { PreparedRoute } from './operation.js';
import { readBodyParameters } from './request/body-parameters.js';
import { emptyParameters, mergeParameters, type Parameters, parseQueryParameters } from './request/parameters.js';
import { checkPathEncoding } from './request/path.js';
import { sendJson } from './send-json.js';
import { wireFilterNames } from './wire-names.js';

/** What the steps of a request find out, each for those after it. */
interface RequestState {
  caller: Caller;
  parameters: { query: Parameters; body: Parameters };
  /** Of a POST: its Idempotency-Key. */
  key?: string;
  variables: Record<string, unknown>;
  /** What was found wrong with the input, by field. */
  refused: FieldProblems;
  /** The transaction in which the operation runs. */
  within?: Transaction;
  response?: StoredResponse & { reads?: PageReads };
}

type Step = (api: ApiDependencies, route: PreparedRoute) => (ctx: KoaContext, next: Next) => Promise<void>;

const stateOf = (ctx: KoaContext) => ctx.state as RequestState;
const pathOf = (ctx: KoaContext) => ctx.params as Record<string, string>;

const identify: Step =
  ({ identifyCaller }, { access, isWrite, priority }) =>
  async (ctx, next) => {
    const caller = await identifyCaller(ctx.req, priority);
    requireAccess(caller, access, { pageId: pathOf(ctx).page_id, isWrite });
    stateOf(ctx).caller = caller;
    return next();
  };

const throttle: Step =
  ({ rateLimiter }) =>
  async (ctx, next) => {
    await rateLimiter.throttle(ctx.req, stateOf(ctx).caller);
    return next();
  };

/** Reads the body of a GET, too: existing clients filter with `curl -X GET -d "filter[...]"`. */
const readParameters: Step =
  ({ bodyLimits }, route) =>
  async (ctx, next) => {
    const state = stateOf(ctx);
    if (route.isWrite) bodyLimits.countForWriters(ctx.req);
    const body = await readBodyParameters(ctx, route.takesFile);
    state.parameters = { body, query: parseQueryParameters(ctx.querystring) };
    checkPathEncoding(ctx.path);
    state.key = readIdempotencyKey(ctx);
    const { query } = state.parameters;
    const parameters = mergeParameters(query, body, emptyParameters());
    Object.assign(state, route.variables({ path: pathOf(ctx), parameters, versions: parseIfMatch(ctx) }));
    return next();
  };

/** The versions in If-Match: the part of each ETag before the dot. `*` accepts any version, a foreign tag none. */
function parseIfMatch(ctx: KoaContext): number[] | undefined {
  const header = ctx.get('If-Match').trim();
  if (header === '' || header === '*') return undefined;
  return header.split(',').map(tag => Number(/^\s*(?:W\/)?"(\d{1,9})\./.exec(tag)?.[1] ?? -1));
}

/** Leaves out the body where the client has it. Not before others, who may not have it, can get the response. */
const omitUnchanged: Step = () => async (ctx, next) => {
  await next();
  const isRead = ctx.method === 'GET' || ctx.method === 'HEAD';
  if (isRead && ctx.status === 200 && matchesEtag(ctx.get('If-None-Match'), ctx.response.get('ETag'))) ctx.status = 304;
};

/** Answers a read without a token from memory, where it was answered a moment ago. */
const answerFromMemory: Step =
  ({ anonymousResponses, settings }, { isWrite, route: [, path] }) =>
  async (ctx, next) => {
    const { caller, variables } = stateOf(ctx);
    if (caller.kind !== 'anonymous' || isWrite) return next();
    const request = JSON.stringify([path, variables, settings.anonymousReads]);
    const anonymous = await anonymousResponses.begin(ctx, request);
    if (!anonymous) return;
    try {
      await next();
      const { body, reads } = stateOf(ctx).response!;
      if (reads) anonymous.keep(ctx, Buffer.from(body), reads);
    } finally {
      anonymous.end();
    }
  };

const send: Step = () => async (ctx, next) => {
  await next();
  sendJson(ctx, stateOf(ctx).response!);
};

const admit: Step =
  ({ admission }, { priority }) =>
  (ctx, next) =>
    admission.run(priority, next, stateOf(ctx).caller);

/** Runs a POST with an Idempotency-Key once, and gives those that follow the response of the first. */
const runOnce: Step =
  ({ idempotentRequests }) =>
  async (ctx, next) => {
    const state = stateOf(ctx);
    const { caller, key, parameters } = state;
    if (key === undefined || caller.kind === 'anonymous') return next();
    const sent = mergeParameters(parameters.query, parameters.body, pathOf(ctx));
    const scope = { caller: caller.key, path: ctx.path, key, fingerprint: fingerprint(sent) };
    const { response, isReplayed } = await idempotentRequests.runOnce(scope, async within => {
      state.within = within;
      await next();
      return state.response!;
    });
    const { headers } = response;
    state.response = { ...response, headers: isReplayed ? { ...headers, 'Idempotency-Replayed': 'true' } : headers };
  };

const statuses: Readonly<Record<string, number>> = { POST: 201, DELETE: 204 };

/** Runs the operation. A field with the alias `body` is the whole response body; other fields are its keys. */
const run: Step = (api, route) => async ctx => {
  const state = stateOf(ctx);
  const { caller, refused, within } = state;
  const options = { filterNames: wireFilterNames, requestId: getRequestId(ctx.req) };
  const context = createContext({ api, caller, outputMode: 'rest', refused, within, ...options });
  const { fields, record } = await executeOperation(route.operation, state.variables, context);
  const body = fields.get('body') ?? toJsonObject(fields);
  const headers: Record<string, string> = {};
  if (record)
    headers.ETag = `"${record.version}.${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
  if (ctx.method === 'POST')
    headers.Location = `${ctx.path}${route.hasItems ? `/${encodeURIComponent(record?.id ?? '')}` : ''}`;
  state.response = { status: statuses[ctx.method] ?? 200, headers, body, reads: context.read.pageReads };
};

const steps = [identify, throttle, readParameters, omitUnchanged, answerFromMemory, send, admit, runOnce, run];

/** The steps of a request to a route, in the order in which they refuse it (docs/rest-api.md). */
export const createSteps = (api: ApiDependencies, route: PreparedRoute): Middleware[] =>
  steps.map(step => step(api, route));
