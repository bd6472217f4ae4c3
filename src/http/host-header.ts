import { isIP } from 'node:net';
import { publicAddress } from '../core/config.js';

const { baseHost } = publicAddress();
const pageLabel = /^[0-9a-f]{8}$/;

/** The host of a request, in lower case, without port and trailing dot; undefined when it is malformed. */
export function hostOf(header: string | undefined): string | undefined {
  const match = /^(\[[0-9a-f:.]+\]|[a-z0-9_-]+(?:\.[a-z0-9_-]+)*)\.?(?::\d{1,5})?$/i.exec(header ?? '');
  return match && match[1]!.length <= 253 ? match[1]!.toLowerCase() : undefined;
}

/** The page that a host below ours shows, whether or not it exists: only that page's own paths are there. */
export function pageOfHost(host: string): string | undefined {
  const label = host.slice(0, -baseHost.length - 1);
  return host.endsWith(`.${baseHost}`) && pageLabel.test(label) ? label : undefined;
}

export const isPageHost = (host: string): boolean => pageOfHost(host) !== undefined;

/** Whether a host may be the custom domain of a page: a name, with a dot, that is not ours. */
export const mayBeDomain = (host: string): boolean =>
  host !== baseHost && host.includes('.') && !host.endsWith(`.${baseHost}`) && !isIP(host.replace(/^\[|\]$/g, ''));
