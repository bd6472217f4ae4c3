import type { LookupAddress } from 'node:dns';
import { lookup, Resolver } from 'node:dns/promises';

export type ResolveHost = (host: string, signal: AbortSignal) => Promise<LookupAddress[]>;

/** Of the first try; the second takes twice as long. */
const timeout = 2_000;
const tries = 2;

/** As other programs of this machine do: also by its hosts file. */
export const resolveWithSystem: ResolveHost = host => lookup(host, { all: true });

/**
 * Asks DNS. A name that somebody else chose is not resolved with the system: that takes one of two threads, which a
 * name server that does not answer holds for ten seconds or longer, also after the request has ended. Requests to all
 * other hosts, and new connections to the database, wait for a thread.
 */
export async function resolveWithDns(
  host: string,
  signal: AbortSignal,
  servers: readonly string[] = [],
): Promise<LookupAddress[]> {
  const resolver = new Resolver({ timeout, tries });
  if (servers.length) resolver.setServers(servers);
  const cancel = () => resolver.cancel();
  signal.addEventListener('abort', cancel, { once: true });
  try {
    const [ipv4, ipv6] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
    if (ipv4.status === 'rejected' && ipv6.status === 'rejected') throw ipv4.reason;
    const list = (result: PromiseSettledResult<string[]>, family: number) =>
      result.status === 'fulfilled' ? result.value.map(address => ({ address, family })) : [];
    return [...list(ipv4, 4), ...list(ipv6, 6)];
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}
