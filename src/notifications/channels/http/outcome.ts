import type { Outcome } from '../channel.js';
import { redact } from './redact.js';
import { type HttpResponse, ForbiddenTarget } from './post.js';

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

/** Maps a response to an outcome; `secrets` are redacted. A redirect is permanent: the target has moved. */
export function toOutcome(response: HttpResponse, secrets: readonly string[]): Outcome {
  const text = redact(`${response.status} ${response.body}`, secrets);
  if (response.status >= 200 && response.status < 300) return { kind: 'sent', response: text };
  if (!isTemporary(response.status)) return { kind: 'refused', response: text };
  const afterSeconds = parseRetryAfter(response.retryAfter, Date.now());
  return {
    kind: 'failed',
    response: text,
    ...(afterSeconds !== undefined && { afterSeconds }),
    ...(response.status >= 502 && { unreachable: true }),
  };
}

export function toFailedOutcome(error: unknown, secrets: readonly string[]): Outcome {
  const { message, cause } = error as Error;
  const text = redact(
    [message, (cause as Error | undefined)?.message].filter(Boolean).join(': ') || String(error),
    secrets,
  );
  return error instanceof ForbiddenTarget
    ? { kind: 'refused', response: text }
    : { kind: 'failed', response: text, unreachable: true };
}
