import Router from '@koa/router';
import type { Context as KoaContext, Middleware } from 'koa';
import { badRequest, Refusal, unauthenticated } from '../../core/errors.js';
import { toMessages } from '../../core/problems.js';
import { toRefusal } from '../../db/database-errors.js';
import type { ApiDependencies } from '../../graphql/context.js';
import { createContext } from '../../graphql/create-context.js';
import { getRequestId } from '../../http/request-id.js';
import { toMovedError } from '../../records/moved-page.js';
import { toErrorResponse } from '../errors.js';
import { readUntypedBodyParameters } from '../request/body-parameters.js';
import { emptyParameters, type Parameters, parseQueryParameters, UploadedFile } from '../request/parameters.js';
import { RoutingError } from '../request/routing-error.js';
import { toWireName, wireFilterNames } from '../wire-names.js';
import { replaceImportedIds } from './imported-ids.js';
import { StatuspageOperations } from './operations.js';
import type { StatuspageRequest, StatuspageRoute } from './route.js';
import { statuspageDocuments, statuspageRoutes } from './routes.js';
import { refuseUnknownFields, refuseUnknownFilters, toWarningHeaders, Warnings, warnOfUnknown } from './warnings.js';

/** The version that clients have in their paths, and the ending of earlier versions, may be there or not. */
const pathPattern = /^\/api\/v1\/statuspage(?:\/v1)?(\/.*?)(?:\.json)?\/?$/;

/**
 * The API by which tools write to Statuspage, for those that speak no other. Each route is a translation: a record of
 * Statuspage becomes the variables of operations of GraphQL, and their results become one.
 */
export function createStatuspageRouter(api: ApiDependencies): Middleware {
  const operations = new StatuspageOperations(api.schema, statuspageDocuments);
  const router = new Router({ sensitive: true, strict: true });
  for (const route of statuspageRoutes) {
    const methods = route.method === 'PATCH' ? ['PATCH', 'PUT'] : [route.method];
    router.register(route.path, methods, ctx =>
      handleRoute(api, operations, route, ctx as unknown as KoaContext, ctx.params as { page: string; id: string }),
    );
  }
  const dispatch = router.routes() as unknown as Middleware;
  return async (ctx, next) => {
    const [, path] = pathPattern.exec(ctx.path) ?? [];
    if (path === undefined) return next();
    ctx.set({ 'Cache-Control': 'private, no-cache', 'X-Content-Type-Options': 'nosniff' });
    try {
      // In place of the path of the request, by which metrics and the log know the interface.
      ctx.newRouterPath = path;
      await dispatch(ctx, async () => {
        throw new RoutingError(404, 'not_found', 'The requested resource could not be found.');
      });
    } catch (error) {
      sendError(ctx, await toMovedError(api.database, ctx.params?.page, error), api);
    }
  };
}

async function handleRoute(
  api: ApiDependencies,
  operations: StatuspageOperations,
  route: StatuspageRoute,
  ctx: KoaContext,
  path: { page: string; id: string },
): Promise<void> {
  const { authorization } = ctx.req.headers;
  if (authorization !== undefined) ctx.req.headers.authorization = authorization.replace(/^oauth(?= )/i, 'Bearer');
  const caller = await api.identifyCaller(ctx.req, route.priority);
  if (caller.kind === 'anonymous') throw unauthenticated();
  await api.rateLimiter.throttle(ctx.req, caller);
  const body = await readUntypedBodyParameters(ctx);
  const query = parseQueryParameters(ctx.querystring);
  if (route.method === 'GET') refuseUnknownFilters(route, query);
  const input = route.record ? readRecord(body, route) : emptyParameters();
  if (route.isStrict) refuseUnknownFields(route, input);
  const warnings = new Warnings();
  const options = { filterNames: wireFilterNames, requestId: getRequestId(ctx.req) };
  const context = createContext({ api, caller, outputMode: 'rest', ...options });
  const run: StatuspageRequest['run'] = (document, variables) => operations.run(document, { ...variables }, context);
  const handle = async () =>
    route.handle({ ...(await replaceImportedIds({ path, input, run })), query, warnings, run });
  const result = await api.admission.run(route.priority, handle, caller);
  // What is read once may be shown many times, such as the components of templates. A write is not refused afterwards.
  if (route.method === 'GET') context.returned.addValue(result);
  ctx.status = result === undefined ? 204 : (route.status ?? (route.method === 'POST' ? 201 : 200));
  if (route.method !== 'GET' && !route.isMap) warnOfUnknown(warnings, route, { query, body, input, result });
  const sentences = warnings.list();
  if (sentences.length) ctx.set('Warning', toWarningHeaders(sentences));
  const hasField = sentences.length > 0 && !route.isMap && !Array.isArray(result);
  if (result !== undefined) ctx.body = hasField ? { ...result, warnings: sentences } : result;
}

function readRecord(body: Parameters, { record: name = '', outer = [] }: StatuspageRoute): Parameters {
  const beside = Object.entries(body).filter(([field]) => outer.includes(field));
  const record = body[name] ?? (beside.length ? emptyParameters() : undefined);
  if (typeof record !== 'object' || Array.isArray(record) || record instanceof UploadedFile)
    throw badRequest(
      `The body must have the fields of the ${name} below "${name}": {"${name}": {...}}, or ${name}[...]= in a form.`,
    );
  return Object.assign(emptyParameters(), Object.fromEntries(beside), record);
}

/** The names in Statuspage of fields that are refused. */
const statuspageNames: Record<string, string> = {
  subject: 'name',
  content: 'body',
  state: 'status',
  parentId: 'group_id',
  beginsAt: 'scheduled_for',
  endsAt: 'scheduled_until',
  beganAt: 'backfill_date',
  endedAt: 'backfill_date',
  componentIds: 'component_ids',
  affectedComponents: 'component_ids',
  ids: 'components',
  unit: 'suffix',
  isShown: 'display',
  values: 'data',
  url: 'endpoint',
  websiteUrl: 'url',
  timezone: 'time_zone',
  contact: 'email',
};

function sendError(ctx: KoaContext, error: unknown, { database }: ApiDependencies): void {
  const { status, headers, body, isUnexpected } = toErrorResponse(error);
  if (isUnexpected) database.log.error({ err: error, method: ctx.method, path: ctx.path }, 'request failed');
  const fields = (error instanceof Refusal ? error : toRefusal(error))?.details.fields;
  const sentences = Object.entries(fields ? toMessages(fields) : {}).flatMap(([field, messages]) =>
    messages.map(message => `${statuspageNames[field] ?? toWireName(field)} ${message}`),
  );
  ctx.set(headers);
  ctx.status = status;
  const isUnauthenticated = error instanceof Refusal && error.code === 'UNAUTHENTICATED';
  const sentence = isUnauthenticated ? describeAuthentication(ctx) : body.error_description;
  ctx.body = { error: fields ? [...new Set(sentences)] : sentence };
}

/** A key in the address would stand in logs of proxies. */
const describeAuthentication = ({ querystring }: KoaContext): string =>
  /(^|&)api_key=/.test(querystring)
    ? 'A key in the address (api_key) is not accepted. Send it in a header: "Authorization: OAuth <token>".'
    : 'This action requires a valid token, in a header: "Authorization: OAuth <token>".';
