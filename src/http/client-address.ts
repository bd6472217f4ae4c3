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

/** The prefix that a provider gives to one customer: what a person may try is not multiplied by its 65,536 networks. */
export const customerPrefix = 48;

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
