import ipaddr from 'ipaddr.js';
import proxyAddress from 'proxy-addr';

/** The client's IPv4 address, or its IPv6 /64 network: one customer owns all 2^64 addresses of it. */
export function toClientNetwork(address: string, ipv6Prefix = 64): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  return parsed.kind() === 'ipv4'
    ? parsed.toString()
    : ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toString()}/${ipv6Prefix}`).toString();
}

/** An address in X-Forwarded-For, to which some proxies add the port: each connection would be another client. */
export const withoutPort = (address: string): string =>
  /^\[([^\]]+)\](?::\d+)?$/.exec(address)?.[1] ?? /^(\d+(?:\.\d+){3}):\d+$/.exec(address)?.[1] ?? address;

/** The prefix that a provider gives to one customer: what a person may try is not multiplied by its 65,536 networks. */
export const customerPrefix = 48;
/** How many times as much as one client all networks of that prefix may have: some providers give them to many. */
export const customerShare = 4;

/** A network that an address counts for, and how many times as much as one client it may have. */
interface CountedNetwork {
  network: string;
  share: number;
}

/** Of an IPv4 address itself; of an IPv6 address its /64 network, and then the network of the customer. */
export function toCountedNetworks(address: string): CountedNetwork[] {
  const network = toClientNetwork(address);
  const customer = toClientNetwork(address, customerPrefix);
  const client = { network, share: 1 };
  const isIpv6 = network.includes(':') && ipaddr.isValid(address);
  return isIpv6 ? [client, { network: `${customer}/${customerPrefix}`, share: customerShare }] : [client];
}

/** Counts what the clients of a process hold: of each network that their addresses count for, up to its share. */
export class NetworkCounts {
  private readonly counts = new Map<string, number>();

  constructor(private readonly maxPerAddress: number) {}

  isFull(address: string): boolean {
    return toCountedNetworks(address).some(
      ({ network, share }) => (this.counts.get(network) ?? 0) >= share * this.maxPerAddress,
    );
  }

  /** Returns what takes the count back. */
  add(address: string): () => void {
    const networks = toCountedNetworks(address).map(({ network }) => network);
    for (const network of networks) this.change(network, 1);
    return () => {
      for (const network of networks) this.change(network, -1);
    };
  }

  private change(network: string, difference: number): void {
    const count = (this.counts.get(network) ?? 0) + difference;
    if (count) this.counts.set(network, count);
    else this.counts.delete(network);
  }
}

export const isLoopback = (address: string): boolean =>
  ipaddr.isValid(address) && ipaddr.process(address).range() === 'loopback';

/** Whether an address is one of this machine or of a private network, as those of one's own proxies usually are. */
export const isPrivate = (address: string): boolean =>
  ipaddr.isValid(address) && ['loopback', 'private', 'uniqueLocal'].includes(ipaddr.process(address).range());

/** Whether an address is that of a proxy, which connects for many clients: a trusted one, or one on this machine. */
export function createProxyTest(trustedProxies: string[]): (address: string) => boolean {
  const isTrusted = proxyAddress.compile(trustedProxies);
  return address => isLoopback(address) || (ipaddr.isValid(address) && isTrusted(address, 0));
}
