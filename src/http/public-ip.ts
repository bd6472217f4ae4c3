import ipaddr from 'ipaddr.js';

/** All public IPv6 addresses that are assigned so far; those outside map to IPv4, or are not routed. */
const globalUnicast = ipaddr.parseCIDR('2000::/3');

/** Public by its range, but the metadata service of Azure. */
const metadataServices = new Set(['168.63.129.16']);

/**
 * Whether the host of a URL is of this machine or of a private network without asking DNS: an address, which the parser
 * of URLs has written in its usual form, or a name that never is public (RFC 6761).
 */
export function isPrivateHost(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  return ipaddr.isValid(host) ? !isPublicIp(host) : /^(?:.*\.)?localhost$/.test(host);
}

/** Whether an address is public: not loopback, private, carrier-grade NAT, cloud metadata, nor mapped to one. */
export function isPublicIp(text: string): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.parse(text);
  if (address.range() !== 'unicast' || metadataServices.has(address.toString())) return false;
  return address.kind() === 'ipv4' || address.match(globalUnicast);
}
