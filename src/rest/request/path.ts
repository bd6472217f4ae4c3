import { badRequest } from '../../core/errors.js';
import { HttpError } from '../errors.js';

/** Whether a path is of the REST interface: it begins with a version, whichever. */
export const isVersioned = (path: string): boolean => /^\/v?\d+(\.\d+)*(\/|$)/i.test(path);

/**
 * The path in its plain form, which most have already: `/1` is `/v1`, a trailing slash is none, and a hyphen in the name of a resource is an underscore.
 * Names stand at the even places (pages/:page_id/notices), ids between them keep what they are.
 */
export function plainPath(path: string): string {
  const [, version, ...parts] = path.split('/');
  if (version !== 'v1' && version !== '1')
    throw new HttpError(404, 'invalid_version', 'There is no such version of the interface. There is: v1.');
  if (parts.at(-1) === '') parts.pop();
  return `/v1/${parts.map((part, place) => (place % 2 === 0 ? part.replaceAll('-', '_') : part)).join('/')}`;
}

export function checkEncoding(path: string): void {
  try {
    decodeURIComponent(path);
  } catch {
    throw badRequest('The path is not valid percent-encoded UTF-8.');
  }
}
