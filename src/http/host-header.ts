import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { type AddressSettings, type OwnHosts, parseHosts } from '../core/config.js';

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

/** Suffixes of names that are not on the public internet. */
const internalSuffix = /\.(internal|local|localhost|localdomain|lan|svc|home\.arpa)$/;

/** Whether no visitor asks for a host: a proxy asks for it that does not pass on the Host header. */
const isInternal = (host: string): boolean =>
  !host.includes('.') || isIP(host.replace(/^\[|\]$/g, '')) !== 0 || internalSuffix.test(host);

/**
 * Returns what replaces the Host header by X-Forwarded-Host where a trusted proxy has asked for an internal name, as
 * Apache does without ProxyPreserveHost. A host of this service, and any that can be a custom domain, stays: a proxy
 * that passes on its Host header may also pass on an X-Forwarded-Host of the client.
 */
export function createForwardedHost(
  settings: AddressSettings,
  isFromTrustedProxy: (request: IncomingMessage) => boolean,
): (request: IncomingMessage) => void {
  const ownHosts = parseHosts(settings);
  const { isPageHost, isConsoleHost } = createHostRules(ownHosts);
  // Without PUBLIC_URL the base host is localhost, by which a proxy asks as well.
  const isOwn = (host: string) =>
    isPageHost(host) || isConsoleHost(host) || (host === ownHosts.baseHost && host !== 'localhost');
  return request => {
    const forwarded = request.headers['x-forwarded-host'];
    if (!forwarded) return;
    const host = parseHost(request.headers.host);
    if (!host || !isInternal(host) || isOwn(host) || !isFromTrustedProxy(request)) return;
    // Each proxy appends: the last one that is not internal is the nearest to the visitor that a proxy has seen.
    const named = String(forwarded)
      .split(',')
      .map(value => value.trim());
    const asked = named.findLast(value => {
      const parsed = parseHost(value);
      return parsed && (!isInternal(parsed) || isOwn(parsed));
    });
    if (asked) request.headers.host = asked;
  };
}
