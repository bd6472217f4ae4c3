import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

const ids = new WeakMap<IncomingMessage, string>();

/** The id that a proxy gave to the request, or a new one: the same for the log and the audit log. */
export function getRequestId(request: IncomingMessage): string {
  const given = request.headers['x-request-id'];
  const isGiven = typeof given === 'string' && /^[\w.:=+/-]{1,100}$/.test(given);
  const id = ids.get(request) ?? (isGiven ? given : randomUUID());
  ids.set(request, id);
  return id;
}
