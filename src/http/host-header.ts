import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import type { OwnHosts } from '../core/config.js';

const pageLabel = /^[0-9a-f]{8}$/;

/** The host of a request, in lower case, without port and trailing dot; undefined when the header is malformed. */
export function parseHost(header: string | undefined): string | undefined {
  const match = /^(\[[0-9a-f:.]+\]|[a-z0-9_-]+(?:\.[a-z0-9_-]+)*)\.?(?::\d{1,5})?$/i.exec(header ?? '');
  return match && match[1]!.length <= 253 ? match[1]!.toLowerCase() : undefined;
}

/** Node keeps the first of several Host headers; a proxy in front of this service may have used the last. */
export function hasOneHostHeader({ rawHeaders }: IncomingMessage): boolean {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]!;
    if (name.length === 4 && name.toLowerCase() === 'host') count += 1;
  }
  return count === 1;
}

export interface HostRules {
  /** The page id in a host below the base host, whether or not the page exists: it serves only the paths of a page. */
  pageIdFromHost(host: string): string | undefined;
  isPageHost(host: string): boolean;
  /** Whether the console has this host for itself. */
  isConsoleHost(host: string): boolean;
  /** Whether a host can be the custom domain of a page: a name with a dot, and not below the base host. */
  canBeCustomDomain(host: string): boolean;
}

export function createHostRules({ baseHost, consoleHost }: OwnHosts): HostRules {
  const isBelowBaseHost = (host: string) => host.endsWith(`.${baseHost}`);
  const pageIdFromHost = (host: string) => {
    const label = host.slice(0, -baseHost.length - 1);
    return isBelowBaseHost(host) && pageLabel.test(label) ? label : undefined;
  };
  return {
    pageIdFromHost,
    isPageHost: host => pageIdFromHost(host) !== undefined,
    isConsoleHost: host => host === consoleHost,
    canBeCustomDomain: host =>
      host !== baseHost &&
      host !== consoleHost &&
      host.includes('.') &&
      !isBelowBaseHost(host) &&
      !isIP(host.replace(/^\[|\]$/g, '')),
  };
}
