import { requestGuarded, type SsrfGuard } from '../../http/guarded-request.js';

const timeoutMs = 30_000;

/**
 * Returns a `fetch` that reads addresses which a customer chose, as SSRF-safe as other requests to them. All of its
 * responses together have at most `maxBytes`, and nothing is asked for after `end`.
 */
export function createGuardedFetch(guard: SsrfGuard, maxBytes: number, end: AbortSignal): typeof fetch {
  let left = maxBytes;
  return async (input, init) => {
    end.throwIfAborted();
    const headers = Object.fromEntries(new Headers(init?.headers));
    const request = { method: 'GET', url: String(input), headers, maxBodyLength: left } as const;
    const { status, headers: answered, body, isComplete } = await requestGuarded(request, { timeoutMs, ...guard });
    if (!isComplete) throw new Error(`it answers with more than ${maxBytes / 1024 / 1024} MB`);
    left -= Buffer.byteLength(body);
    const retryAfter = answered['retry-after'];
    return new Response(body || null, { status, headers: retryAfter ? { 'retry-after': retryAfter } : {} });
  };
}
