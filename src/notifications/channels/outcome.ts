import type { HttpResponse, Outcome } from './channel.js';
import { classifyHttpStatus, type RefusalKind } from './refusals.js';

const maxStoredLength = 500;

/** A response as a text column takes it. */
export const toStoredText = (response: string): string =>
  response.replaceAll('\0', '').toWellFormed().slice(0, maxStoredLength);

/** Longer delays are cut. */
const maxWaitSeconds = 24 * 3600;

/**
 * Parses `Retry-After`: a number of seconds, of which decimals are rounded up, or a date. `Date.parse` alone takes 1.5
 * for a day of 2001.
 */
export function parseRetryAfter(retryAfter: string | null, now: number): number | undefined {
  const value = retryAfter?.trim() ?? '';
  const isDate = /^[a-z]{3,9},? .*\d{2}:\d{2}:\d{2}/i.test(value);
  const seconds = /^\d+(\.\d+)?$/.test(value) ? Number(value) : isDate ? (Date.parse(value) - now) / 1000 : Number.NaN;
  return Number.isFinite(seconds) ? Math.min(Math.max(Math.ceil(seconds), 0), maxWaitSeconds) : undefined;
}

/** The outcome of a refusal, for all channels. */
export function toRefusal(kind: RefusalKind, response: string): Outcome {
  if (kind === 'gone') return { kind: 'refused', response, isGone: true };
  if (kind === 'message') return { kind: 'refused', response };
  return kind === 'later' ? { kind: 'failed', response } : { kind: 'failed', response, deferral: kind };
}

/** A page with a form to sign in, or any other page for people: a proxy has answered, and not the program. */
const isWebPage = ({ body }: HttpResponse) => /^\s*(<!--[^>]*-->\s*)?(<!doctype html|<html|<head|<body)/i.test(body);

/**
 * Maps a response to an outcome. The text is not redacted yet; a part of a secret would remain if it were cut first.
 */
export function toOutcome(http: HttpResponse): Outcome {
  const { status, body, retryAfter } = http;
  const response = `${status} ${body}`;
  if (status >= 200 && status < 300)
    return isWebPage(http)
      ? toRefusal('sender', `${status}, with a web page such as a form to sign in: ${body}`)
      : { kind: 'sent', response };
  const outcome = toRefusal(classifyHttpStatus(status), response);
  if (outcome.kind !== 'failed') return outcome;
  const afterSeconds = parseRetryAfter(retryAfter, Date.now());
  return {
    ...outcome,
    ...(afterSeconds !== undefined && { afterSeconds }),
    ...(status >= 502 && { unreachable: true }),
  };
}

/** The same of a chat or a gateway, which never answers with HTML: Slack alone says `ok` with that type. */
export function toChatOutcome(http: HttpResponse): Outcome {
  const { status, body, contentType } = http;
  const outcome = toOutcome(http);
  if (outcome.kind !== 'sent') return outcome;
  const text = body.trim();
  if (/^text\/html/i.test(contentType ?? '') && !/^(ok|1)?$/i.test(text))
    return toRefusal('sender', `${status}, with a web page such as a form to sign in: ${body}`);
  // Slack and its like name an error by a word, sometimes with 200.
  const isError =
    /^(invalid|no|missing|channel|action|user|team|too_many|posting)_[a-z_]+$/.test(text) || saysItFailed(text);
  if (!isError) return outcome;
  return toRefusal(/rate_?limit/.test(text) ? 'rate' : 'message', outcome.response);
}

/** A body such as `{"ok": false, "error": "channel_not_found"}`. */
function saysItFailed(text: string): boolean {
  if (!text.startsWith('{')) return false;
  try {
    const { ok, success } = JSON.parse(text) as Record<string, unknown>;
    return ok === false || success === false;
  } catch {
    return false;
  }
}
