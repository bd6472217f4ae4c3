import type { HttpResponse, Outcome } from './channel.js';

/** Longer delays are cut. */
const maxWaitSeconds = 24 * 3600;

/** Parses `Retry-After`: a number of seconds, or a date. */
export function parseRetryAfter(retryAfter: string | null, now: number): number | undefined {
  if (!retryAfter) return undefined;
  const seconds = /^\d+$/.test(retryAfter.trim()) ? Number(retryAfter) : (Date.parse(retryAfter) - now) / 1000;
  return Number.isFinite(seconds) ? Math.min(Math.max(Math.ceil(seconds), 0), maxWaitSeconds) : undefined;
}

/** Too early, too many requests, a timeout or a server error: another attempt may succeed. */
const isTemporary = (status: number) => [408, 425, 429].includes(status) || status >= 500;

/** The webhook was deleted, or the server has no such address. */
const isGone = (status: number) => status === 404 || status === 410;

/**
 * Maps a response to an outcome. A redirect is permanent: the target has moved. The text is not redacted yet; a part of
 * a secret would remain if it were cut first.
 */
export function toOutcome({ status, body, retryAfter }: HttpResponse): Outcome {
  const response = `${status} ${body}`;
  if (status >= 200 && status < 300) return { kind: 'sent', response };
  if (!isTemporary(status)) return { kind: 'refused', response, ...(isGone(status) && { isGone: true }) };
  const afterSeconds = parseRetryAfter(retryAfter, Date.now());
  return {
    kind: 'failed',
    response,
    ...(afterSeconds !== undefined && { afterSeconds }),
    ...(status >= 502 && { unreachable: true }),
  };
}
