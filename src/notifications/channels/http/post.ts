import { requestGuarded, type SsrfGuard } from '../../../http/guarded-request.js';
import type { HttpResponse } from '../channel.js';

interface HttpRequest {
  url: string;
  headers: Record<string, string>;
  body: string | Buffer;
}

const maxBodyLength = 64 * 1024;

/** Sends JSON to a URL that a customer chose. */
export const postJson = (url: string, value: unknown, guard: SsrfGuard, headers: Record<string, string> = {}) =>
  post(
    { url, headers: { 'content-type': 'application/json; charset=utf-8', ...headers }, body: JSON.stringify(value) },
    guard,
  );

/** Sends a buffer as it is, and everything else as JSON. */
export const postGuarded = (url: string, value: unknown, guard: SsrfGuard, headers: Record<string, string> = {}) =>
  Buffer.isBuffer(value) ? post({ url, headers, body: value }, guard) : postJson(url, value, guard, headers);

/** Sends a POST to a URL that a customer chose. */
export async function post(request: HttpRequest, guard: SsrfGuard): Promise<HttpResponse> {
  const { status, headers, body } = await requestGuarded({ method: 'POST', ...request, maxBodyLength }, guard);
  return { status, body, retryAfter: headers['retry-after'] ?? null, contentType: headers['content-type'] ?? null };
}
