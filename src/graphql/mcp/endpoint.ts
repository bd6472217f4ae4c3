import type { GraphQLSchema } from 'graphql';
import type { Context as KoaContext, Middleware } from 'koa';
import { Refusal } from '../../core/errors.js';
import { toRefusal } from '../../db/database-errors.js';
import type { ApiDependencies } from '../context.js';
import { createGraphqlContext } from '../create-context.js';
import { RawJson } from '../fast-path.js';
import { createPrioritizer } from '../request-priority.js';
import type { GraphqlServer } from '../server.js';
import { createBodyReader, decodeUtf8 } from '../../http/body.js';
import { refusalHeaders, refusalStatus } from '../../http/status-codes.js';
import type { RunTool } from './protocol.js';
import { buildTools } from './tools.js';

const path = '/mcp';
const maxBody = 100 * 1024;
/** The code of JSON-RPC for an error that the server defines. */
const serverError = -32_000;

/**
 * Serves the Model Context Protocol over Streamable HTTP, without sessions of the protocol. The caller is the token of
 * the request, or anonymous; the cookie of a person's session does not count.
 */
export function mcpEndpoint(
  api: ApiDependencies,
  server: GraphqlServer,
  { schema, version }: { schema: GraphQLSchema; version: string },
): Middleware {
  const tools = buildTools(schema);
  const prioritize = createPrioritizer(schema);
  const readBody = createBodyReader(['application/json'], maxBody);

  return async (ctx, next) => {
    if (ctx.path !== path) return next();
    ctx.set({ 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' });
    if (!methods.includes(ctx.method)) return refuseMethod(ctx);
    try {
      const caller = await api.identifyCaller(ctx.req, 'write');
      await api.rateLimiter.throttle(ctx.req, caller);
      const run: RunTool = ({ document }, variables) => {
        const execute = async () => {
          const request = { caller, progress: { documentReceived: false, isQuery: false } };
          const contextValue = createGraphqlContext(api, ctx, request);
          const { body } = await server.executeOperation({ query: document, variables }, { contextValue });
          if (body.kind !== 'single') throw new Error('The response has parts.');
          const { data, errors } = body.singleResult;
          // Reads return the JSON of PostgreSQL.
          return { data: data instanceof RawJson ? JSON.parse(data.json) : data, errors };
        };
        return api.admission.run(prioritize(caller, document), execute, caller);
      };
      const text = decodeUtf8(await readBody(ctx));
      await api.admission.takeTurn(caller);
      // Each call of a batch would have to count. The protocol has had none since its revision of June 2025.
      if (text.trimStart().startsWith('['))
        throw new Refusal('BAD_REQUEST', 'Send one message a request, and no batch.');
      // Few installations are asked for it, and its packages take 10 MB of memory.
      const { respond } = await import('./protocol.js');
      await send(ctx, await respond(toWebRequest(ctx, text), { tools, run, version }));
    } catch (error) {
      const refusal = error instanceof Refusal ? error : toRefusal(error);
      if (!refusal) api.database.log.error({ err: error }, 'MCP request failed');
      ctx.status = refusal ? refusalStatus[refusal.code] : 500;
      if (refusal) ctx.set(refusalHeaders(refusal));
      const message = refusal?.message ?? 'An unknown error has occurred.';
      ctx.body = { jsonrpc: '2.0', id: null, error: { code: serverError, message } };
    }
  };
}

/** Those that the protocol has an answer for. `Request` throws for TRACE. */
const methods = ['DELETE', 'GET', 'HEAD', 'OPTIONS', 'POST'];

function refuseMethod(ctx: KoaContext): void {
  ctx.status = 405;
  ctx.set('Allow', 'POST');
  ctx.body = { jsonrpc: '2.0', id: null, error: { code: serverError, message: 'Send messages by POST.' } };
}

const toWebRequest = ({ method, headers }: KoaContext, body: string): Request =>
  new Request(`http://localhost${path}`, {
    method,
    headers: Object.entries(headers).flatMap(([name, value]) => [[name, [value].flat().join(', ')]]),
    ...(method === 'POST' && { body }),
  });

async function send(ctx: KoaContext, response: Response): Promise<void> {
  ctx.status = response.status;
  for (const [name, value] of response.headers) ctx.set(name, value);
  const text = await response.text();
  if (text) ctx.body = text;
}
