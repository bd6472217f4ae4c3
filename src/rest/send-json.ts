import type { Context as KoaContext } from 'koa';
import { matchesEtag } from '../http/etag.js';
import type { StoredResponse } from '../http/idempotency.service.js';

export const jsonType = 'application/json; charset=utf-8';

/** Sends a response, without its body where the client has it. */
export function sendJson(ctx: KoaContext, { status, headers, body }: StoredResponse): void {
  ctx.set(headers);
  ctx.status = status;
  if (status === 204) return;
  ctx.type = jsonType;
  // Node would concatenate a string with the headers, which copies all of it once more.
  ctx.body = Buffer.from(body);
  const isRead = ctx.method === 'GET' || ctx.method === 'HEAD';
  if (isRead && status === 200 && headers.ETag && matchesEtag(ctx.get('If-None-Match'), headers.ETag)) ctx.status = 304;
}
