import { publicAddress } from './config.js';

const { baseHost } = publicAddress();
const pageLabel = /^[0-9a-f]{8}$/;

/** The host of a request, in lower case, without port and trailing dot; undefined when it is malformed. */
export function hostOf(header: string | undefined): string | undefined {
  const match = /^(\[[0-9a-f:.]+\]|[a-z0-9_-]+(?:\.[a-z0-9_-]+)*)\.?(?::\d{1,5})?$/i.exec(header ?? '');
  return match && match[1]!.length <= 253 ? match[1]!.toLowerCase() : undefined;
}

/** Whether a host is one of those that show a page: only that page's own paths exist there. */
export const isPageHost = (host: string): boolean => host.endsWith(`.${baseHost}`) && pageLabel.test(host.slice(0, -baseHost.length - 1));
