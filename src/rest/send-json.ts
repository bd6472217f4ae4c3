import type { Context as KoaContext } from 'koa';
import type { StoredResponse } from '../http/idempotency.service.js';

export const jsonType = 'application/json; charset=utf-8';

export function sendJson(ctx: KoaContext, { status, headers, body }: StoredResponse): void {
  ctx.set(headers);
  ctx.status = status;
  if (status === 204) return;
  ctx.type = jsonType;
  // Node would concatenate a string with the headers, which copies all of it once more.
  ctx.body = Buffer.from(body);
}
