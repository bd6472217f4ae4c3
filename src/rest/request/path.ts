import { badRequest } from '../../core/errors.js';
import { RoutingError } from './routing-error.js';

/** Whether a path belongs to the REST API: it begins with a version, whichever. */
export const isVersioned = (path: string): boolean => /^\/v?\d+(\.\d+)*(\/|$)/i.test(path);

/**
 * The path in canonical form: `/1` is `/v1`, no trailing slash, and underscores for hyphens in resource names.
 * Resource names stand at even positions (pages/:page_id/notices); the ids between them stay as they are.
 */
export function normalizePath(path: string): string {
  const [, version, ...parts] = path.split('/');
  if (version !== 'v1' && version !== '1')
    throw new RoutingError(404, 'invalid_version', 'This API version does not exist. Use v1.');
  if (parts.at(-1) === '') parts.pop();
  return `/v1/${parts.map((part, index) => (index % 2 === 0 ? part.replaceAll('-', '_') : part)).join('/')}`;
}

export function checkPathEncoding(path: string): void {
  try {
    decodeURIComponent(path);
  } catch {
    throw badRequest('The path is not valid percent-encoded UTF-8.');
  }
}
