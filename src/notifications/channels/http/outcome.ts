import type { Outcome } from '../channel.js';
import { answerOf } from './redact.js';
import { type Answer, ForbiddenTarget } from './post-json.js';

/** Longer than that nobody is asked to wait. */
const longestWait = 24 * 3600;

/** `Retry-After` is a number of seconds, or a date. */
export function secondsOf(retryAfter: string | null, now: number): number | undefined {
  if (!retryAfter) return undefined;
  const seconds = /^\d+$/.test(retryAfter.trim()) ? Number(retryAfter) : (Date.parse(retryAfter) - now) / 1000;
  return Number.isFinite(seconds) ? Math.min(Math.max(Math.ceil(seconds), 0), longestWait) : undefined;
}

/** Too early, too many, too slow, or a fault of the other side's own: another time it may go. */
const isForNow = (status: number) => [408, 425, 429].includes(status) || status >= 500;

/** What an answer means for a message; `secrets` are taken out of what is kept of it. A redirect is none: what was configured is elsewhere now. */
export function outcomeOf(answer: Answer, secrets: readonly string[]): Outcome {
  const said = answerOf(`${answer.status} ${answer.body}`, secrets);
  if (answer.status >= 200 && answer.status < 300) return { kind: 'sent', answer: said };
  if (!isForNow(answer.status)) return { kind: 'refused', answer: said };
  const afterSeconds = secondsOf(answer.retryAfter, Date.now());
  return {
    kind: 'failed',
    answer: said,
    ...(afterSeconds !== undefined && { afterSeconds }),
    ...(answer.status >= 502 && { unreachable: true }),
  };
}

export function outcomeOfFailure(error: unknown, secrets: readonly string[]): Outcome {
  const { message, cause } = error as Error;
  const said = answerOf(
    [message, (cause as Error | undefined)?.message].filter(Boolean).join(': ') || String(error),
    secrets,
  );
  return error instanceof ForbiddenTarget
    ? { kind: 'refused', answer: said }
    : { kind: 'failed', answer: said, unreachable: true };
}
