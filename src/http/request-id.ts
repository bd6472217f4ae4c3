import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

const ids = new WeakMap<IncomingMessage, string>();

/** The id that a proxy gave to the request, or a new one: the same in the response, the log and the audit log. */
export function getRequestId(request: IncomingMessage): string {
  const header = request.headers['x-request-id'];
  const isGiven = typeof header === 'string' && /^[\w.:=+/-]{1,100}$/.test(header);
  const id = ids.get(request) ?? (isGiven ? header : randomUUID());
  ids.set(request, id);
  return id;
}
